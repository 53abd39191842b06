import { NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { formatDay } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { sayAccountStep } from '../../../rules/plans/account-layers.ts';
import {
  type ClaimState,
  disagreementLabels,
  type FamilyMeter,
  mayRemainLess,
  type NextPayer,
  type Standing,
} from '../../../rules/plans/accumulators.ts';
import { Total } from '../../components/amount.tsx';
import { ScrollableTable } from '../../components/data-table.tsx';
import { Details } from '../../components/details.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { linkClaim } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { useIncompleteNotice } from '../../domain/list/use-incomplete-notice.ts';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { FamilyCard } from './family-card.tsx';
import { meterLabels, networkLabels, sayPayer } from './meter-labels.ts';

const stateLabels: Readonly<Record<Exclude<ClaimState, 'counts'>, string>> = {
  notProcessed: 'Not processed yet, does not count',
  statusUnknown: 'Status not known, may count',
  rejected: 'Denied, does not count',
  missing: 'No longer in the service, may count',
  owedBack: 'No longer in the service and owed back, does not count',
  duplicate: 'Marked as a duplicate, does not count',
  replaced: 'Replaced or reversed, does not count',
  unclear: 'Shares its number with another claim, counts at least this',
};

const orNone = (amount: number | null): string => (amount === null ? 'None' : formatTenThousandths(amount));
const used = ({ used: amount, isAtLeast }: Standing): string =>
  `${isAtLeast ? 'at least ' : ''}${formatTenThousandths(amount)}`;
function remaining({ standing: { remaining: amount }, isAtMost, isLimitAtLeast }: Row): string {
  if (amount === null) return orNone(amount);
  if (isLimitAtLeast) return isAtMost ? 'Not known' : `at least ${orNone(amount)}`;
  return `${isAtMost && amount > 0 ? 'at most ' : ''}${orNone(amount)}`;
}

interface Row {
  readonly what: string;
  /** It is the first row of this limit. */
  readonly isFirst: boolean;
  readonly who: string;
  readonly standing: Standing;
  /** Less may remain. */
  readonly isAtMost: boolean;
  /** The limit may be higher, because the carry-over from the previous plan year is unknown. */
  readonly isLimitAtLeast: boolean;
  readonly next: NextPayer | null;
}

/** A row for the family and for each person of every meter, and of the account. */
function toRows({ persons, meters, account }: FamilyMeter): Row[] {
  const nameOf = (at: number): string => persons[at]?.name ?? 'Patient not known';
  const rowsOf = (
    what: string,
    standings: { family: Standing; persons: readonly Standing[] },
    nextOf: (at: number) => NextPayer | null,
    isLimitAtLeast = false,
  ): Row[] => [
    {
      what,
      isFirst: true,
      who: 'Whole family',
      standing: standings.family,
      isAtMost: standings.family.isAtLeast,
      isLimitAtLeast,
      next: null,
    },
    ...standings.persons.map((standing, at) => ({
      what,
      isFirst: false,
      who: nameOf(at),
      isLimitAtLeast,
      standing,
      isAtMost: mayRemainLess(standing, standings.family),
      next: nextOf(at),
    })),
  ];
  return [
    ...meters.flatMap((meter) =>
      rowsOf(`${meterLabels[meter.meter]}${networkLabels[meter.network]}`, meter, (at) => {
        const pays = meter.meter === 'drugDeductible' ? persons[at]?.drugsPaid : persons[at]?.planPays;
        return meter.network === 'out' ? null : (pays ?? null);
      }),
    ),
    ...(account === null
      ? []
      : rowsOf(
          'Paid by the account',
          account,
          (at) => persons[at]?.accountPays ?? null,
          account.carriedOver === null,
        )),
  ];
}

/** Describes what a claim changed, or why it does not count. */
function sayClaim(claim: FamilyMeter['claims'][number], { meters }: FamilyMeter): string {
  if (claim.state !== 'counts') return stateLabels[claim.state];
  const parts = meters.flatMap(({ meter, network }, at) => {
    const share = claim.shares[at];
    if (share === undefined || share.family === 0) return [];
    const label = `${meterLabels[meter].toLowerCase()}${networkLabels[network]}`;
    const [counts, total] = [share.family, share.after].map(formatTenThousandths);
    return [`Counts ${counts} toward the ${label} (family total ${total})`];
  });
  const unknown = claim.deductible === null || claim.outOfPocket === null;
  const why =
    claim.serviceDay === null ? 'Plan year not known, without a date of service' : 'Amounts not known';
  const disagreements = claim.disagreements.map(({ kind, amount }) =>
    disagreementLabels[kind].say(formatTenThousandths(amount)),
  );
  const open = claim.isOpenDuplicate ? ['may be a duplicate, not decided yet'] : [];
  return [...parts, ...(unknown ? [why] : []), ...disagreements, ...open].join('; ') || 'Counts $0.00';
}

/**
 * The progress of the member’s family in a plan year with plan rules, with its claims. Nothing if there are no rules,
 * unless a plan year was chosen. `ofClaim`: scrolls here, and shows the plan year of this claim at first.
 */
export function FamilyPlanYear(props: { memberId: number; ofClaim: number | undefined }) {
  const { memberId, ofClaim } = props;
  const [planYear, setPlanYear] = useState<string>();
  const answer = useWorkspaceQuery(
    'accumulators:family',
    { memberId, ...(planYear === undefined ? ofClaim !== undefined && { claimId: ofClaim } : { planYear }) },
    { keepsPrevious: true },
  );
  const { families = [], planYears = [] } = answer.data ?? {};
  const section = useRef<HTMLDivElement>(null);
  const isShown = families.length > 0;
  useEffect(() => {
    if (ofClaim !== undefined && isShown) section.current?.closest('section')?.scrollIntoView();
  }, [ofClaim, isShown]);
  const asOf = useAsOf();
  if (answer.error === null && !isShown && planYear === undefined) return null;
  const choice = planYears.length > 0 && (
    <NativeSelect
      size="xs"
      aria-label="Plan year of the family"
      value={planYear ?? families[0]?.planYear ?? ''}
      data={planYears}
      onChange={(event) => setPlanYear(event.currentTarget.value)}
    />
  );
  const isOne = families.length < 2;
  return (
    <>
      {(isShown ? families : [null]).map((family, at) => (
        <Section
          key={`${family?.employerId} ${family?.begins}`}
          title={`${titleOf(family)}${family === null || isOne ? '' : `, ${namePart(family)}`}`}
          beside={at === 0 && choice}
        >
          {at === 0 && (
            <ErrorNotice
              error={answer.error}
              title="Couldn’t load the family’s plan year"
              onRetry={answer.refetch}
            />
          )}
          {family === null ? (
            answer.isSuccess && <Hint>No plan rules for this plan year.</Hint>
          ) : (
            <div ref={at === 0 ? section : undefined}>
              <Meters family={family} asOf={asOf} of={isOne ? '' : `, ${namePart(family)}`} />
            </div>
          )}
        </Section>
      ))}
    </>
  );
}

/** The meters that the rules of the plan year have; null: there are no rules. */
const titleOf = (family: FamilyMeter | null): string =>
  family?.meters.length === 0 ? 'Reimbursement account' : 'Deductible and out-of-pocket progress';

const nameEmployer = ({ employerId, employerName }: FamilyMeter): string =>
  employerName ?? (employerId === null ? 'no employer' : `employer ${employerId}`);

/** The employer and, where other rules hold from a day in mid-year, that day. */
const namePart = (family: FamilyMeter): string =>
  `${nameEmployer(family)}${family.isMidYear ? `, from ${formatDay(family.begins)}` : ''}`;

/** The time of the claims that figures are computed from, or that they are incomplete. */
function useAsOf(): string | null {
  const { data } = useWorkspaceQuery('sync:getStatus');
  const notice = useIncompleteNotice();
  const now = useNow();
  const last = data?.lastComplete;
  return last == null ? notice : `As of the last full sync, ${formatWhen(last.finishedAt, now)}.`;
}

/** `of`: what the names of its tables end with, where there are several of each. */
function Meters({ family, asOf, of }: { family: FamilyMeter; asOf: string | null; of: string }) {
  const { account, claims, persons } = family;
  return (
    <>
      <FamilyCard family={family} />
      <Details summary="All limits by person, and how they are computed">
        <SmallPrint>
          Computed from the family’s claims in the order in which the carrier processed them, by the plan
          rules of {nameEmployer(family)}
          {family.isMidYear && ` that begin on ${formatDay(family.begins)}`}. {asOf}
          {account?.carriedOver === null && ' The amount left from the plan year before is not known.'}
          {account !== null &&
            account.carriedOver !== null &&
            account.carriedOver > 0 &&
            ` The account’s limit includes ${formatTenThousandths(account.carriedOver)} from the plan year before.`}
        </SmallPrint>
        <ScrollableTable
          label={`${titleOf(family)}${of}`}
          rows={toRows(family)}
          columns={[
            ['What', ({ what, isFirst }) => isFirst && what],
            ['Person', ({ who }) => who],
            ['Used', ({ standing }) => used(standing), 'amount'],
            ['Applied by the carrier', ({ standing }) => <Total amount={standing.applied} />, 'amount'],
            [
              'Limit',
              ({ standing: { limit }, isLimitAtLeast }) =>
                `${isLimitAtLeast && limit !== null ? 'at least ' : ''}${orNone(limit)}`,
              'amount',
            ],
            ['Remaining', remaining, 'amount'],
            ['Next', ({ next }) => sayPayer(next)],
          ]}
        />
      </Details>
      <Details summary="Claims in the order of processing">
        <ScrollableTable
          label={`Claims in the order of processing${of}`}
          rows={claims}
          keyOf={({ claimId }) => claimId}
          columns={[
            ['Claim', linkClaim],
            ['Processed', ({ processed }) => processed !== null && formatDay(processed)],
            ['Patient', ({ person }) => persons[person]?.name ?? 'Not known'],
            ['Counts', (claim) => sayClaim(claim, family)],
            ...(account === null
              ? []
              : ([
                  [
                    'Account',
                    ({ account: step }: FamilyMeter['claims'][number]) =>
                      step !== null && sayAccountStep(step, formatTenThousandths),
                  ],
                ] as const)),
          ]}
        />
      </Details>
    </>
  );
}
