import { Button } from '@mantine/core';
import { Fragment } from 'react';
import { fieldsOf } from '../../../contract/fields.ts';
import type { ClaimReview } from '../../../contract/review.ts';
import {
  type ReviewedChange,
  type ReviewedLine,
  reviewedLineFields,
} from '../../../contract/reviewed-values.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatDateTime, formatDayOf, formatWhen } from '../../lib/format-date.ts';
import { noValue } from '../../lib/format-money.ts';
import { formatCode, formatValue } from '../../lib/format-value.ts';
import { useNow } from '../../lib/use-now.ts';
import { KeyCap } from './key-cap.tsx';
import styles from './review-changes.module.css';
import { acceptCommand } from './review-commands.ts';
import reviewPanelStyles from './review-panel.module.css';

const kinds = new Map(fieldsOf.claims.map(({ path, kind }) => [path, kind]));
const lineKinds = new Map(fieldsOf.lines.map(({ path, kind }) => [path, kind]));

/** A value before or after a change, in the form of the claim page. */
export function formatReviewed({ name, lines }: ReviewedChange, value: ReviewedChange['before']): string {
  if (name === '$isMissing') return value === true ? 'Missing' : 'In the service';
  if (lines !== undefined) return `${value ?? 0}`;
  return formatValue(formatCode(name, value), kinds.get(name) ?? 'text');
}

/** A line in a few words: service, day and amounts. */
export function describeLine(line: ReviewedLine): string {
  return reviewedLineFields
    .filter(({ name }) => line[name] !== undefined && line[name] !== null)
    .map(({ name, label }) => {
      const text = formatValue(line[name], lineKinds.get(name) ?? 'text');
      return name === 'date_of_service' || name === 'procedure_code' ? text : `${label} ${text}`;
    })
    .join(' · ');
}

/** The fields that changed since the claim was reviewed, with a button to accept the changes. */
export function ReviewChanges({ review, onAccept }: { review: ClaimReview; onAccept: () => void }) {
  const now = useNow();
  const reopening = review.changes.filter(({ effect }) => effect === 'reopen');
  const noted = review.changes.filter(({ effect }) => effect === 'noted');
  return (
    <section className={styles.changes} aria-label="Changed since reviewed">
      <div className={styles.head}>
        <h3 className={styles.title}>Changed since reviewed</h3>
        <Button
          size="compact-xs"
          variant="default"
          aria-keyshortcuts={acceptCommand.key}
          rightSection={<KeyCap>{acceptCommand.key}</KeyCap>}
          onClick={onAccept}
        >
          Accept
        </Button>
      </div>
      {review.changedAt !== null && <SmallPrint>Found {formatWhen(review.changedAt, now)}</SmallPrint>}
      <Differences label="Before and after" changes={reopening} />
      {noted.length > 0 && (
        <details>
          <summary className={styles.noted}>Also changed ({noted.length})</summary>
          <Differences label="Also changed" changes={noted} />
        </details>
      )}
    </section>
  );
}

/** The fields that changed since the review but did not reopen it. */
export function NotedChanges({ changes }: { changes: readonly ReviewedChange[] }) {
  const noted = changes.filter(({ effect }) => effect === 'noted');
  if (noted.length === 0) return null;
  return (
    <section className={styles.quiet} aria-label="Also changed since your review">
      <h3 className={styles.quietTitle}>Also changed since your review</h3>
      <Differences label="Also changed" changes={noted} />
    </section>
  );
}

/** A table of before and after. */
export function Differences({ label, changes }: { label: string; changes: readonly ReviewedChange[] }) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <Fragment key={change.name}>
            <tr>
              <th scope="row">{change.label}</th>
              <td>{formatReviewed(change, change.before)}</td>
              <td>{formatReviewed(change, change.after)}</td>
            </tr>
            {change.lines !== undefined && (
              <tr>
                <td colSpan={3}>
                  <ChangedLines lines={change.lines} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
        {changes.length === 0 && (
          <tr>
            <td colSpan={3}>{noValue}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function ChangedLines({ lines }: { lines: NonNullable<ReviewedChange['lines']> }) {
  return (
    <ul className={styles.lines}>
      {lines.before.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal lines may be there several times
        <li key={`before ${index}`}>
          <b>Before</b> {describeLine(line)}
        </li>
      ))}
      {lines.after.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal lines may be there several times
        <li key={`after ${index}`}>
          <b>After</b> {describeLine(line)}
        </li>
      ))}
    </ul>
  );
}

/** Says that the record here is older than the reviewed one, with a button to read the claim again. */
export function OlderRecord(props: {
  workspaceId: string;
  claimId: number;
  older: NonNullable<ClaimReview['olderRecord']>;
}) {
  const { workspaceId, claimId, older } = props;
  const { here, reviewed } = older;
  const fetch = useDeskMutation('sync:refreshRecord');
  const isSameDay = here !== null && formatDayOf(here) === formatDayOf(reviewed);
  const format = isSameDay ? formatDateTime : formatDayOf;
  return (
    <div className={reviewPanelStyles.older}>
      <SmallPrint>
        Reviewed on a newer record ({format(reviewed)}) than yours{here !== null && ` (${format(here)})`}
      </SmallPrint>
      <Button
        size="compact-xs"
        variant="default"
        loading={fetch.isPending}
        onClick={() => fetch.mutate({ workspaceId, what: { kind: 'claim', claimId } })}
      >
        Refresh claim
      </Button>
      <ErrorNotice error={fetch.error} title="Couldn’t refresh the claim" />
    </div>
  );
}
