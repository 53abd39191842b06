import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { ReviewEvent } from '../../../rules/review/review.ts';
import { Section } from '../../components/page.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { titleWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { describeFact, detailOfEvent } from './describe-event.ts';
import { Differences } from './review-changes.tsx';
import styles from './review-panel.module.css';
import { eventsShownAtFirst } from './use-review.ts';

const maxShown = 1000;

/** All events of a claim's review, newest first. */
export function ReviewHistory({ claimId }: { claimId: number }) {
  const [allOf, setAllOf] = useState<number | null>(null);
  const limit = allOf === claimId ? maxShown : eventsShownAtFirst;
  const { data, error } = useWorkspaceQuery(
    'reviews:listEvents',
    { claimId, offset: 0, limit },
    { keepsPrevious: allOf === claimId },
  );
  const events = data?.events ?? [];
  const total = data?.total ?? 0;
  return (
    <Section title="Review history">
      {error !== null && <Hint>Couldn’t load the history.</Hint>}
      {data !== undefined && total === 0 && <Hint>Nothing yet.</Hint>}
      <ol className={styles.history}>
        {events.map((event) => (
          <Entry key={event.id} event={event} undone={events.find(({ id }) => id === event.undoes)} />
        ))}
      </ol>
      {total > events.length && allOf !== claimId && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAllOf(claimId)}>
          Show all {formatCount(total)}
        </Button>
      )}
    </Section>
  );
}

function Entry({ event, undone }: { event: ReviewEvent; undone: ReviewEvent | undefined }) {
  const now = useNow();
  const detail = detailOfEvent(event);
  const isReopening = event.fact.kind === 'reopened';
  return (
    <li data-undone={event.isUndone || undefined}>
      <div className={styles.what}>
        {event.fact.kind === 'undo' && undone !== undefined
          ? `Undid: ${describeFact(undone.fact, undone.amounts)}`
          : describeFact(event.fact, event.amounts)}
        {event.isUndone && <span className={styles.aside}>undone</span>}
        {event.claims > 1 && event.fact.kind !== 'judgeDuplicate' && (
          <span className={styles.aside}>with {formatCountOf(event.claims - 1, 'other claim')}</span>
        )}
      </div>
      {detail !== null && <p className={styles.noteText}>{detail}</p>}
      {event.changes !== null && event.changes.length > 0 && (
        <details>
          <summary className={styles.more}>
            {isReopening ? 'Before and after' : `Also changed afterwards (${event.changes.length})`}
          </summary>
          <Differences
            label={isReopening ? 'Before and after' : 'Also changed afterwards'}
            changes={event.changes}
          />
        </details>
      )}
      <SmallPrint>
        {titleWhen(event.at, now)} by {event.author}
        {isReopening && ', after a sync'}
        {event.isImported && event.signedBy === null && ', imported, not signed'}
        {event.signedBy !== null && (
          <>
            , signed with <span title={event.signedBy}>{event.signedBy.slice(0, 19)}…</span>
            {event.computer !== null && ` on computer ${event.computer.slice(0, 6)}`}
          </>
        )}
      </SmallPrint>
    </li>
  );
}
