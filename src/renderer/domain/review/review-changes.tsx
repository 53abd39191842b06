import { Button } from '@mantine/core';
import { memo, useEffect } from 'react';
import type { ClaimReview } from '../../../rules/review/review.ts';
import type { ReviewedChange } from '../../../rules/review/reviewed-values.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useDeskMutation, useWorkspaceMutation } from '../../lib/desk-query.ts';
import { formatDateTime, formatDayOf, formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { keepCommand, type ReviewCommand, useCommand } from './group-commands.ts';
import { KeyCap } from './key-cap.tsx';
import { type Difference, listDifferences, sayChanges } from './list-differences.ts';
import styles from './review-changes.module.css';
import reviewPanelStyles from './review-panel.module.css';
import { sayKeep, sayUse } from './say-keep.ts';
import { useReview } from './use-review.ts';

const isReopening = ({ effect }: ReviewedChange): boolean => effect === 'reopen';
const isNoted = ({ effect }: ReviewedChange): boolean => effect === 'noted';

/**
 * Shows in one sentence that the claim changed since it was reviewed, with the effect on the decision: a button keeps
 * it, another uses the result of the rules now. These are the panel's primary decision then.
 */
export function ChangeNotice(props: {
  review: ClaimReview;
  onKeep: () => void;
  onUse: () => void;
  /** The claim is being decided again. */
  isQuiet: boolean;
}) {
  const { review, isQuiet, onKeep, onUse } = props;
  const now = useNow();
  const keep = sayKeep(review);
  const use = sayUse(review);
  return (
    <section className={styles.changes} aria-label="Changed since reviewed">
      <h3 className={styles.title}>Changed since reviewed</h3>
      <p className={styles.sentence}>{sayChanges(review.changes.filter(isReopening))}.</p>
      {keep.refusal !== null && <p className={styles.sentence}>{keep.refusal}</p>}
      {keep.label !== null && (
        <ChangeButton command={keepCommand} isPrimary={!isQuiet} {...keep} onClick={onKeep} />
      )}
      {use !== null && (
        <ChangeButton
          command={useCommand}
          isPrimary={!isQuiet && keep.label === null}
          label={use}
          onClick={onUse}
        />
      )}
      {review.changedAt !== null && <SmallPrint>Found {formatWhen(review.changedAt, now)}</SmallPrint>}
    </section>
  );
}

function ChangeButton(props: {
  command: ReviewCommand;
  label: string;
  detail?: string | null;
  isPrimary: boolean;
  onClick: () => void;
}) {
  const { command, label, detail = null, isPrimary } = props;
  return (
    <Button
      fullWidth
      size="sm"
      className={styles.answer ?? ''}
      variant={isPrimary ? 'filled' : 'default'}
      justify="space-between"
      aria-keyshortcuts={command.key}
      rightSection={<KeyCap>{command.key}</KeyCap>}
      onClick={props.onClick}
    >
      <span>
        {label}
        {detail !== null && <small> ({detail})</small>}
      </span>
    </Button>
  );
}

/** The changes since the review: those that reopened it first, the others folded. */
export const WhatChanged = memo(function WhatChanged({ claimId }: { claimId: number }) {
  const { review } = useReview(claimId);
  const changes = review?.changes ?? [];
  const reopening = review?.changedAt == null ? [] : changes.filter(isReopening);
  const noted = changes.filter(isNoted);
  if (reopening.length + noted.length === 0) return null;
  return (
    <Section title="What changed since the review">
      {reopening.length > 0 && <Differences label="Before and after" changes={reopening} />}
      {noted.length > 0 && (
        <details>
          <summary className={styles.noted}>Also changed ({noted.length})</summary>
          <Differences label="Also changed" changes={noted} />
        </details>
      )}
    </Section>
  );
});

/** The changes, of the claim and line by line: before, after, and the difference of amounts. */
export const Differences = ({ label, changes }: { label: string; changes: readonly ReviewedChange[] }) => (
  <table className={styles.table} aria-label={label}>
    <thead>
      <tr>
        <th scope="col">Changed</th>
        <th scope="col">Before</th>
        <th scope="col">After</th>
        <th scope="col">
          <abbr title="Difference">Δ</abbr>
        </th>
      </tr>
    </thead>
    {listDifferences(changes).map(({ title, differences }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: equal lines may be there several times
      <tbody key={index}>
        {title !== null && (
          <tr>
            <th scope="rowgroup" colSpan={4} className={styles.line}>
              {title}
            </th>
          </tr>
        )}
        {differences.map((difference) => (
          <DifferenceRow key={difference.label} {...difference} />
        ))}
      </tbody>
    ))}
  </table>
);

function DifferenceRow({ label, before, after, delta }: Difference) {
  const style = delta === null ? undefined : 'figure';
  return (
    <tr>
      <th scope="row">{label}</th>
      <td className={style}>{before !== null && <s>{before}</s>}</td>
      <td className={style}>{after !== null && <b>{after}</b>}</td>
      <td className="figure">{delta}</td>
    </tr>
  );
}

/** Why the record here is older than the one that was reviewed, or found to have changed. */
function sayOlder({ olderRecord, foundBy }: Pick<ClaimReview, 'olderRecord' | 'foundBy'>): string {
  if (olderRecord === null)
    return foundBy === null ? '' : `${foundBy.author} found that this claim changed. Your record is older.`;
  const { here, reviewed } = olderRecord;
  const isSameDay = here !== null && formatDayOf(here) === formatDayOf(reviewed);
  const format = isSameDay ? formatDateTime : formatDayOf;
  const yours = here === null ? '' : ` (${format(here)})`;
  return `Reviewed on a newer record (${format(reviewed)}) than yours${yours}`;
}

/** Reopenings for which this window has read the claim again: once each, since a failed one can be a missing connection. */
const refreshedFor = new Set<string>();

/** Reads a claim again that a colleague found to have changed; where that fails, the button is left. */
function useRefreshFound({ claimId, foundBy }: ClaimReview): boolean {
  const { id: workspaceId } = useWorkspace();
  const { mutate, isPending } = useDeskMutation('sync:refreshRecord');
  const of = foundBy === null ? null : `${workspaceId} ${claimId} ${foundBy.at} ${foundBy.author}`;
  useEffect(() => {
    if (of === null || refreshedFor.has(of)) return;
    refreshedFor.add(of);
    mutate({ workspaceId, what: { kind: 'claim', claimId } });
  }, [of, workspaceId, claimId, mutate]);
  return isPending;
}

/** Shows that the record here is older than a colleague's, with a button to read the claim again. */
export function OlderRecord({ review }: { review: ClaimReview }) {
  const { claimId } = review;
  const fetch = useWorkspaceMutation('sync:refreshRecord');
  const isRefreshing = useRefreshFound(review);
  return (
    <div className={reviewPanelStyles.older}>
      <SmallPrint>{sayOlder(review)}</SmallPrint>
      <Button
        size="compact-xs"
        variant="default"
        loading={fetch.isPending || isRefreshing}
        onClick={() => fetch.mutate({ what: { kind: 'claim', claimId } })}
      >
        Refresh claim
      </Button>
      <ErrorNotice error={fetch.error} title="Couldn’t refresh the claim" />
    </div>
  );
}
