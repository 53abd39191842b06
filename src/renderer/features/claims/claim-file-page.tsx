import { Button, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ClaimRecord } from '../../../contract/records.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatDay } from '../../../rules/days.ts';
import { fieldsOf } from '../../../rules/list-fields.ts';
import { sayEligible } from '../../../rules/money/eligible.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { ClaimReview, ReviewEvent } from '../../../rules/review/review.ts';
import { outcomeLabels, paymentLabels, stateLabels } from '../../../rules/review/review-labels.ts';
import { Amount, Total } from '../../components/amount.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { Columns, FieldSection, Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SmallPrint } from '../../components/text.tsx';
import type { ListRef } from '../../domain/list/list-ref.ts';
import { describeFact, detailOfEvent } from '../../domain/review/describe-event.ts';
import { Differences } from '../../domain/review/review-changes.tsx';
import { useAsk, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { useAuditOpened } from '../../lib/use-audit-opened.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './claim-file.module.css';
import { ClaimHeader } from './claim-header.tsx';
import { ClaimLines } from './claim-lines.tsx';
import { ClaimFacts, ClaimIdentifiers, ClaimPeople, ClaimProviders } from './claim-sections.tsx';

const maxEvents = 1000;

/** Everything about one claim on paper: the claim, its review, what changed, payments, notes, and the history. */
export function ClaimFilePage({ claimId, from }: { claimId: number; from: ListRef }) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const now = useNow();
  const claim = useWorkspaceQuery('records:getClaim', { id: claimId });
  const review = useWorkspaceQuery('reviews:get', { claimId });
  const history = useWorkspaceQuery('reviews:listEvents', { claimId, offset: 0, limit: maxEvents });
  useAuditOpened('claims', claim.data?.claim.id);
  const print = usePrint(claimId);
  const all = {
    error: claim.error ?? review.error ?? history.error,
    refetch: () => Promise.all([claim, review, history].map((query) => query.refetch())),
  };
  const isReady = claim.data !== undefined && review.data !== undefined && history.data !== undefined;
  return (
    <Page
      title={`Claim file: claim ${claimId}`}
      documentTitle="Claim file"
      facts={claim.data !== undefined && <ClaimHeader claim={claim.data.claim} member={undefined} />}
      actions={
        <div className={styles.actions} data-screen-only>
          <Button
            size="compact-sm"
            leftSection={<IconPrinter size={14} aria-hidden />}
            disabled={!isReady}
            loading={print.isPending}
            onClick={() => print.mutate()}
          >
            Print…
          </Button>
          <BackButton
            label={`Back to claim ${claimId}`}
            onBack={() => void navigate({ to: '/claims/$claimId', params: { claimId }, search: from })}
          />
        </div>
      }
    >
      {(!isReady || all.error !== null) && <NotLoaded query={all} what="the claim file" />}
      <ErrorNotice error={print.error} title="Couldn’t print" />
      {isReady && (
        <Stack gap="sm" className={styles.file ?? ''}>
          <ReviewSummary review={review.data} />
          <Columns>
            <ClaimFacts claim={claim.data.claim} />
            <ClaimPeople {...claim.data} />
            <ClaimProviders claim={claim.data.claim} />
            <ClaimIdentifiers claim={claim.data.claim} />
          </Columns>
          <FieldSection title="Amounts" fields={amountFields(claim.data.claim)} />
          <ClaimLines {...claim.data} />
          {claim.data.claim.remarks && (
            <Section title="Carrier’s reason">
              <Text size="sm">{claim.data.claim.remarks}</Text>
            </Section>
          )}
          {review.data.changes.length > 0 && (
            <Section title="Changed since reviewed">
              <Differences label="Changed since reviewed" changes={review.data.changes} />
            </Section>
          )}
          <Payments review={review.data} />
          <Notes review={review.data} />
          <History events={history.data.events} total={history.data.total} />
          <SmallPrint>
            From {workspace.name}, {formatDateTime(now.toISOString())}. For your records.
          </SmallPrint>
        </Stack>
      )}
    </Page>
  );
}

/** The amounts as the carrier sent them, by their labels. */
const amountFields = (claim: ClaimRecord): [string, ReactNode][] =>
  fieldsOf.claims
    .filter(
      ({ kind, path, isDerived }) =>
        kind === 'money' && isDerived === undefined && !path.startsWith('computed_'),
    )
    .map(({ path, label }) => [label, <Amount key={path} value={claim[path as keyof ClaimRecord]} />]);

