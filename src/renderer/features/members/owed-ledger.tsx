import type { LedgerClaim } from '../../../contract/worklist-counts.ts';
import { formatDay } from '../../../rules/days.ts';
import { findExcess } from '../../../rules/money/decided-amounts.ts';
import { signOf } from '../../../rules/money/reimbursement.ts';
import { paymentLabels } from '../../../rules/review/review-labels.ts';
import { Total } from '../../components/amount.tsx';
import { ScrollableTable } from '../../components/data-table.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { FigureNote } from '../../domain/figure/figure-note.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';

interface Line {
  readonly key: string;
  /** Null: the line is of the same claim as the one above it. */
  readonly claim: LedgerClaim | null;
  readonly day: string | null;
  readonly what: string;
  readonly by: string;
  /** Ten-thousandths of a dollar; null: not known. */
  readonly amount: number | null;
  readonly owed: number | null;
}

/**
 * The lines of a claim: its payments, the eligible amount, and last the amount owed: the sum of the amounts above if it
 * is more than zero. Amounts that were written off above that have a separate line.
 */
function toLines(claim: LedgerClaim): Line[] {
  const { claimId, payments, eligible, owed, isMissing, isEarlier } = claim;
  const paid = payments.map((payment, index): Line => {
    const isOff = payment.payment === 'writtenOff';
    return {
      key: `${claimId} ${isEarlier} ${payment.id} ${index}`,
      claim: index === 0 ? claim : null,
      day: payment.day,
      what:
        payment.account === ''
          ? paymentLabels[payment.payment]
          : `${paymentLabels[payment.payment]}: ${payment.account}`,
      by: payment.author,
      amount: (isOff ? -1 : signOf(payment.payment)) * payment.amount,
      owed: null,
    };
  });
  if (isEarlier)
    return [
      ...paid,
      {
        key: `${claimId} ${claim.number} earlier`,
        claim: null,
        day: null,
        by: '',
        owed,
        what: 'Its ID now belongs to another claim. None of this is owed back.',
        amount: null,
      },
    ];
  const whole = eligible === null ? null : Math.max(0, eligible);
  const excess = findExcess({ ...claim, disputed: 0 }) ?? 0;
  return [
    ...paid,
    ...(excess === 0
      ? []
      : [
          {
            key: `${claimId} excess`,
            claim: null,
            day: null,
            by: '',
            owed: null,
            what: 'Of this, written off above what is owed',
            amount: excess,
          },
        ]),
    {
      key: `${claimId} eligible`,
      claim: paid.length === 0 ? claim : null,
      day: null,
      what: isMissing ? 'Eligible, no longer in the service' : 'Eligible now',
      by: '',
      amount: whole === null ? null : -whole,
      owed,
    },
  ];
}

/** Shows what a member owes back, with each payment behind it; renders nothing if nothing was ever owed. */
export function OwedLedger({ memberId }: { memberId: number }) {
  const answer = useWorkspaceQuery('worklists:ledger', { memberId }, { keepsPrevious: true });
  const { claims = [], owed = 0 } = answer.data ?? {};
  if (answer.error === null && claims.length === 0) return null;
  return (
    <Section title={figures.owedBack.name} beside={<FigureNote of={[figures.owedBack]} />}>
      <ErrorNotice error={answer.error} title="Couldn’t load what is owed back" onRetry={answer.refetch} />
      {claims.length > 0 && (
        <ScrollableTable
          label="Ledger of what is owed back"
          rows={[
            ...claims.flatMap(toLines),
            {
              key: 'balance',
              claim: null,
              day: null,
              what: 'Balance',
              by: '',
              amount: null,
              owed,
            },
          ]}
          keyOf={({ key }) => key}
          columns={[
            [
              'Claim',
              ({ claim }) =>
                claim !== null && (
                  <AnchorLink to="/claims/$claimId" params={{ claimId: claim.claimId }}>
                    {claim.number ?? claim.claimId}
                  </AnchorLink>
                ),
            ],
            ['Date', ({ day }) => day !== null && formatDay(day)],
            ['What', ({ what }) => what],
            ['Recorded by', ({ by }) => by],
            [
              'Amount',
              ({ amount, key }) =>
                key !== 'balance' && !key.endsWith(' earlier') && <Total amount={amount} />,
              'amount',
            ],
            [
              'Owed back',
              ({ owed: owedAmount, key }) =>
                (owedAmount !== null || key.endsWith(' eligible')) && <Total amount={owedAmount} />,
            ],
          ]}
        />
      )}
    </Section>
  );
}
