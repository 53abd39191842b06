import { SegmentedControl } from '@mantine/core';
import { useEffect, useSyncExternalStore } from 'react';
import { formatCount } from '../../../rules/count.ts';
import type { Condition } from '../../../rules/query.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import {
  conditionsOfShare,
  teamPersonOf,
  type Worklist,
  type WorklistShare,
  worklistConditions,
  worklistShares,
} from '../../../rules/worklists/worklist-table.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useTotals } from '../figure/use-totals.ts';
import { useListMemory } from '../list/list-memory.tsx';
import { worklistClaimsList } from '../list/list-ref.ts';
import { isNarrowed } from '../list/list-settings.ts';
import { useHasTeam } from '../team/use-has-team.ts';

/** The last choice, with which the next worklist begins. */
const storageKey = 'claimdesk-worklist-share';
const readChoice = (): WorklistShare =>
  worklistShares.find((share) => share === window.localStorage.getItem(storageKey)) ?? 'all';

const labels: Readonly<Record<WorklistShare, string>> = {
  mine: 'Mine',
  unassigned: 'Unassigned',
  all: 'All',
};

const isOfOwner = ({ field }: Condition): boolean => field === 'review.owner';

/** Chooses whose claims of a worklist are shown, in a team, with the number of each. `claims`: in all. */
export const OwnerChoice = (props: { worklist: Worklist; claims: number | undefined }) =>
  useHasTeam() ? <Choice key={props.worklist.id} {...props} /> : null;

function Choice({ worklist, claims }: { worklist: Worklist; claims: number | undefined }) {
  const workspace = useWorkspace();
  const { id: workspaceId, email } = workspace;
  const memory = useListMemory();
  const listId = worklistClaimsList(worklist.id);
  const settings = useSyncExternalStore(
    memory.subscribe,
    () => memory.find(workspaceId, listId)?.getSettings() ?? null,
  );
  const parts = (['mine', 'unassigned'] as const).map((share) => [
    ...worklistConditions(worklist.id, teamPersonOf(workspace)),
    ...conditionsOfShare(share, email),
  ]);
  const { includesMissing } = worklist;
  const totals = useTotals('owners', parts, { includesMissing }).data;
  const choose = (share: WorklistShare): void => {
    const list = memory.find(workspaceId, listId);
    const others = list?.getSettings().conditions.filter((condition) => !isOfOwner(condition)) ?? [];
    list?.change({ conditions: [...conditionsOfShare(share, email), ...others] });
  };
  const isThere = settings !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, as soon as the list is there
  useEffect(() => {
    if (settings === null || isNarrowed(settings)) return;
    choose(readChoice());
  }, [isThere]);
  const ofOwner = settings?.conditions.filter(isOfOwner) ?? [];
  // Null: filtered by owner in another way.
  const chosen = worklistShares.find((share) => isSameJson(conditionsOfShare(share, email), ofOwner));
  const counts = { mine: totals?.[0]?.count, unassigned: totals?.[1]?.count, all: claims };
  return (
    <SegmentedControl
      size="xs"
      w="max-content"
      aria-label="Owner"
      data={worklistShares.map((share) => ({
        value: share,
        label: `${labels[share]}${counts[share] === undefined ? '' : ` ${formatCount(counts[share])}`}`,
      }))}
      value={chosen ?? ''}
      onChange={(value) => {
        const share = worklistShares.find((candidate) => candidate === value) ?? 'all';
        window.localStorage.setItem(storageKey, share);
        choose(share);
      }}
    />
  );
}
