import { Box, Popover } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import type { ReviewEvent } from '../../../rules/review/review.ts';
import { TextButton } from '../../components/text-button.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { reviewedSince } from '../figure/reviewer-filters.ts';
import { useTotals } from '../figure/use-totals.ts';
import { useRowsById } from '../list/use-rows-by-id.ts';
import { describeFact } from './describe-event.ts';
import styles from './saved-strip.module.css';
import { labelOfUndo } from './undo-route.ts';
import { useReview } from './use-review.ts';
import { useUndoEvent } from './use-undo.ts';

/** How many of the acts since the page opened can be seen and undone. */
const maxActs = 5;

interface Seen {
  readonly at: string | null;
  readonly acts: readonly ReviewEvent[];
  readonly saidId: string | null;
}

/**
 * Says at the foot of a page what was just saved, for six seconds: on a claim's page for another claim, on a member's for the
 * member, in a list for all. It undoes it or one of the acts before it. Acts from before the page opened are left out, and so
 * is one that is the newest again after an undo.
 */
export function SavedStrip(props: {
  isSaid: (event: ReviewEvent) => boolean;
  /** It stays above the sums and the selection at the foot of a list. */
  isOfList?: true;
}) {
  const newest = useWorkspaceQuery('reviews:getUndo').data;
  const { undo } = useUndoEvent((eventId) =>
    setSeen((before) => ({ ...before, acts: before.acts.filter(({ id }) => id !== eventId) })),
  );
  /**
   * `at`: the time of the newest act so far, null until the first one is loaded. `acts`: those since then, newest first,
   * without undone ones. `saidId`: the one that is shown.
   */
  const [seen, setSeen] = useState<Seen>({ at: null, acts: [], saidId: null });
  const event = newest?.event ?? null;
  const at = event?.at ?? '';
  const [last, ...others] = seen.acts;
  if (newest !== undefined && (seen.at === null || at > seen.at)) {
    const isNew = seen.at !== null && event !== null;
    setSeen({
      at,
      acts: isNew ? [event, ...seen.acts].slice(0, maxActs) : [],
      saidId: isNew ? event.id : null,
    });
  } else if (newest !== undefined && last !== undefined && last.at > at)
    setSeen({ ...seen, acts: seen.acts.filter((act) => act.at <= at) });
  const isSaid = last !== undefined && last.id === seen.saidId && props.isSaid(last);
  return (
    <div className={styles.frame} data-list={props.isOfList} aria-live="polite" data-screen-only>
      {isSaid && <Strip key={last.id} last={last} others={others} onUndo={undo} />}
    </div>
  );
}

function Strip(props: {
  last: ReviewEvent;
  others: readonly ReviewEvent[];
  onUndo: (eventId: string) => void;
}) {
  const { last, others, onUndo } = props;
  // An open popover stops the keys of the page, so that it must not outlast its use.
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <Box
      className={styles.strip ?? ''}
      onAnimationEnd={close}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && close()}
    >
      ✓ <SavedAct act={last} /> · <TextButton onClick={() => onUndo(last.id)}>Undo (Ctrl Z)</TextButton>
      <DoneToday />
      {others.length > 0 && (
        <>
          {' · '}
          <Popover
            opened={isOpen}
            onChange={setIsOpen}
            position="top-start"
            withinPortal={false}
            hideDetached={false}
            returnFocus
          >
            <Popover.Target>
              <TextButton onClick={() => setIsOpen(!isOpen)}>Earlier ({others.length})</TextButton>
            </Popover.Target>
            <Popover.Dropdown aria-label="Saved before">
              <ul className={styles.earlier}>
                {others.map((act) => (
                  <li key={act.id}>
                    <SavedAct act={act} /> ·{' '}
                    <TextButton
                      onClick={() => {
                        onUndo(act.id);
                        close();
                      }}
                    >
                      Undo
                    </TextButton>
                  </li>
                ))}
              </ul>
            </Popover.Dropdown>
          </Popover>
        </>
      )}
    </Box>
  );
}

/** The saved act: for one claim its number, its patient, the act, and the amount that a decision makes eligible. */
function SavedAct({ act }: { act: ReviewEvent }): ReactNode {
  const { claimId, memberId, fact } = act;
  if (memberId !== undefined)
    return (
      <>
        {describeFact(fact)}
        <NameOf entity="members" id={memberId} />
      </>
    );
  if (claimId === null) return labelOfUndo(act);
  return (
    <>
      {claimId}
      <NameOf entity="claims" id={claimId} /> · {describeFact(fact, act.amounts)}
      {fact.kind === 'decision' && (fact.outcome === 'eligible' || fact.outcome === 'partlyEligible') && (
        <EligibleOf claimId={claimId} />
      )}
    </>
  );
}

const nameFields = { claims: 'patient_name', members: 'full_name_derived' } as const;

/** The patient of a claim, or the name of a member, once it is read. */
function NameOf(props: { entity: keyof typeof nameFields; id: number }) {
  const { entity, id } = props;
  const field = nameFields[entity];
  const name = useRowsById(entity, [id], [field]).get(id)?.[field];
  const shown = typeof name === 'string' ? formatPersonName(name) : '';
  if (entity === 'claims') return shown === '' ? null : ` ${shown}`;
  return `, ${shown === '' ? `member ${id}` : shown}`;
}

/** The eligible amount of a claim, as on its page. */
function EligibleOf({ claimId }: { claimId: number }) {
  const eligible = useReview(claimId).review?.eligible ?? null;
  return eligible === null ? null : ` ${formatTenThousandths(eligible)}`;
}

/** How many claims you reviewed today, as on Start. */
function DoneToday() {
  const { email } = useWorkspace();
  const today = localDayOf(useNow());
  const [total] = useTotals('reviewed today', [reviewedSince(email, today)]).data ?? [];
  return total === undefined || total.count === 0 ? null : ` · ${formatCount(total.count)} today`;
}