/** Prints once the audit log has it; printing by the browser's own menu is recorded when it begins. */
function usePrint(claimId: number) {
  const ask = useAsk();
  const isRecorded = useRef(false);
  useEffect(() => {
    const note = () => {
      if (isRecorded.current) return;
      ask('records:auditPrinted', { id: claimId }).catch(() => undefined);
    };
    window.addEventListener('beforeprint', note);
    return () => window.removeEventListener('beforeprint', note);
  }, [ask, claimId]);
  return useMutation({
    mutationFn: async () => {
      await ask('records:auditPrinted', { id: claimId });
      isRecorded.current = true;
      window.print();
      isRecorded.current = false;
    },
  });
}

const ReviewSummary = ({ review }: { review: ClaimReview }) => (
  <FieldSection
    title="Review"
    fields={[
      ['State', stateLabels[review.state]],
      ['Outcome', review.outcome === null ? undefined : outcomeLabels[review.outcome]],
      [review.state === 'escalated' ? 'Escalated to' : 'Waiting on', review.onWhom ?? undefined],
      ['Reason', review.reason ?? undefined],
      ['Reminder', review.reminder === null ? undefined : formatDay(review.reminder)],
      ['Owner', review.owner ?? undefined],
      ['Tags', review.tags.join(', ') || undefined],
      ['Reviewed', review.reviewedAt === null ? undefined : formatDateTime(review.reviewedAt)],
      ['Reviewed by', review.reviewedBy ?? undefined],
      ['Eligible by the rules', <Total key="by rules" amount={review.byRules} />],
      ['Basis', review.basis === null ? undefined : sayEligible(review.basis, formatTenThousandths)],
      [
        'Eligible as decided',
        review.outcome === null ? 'Not decided yet' : <Total key="eligible" amount={review.eligible} />,
      ],
      ['Declined', review.declined === 0 ? undefined : <Total key="declined" amount={review.declined} />],
      ['Declined reason', review.cause ?? undefined],
      [
        'Disputed',
        review.outcome === 'disputed' ? <Total key="disputed" amount={review.disputed} /> : undefined,
      ],
      ['Reimbursed', <Total key="reimbursed" amount={review.reimbursed} />],
      ['Open', <Total key="open" amount={review.open} />],
    ]}
  />
);

const Payments = ({ review: { payments } }: { review: ClaimReview }) => (
  <Section title="Payments">
    {payments.length === 0 ? (
      <Text size="sm">None recorded.</Text>
    ) : (
      <DataTable
        label="Payments"
        verticalSpacing={2}
        rows={payments}
        keyOf={(payment) => `${payment.id} ${payment.day} ${payment.amount}`}
        columns={[
          ['Date', (payment) => formatDay(payment.day)],
          ['Kind', (payment) => paymentLabels[payment.payment]],
          ['Amount', (payment) => <Total amount={payment.amount} />],
          ['Account or reference', (payment) => (payment.account === '' ? '–' : payment.account)],
          ['Recorded by', (payment) => payment.author],
        ]}
      />
    )}
  </Section>
);

const Notes = ({ review: { notes } }: { review: ClaimReview }) => (
  <Section title="Notes">
    {notes.length === 0 ? (
      <Text size="sm">None.</Text>
    ) : (
      notes.map((note) => (
        <div key={note.id} className={styles.note}>
          <Text size="sm" className={styles.text ?? ''}>
            {note.text}
          </Text>
          <SmallPrint>
            {note.author}, {formatDateTime(note.at)}
            {note.editedAt !== null && `, edited ${formatDateTime(note.editedAt)}`}
          </SmallPrint>
        </div>
      ))
    )}
  </Section>
);

const History = ({ events, total }: { events: readonly ReviewEvent[]; total: number }) => (
  <Section title="Review history">
    {events.length === 0 ? (
      <Text size="sm">Nothing yet.</Text>
    ) : (
      <DataTable
        label="Review history"
        verticalSpacing={2}
        rows={events}
        keyOf={({ id }) => id}
        columns={[
          ['Time', ({ at }) => formatDateTime(at)],
          ['By', ({ author }) => author],
          [
            'What',
            ({ fact, amounts, isUndone }) => `${describeFact(fact, amounts)}${isUndone ? ' (undone)' : ''}`,
          ],
          ['Details', (event) => detailOfEvent(event) ?? '–', styles.text],
        ]}
      />
    )}
    {total > events.length && (
      <Text size="xs">
        The newest {formatCountOf(events.length, 'event')} of {total}.
      </Text>
    )}
  </Section>
);
