import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { findSpellings, spellingsName, toStoredSpellings } from '../../../contract/stored-spellings.ts';
import { proposeSpellings, type SpellingPair } from '../../../rules/review/spellings.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { useUsedWhom } from '../../domain/review/whom-field.tsx';
import { useHasTeam } from '../../domain/team/use-has-team.ts';
import { useIsReader } from '../../domain/team/use-is-reader.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';

/** The spellings of a workspace or of its team, and a function that changes that of one name; null removes it. */
function useSpellings() {
  const isOfTeam = useHasTeam();
  const views = useWorkspaceQuery('views:list');
  const save = useWorkspaceMutation('views:save');
  const saveOfTeam = useWorkspaceMutation('team:changeSettings');
  const { id, spellings, isReadable } = findSpellings(views.data?.views ?? []);
  return {
    spellings,
    isReadable,
    isSaving: save.isPending || saveOfTeam.isPending,
    error: save.error ?? saveOfTeam.error ?? views.error,
    change(written: string, shown: string | null): void {
      const others = [...spellings].flatMap(([spelling, as]): [string, string][] =>
        // Names that were shown as this name follow it.
        spelling === written
          ? []
          : [[spelling, as === written && spelling !== as && shown !== null ? shown : as]],
      );
      const stored = toStoredSpellings(new Map(shown === null ? others : [...others, [written, shown]]));
      if (isOfTeam)
        saveOfTeam.mutate({ changes: [{ setting: 'view', name: spellingsName, value: stored.query }] });
      else save.mutate({ ...stored, ...(id === null ? {} : { id }) });
    },
  };
}

/** Proposes names in *Waiting on* that look like one, and lists those that are shown as one. */
export function SpellingSettings() {
  const { spellings, isReadable, isSaving, error, change } = useSpellings();
  const isReader = useIsReader();
  const proposed = proposeSpellings(useUsedWhom(), spellings);
  const decided = [...spellings].map(([written, shown]) => ({ written, shown }));
  const isOff = isSaving || isReader;
  if (!isReadable)
    return (
      <Section title="Spellings in Waiting on">
        <Hint>A newer version of Claimdesk stored these spellings. Update Claimdesk to change them.</Hint>
      </Section>
    );
  return (
    <Section title="Spellings in Waiting on">
      {proposed.length === 0 && decided.length === 0 && (
        <Hint>Names that look like one, such as “Carrier” and “carrier”, are suggested here.</Hint>
      )}
      <Pairs label="Proposed spellings" pairs={proposed}>
        {({ written, shown }) => (
          <>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Show ${written} as ${shown}`}
              disabled={isOff}
              onClick={() => change(written, shown)}
            >
              Show as {shown}
            </Button>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={`Keep ${written} apart from ${shown}`}
              disabled={isOff}
              onClick={() => change(written, written)}
            >
              Keep apart
            </Button>
          </>
        )}
      </Pairs>
      <Pairs label="Spellings shown as one" pairs={decided}>
        {({ written, shown }) => (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={`Show ${written} as it was written`}
            disabled={isOff}
            onClick={() => change(written, null)}
          >
            {written === shown ? 'Suggest again' : 'Show as written'}
          </Button>
        )}
      </Pairs>
      <ErrorNotice error={error} title="Couldn’t save the spellings" />
    </Section>
  );
}

function Pairs(props: {
  label: string;
  pairs: readonly SpellingPair[];
  children: (pair: SpellingPair) => ReactNode;
}) {
  const { label, pairs, children } = props;
  if (pairs.length === 0) return null;
  return (
    <DataTable
      label={label}
      verticalSpacing={4}
      rows={pairs}
      keyOf={({ written }) => written}
      columns={[
        ['Written', ({ written }) => written],
        [
          label === 'Proposed spellings' ? 'Looks like' : 'Shown as',
          ({ written, shown }) => (written === shown ? 'Kept apart' : shown),
        ],
        [
          null,
          (pair) => (
            <Group gap="xs" justify="flex-end">
              {children(pair)}
            </Group>
          ),
        ],
      ]}
    />
  );
}
