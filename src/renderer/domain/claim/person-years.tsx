import { Skeleton, Table, Text } from '@mantine/core';
import type { MemberRecord } from '../../../contract/records.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { FamilyMeter } from '../../../rules/plans/accumulators.ts';
import { explainDeductible, mainDeductible } from '../../../rules/plans/explain-deductible.ts';
import type { Condition } from '../../../rules/query.ts';
import { Total } from '../../components/amount.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { FigureNote } from '../figure/figure-note.tsx';
import { figures, notAnAccumulator } from '../figure/figures.ts';
import { useIncompleteNotice } from '../list/use-incomplete-notice.ts';
import { type ConditionLabels, useOpenList } from '../list/use-open-list.ts';
import { RejectedCells, RejectedHeads } from './claim-sums.tsx';
import {
  conditionsOfPerson,
  monthsOfPlanYear,
  type PersonYear,
  personYearFields,
  sumByPerson,
  sumFamily,
} from './person-year.ts';
import styles from './plan-years.module.css';
import { usePlanYearStart } from './use-plan-year-start.ts';

/** The most claims that count, more than a family has in a year; beyond it the newest count, with a note. */
const maxClaims = 1000;

/**
 * The current plan year of a member's family, one row per person, for questions on the phone. Added up from the
 * claims on this computer; each row opens its claims. `only` shows one person.
 */
export function PersonYears(props: {
  member: MemberRecord;
  labels: ConditionLabels;
  only?: { readonly kind: 'dependent'; readonly id: number };
}) {
  const { member, only } = props;
  const now = useNow();
  const open = useOpenList();
  const partial = useIncompleteNotice();
  const { start } = usePlanYearStart(member.employer?.id ?? null);
  const months = monthsOfPlanYear(localDayOf(now), start);
  const conditions: Condition[] = [
    { field: 'members.id', operator: 'is', values: [member.id] },
    { field: 'date_of_service.month', operator: 'isOneOf', values: months },
  ];
  const answer = useWorkspaceQuery('records:readFirst', {
    query: { entity: 'claims', conditions, sort: [{ field: 'date_of_service', direction: 'desc' }] },
    limit: maxClaims,
    fields: [...personYearFields],
  });
  const plan = useCurrentPlan(member.id, months);
  const why = plan === null ? null : explainDeductible(plan);
  const people = sumByPerson(answer.data?.rows ?? [], member).filter(
    ({ patient }) => only === undefined || (patient?.kind === only.kind && patient.id === only.id),
  );
  const openPerson = (person: PersonYear, isRejected: boolean) =>
    open('claims', [...conditions, ...conditionsOfPerson(person, isRejected)], props.labels);
  const hasClaims = people.some(({ count, rejected }) => count + rejected.count > 0);
  return (
    <Section title="This plan year">
      <ErrorNotice error={answer.error} title="Couldn’t load this plan year" onRetry={answer.refetch} />
      {answer.isPending && <Skeleton height={64} />}
      {answer.isSuccess && !hasClaims && <Hint>No claims in this plan year.</Hint>}
      {hasClaims && (
        <>
          {plan !== null && only !== undefined && <PlanDeductible family={plan} />}
          <PeopleTable
            people={people}
            isOne={only !== undefined}
            deductible={plan === null ? 'Deductible to date' : 'Deductible on claims'}
            onOpen={openPerson}
          />
          {why !== null && <SmallPrint>{why}</SmallPrint>}
          <FigureNote
            of={[figures.personYear, figures.personYearRejected]}
            title={notAnAccumulator}
            more={
              answer.data?.rows.length === maxClaims
                ? `Based on the newest ${formatCount(maxClaims)} claims of this plan year.`
                : partial
            }
          />
        </>
      )}
    </Section>
  );
}

/** Where the family is in the plan year of these months by its plan rules, with a deductible; null: there are none. */
function useCurrentPlan(memberId: number, months: readonly string[]): FamilyMeter | null {
  const { data } = useWorkspaceQuery('accumulators:family', { memberId });
  const currentFamily = data?.families.find(
    (family) => months.includes(family.begins.slice(0, 7)) && mainDeductible(family) !== null,
  );
  return currentFamily ?? null;
}

/** The prominent deductible: what counts by the plan rules. */
function PlanDeductible({ family }: { family: FamilyMeter }) {
  const standing = mainDeductible(family)?.family;
  if (standing === undefined) return null;
  const { used, limit, isAtLeast } = standing;
  const limitText = limit === null ? '' : ` of ${formatTenThousandths(limit)}`;
  return (
    <Text size="lg" fw={600}>
      Deductible used: {isAtLeast && 'at least '}
      {formatTenThousandths(used)}
      {limitText}
    </Text>
  );
}

/** No `DataTable`: headings span columns. */
function PeopleTable(props: {
  /** The heading of the column of deductibles. */
  deductible: string;
  people: readonly PersonYear[];
  /** Shown on the person's own page, so without a link to it. */
  isOne: boolean;
  onOpen: (person: PersonYear, isRejected: boolean) => void;
}) {
  const whole = props.people.length > 1 ? sumFamily(props.people) : null;
  const rows = whole === null ? props.people : [...props.people, whole];
  return (
    <Scrollable label="This plan year by person, scrollable">
      <Table verticalSpacing={2} aria-label="This plan year by person">
        <RejectedHeads
          first="Person"
          all={figures.personYear.name}
          columns={['Claims', 'Billed', 'Plan paid', 'Patient resp.', props.deductible]}
          rejected={figures.personYearRejected.name}
        />
        <Table.Tbody>
          {rows.map((person) => (
            <Table.Tr key={person.key} className={person === whole ? (styles.whole ?? '') : ''}>
              <Table.Td>
                <PersonName person={person} isLinked={!props.isOne} />
              </Table.Td>
              <Table.Td className="amount">
                {person.count === 0 ? (
                  '0'
                ) : (
                  <TextButton
                    aria-label={`Show ${formatCountOf(person.count, 'claim')} of ${person.name}`}
                    onClick={() => props.onOpen(person, false)}
                  >
                    {formatCount(person.count)}
                  </TextButton>
                )}
              </Table.Td>
              <Table.Td className="amount">
                <Total amount={person.billed} notCounted={person.notCounted?.billed} />
              </Table.Td>
              <Table.Td className="amount">
                <Total amount={person.paid} notCounted={person.notCounted?.paid} />
              </Table.Td>
              <Table.Td className="amount">
                <b>
                  <Total
                    amount={person.patientResponsibility}
                    notCounted={person.notCounted?.patientResponsibility}
                  />
                </b>
              </Table.Td>
              <Table.Td className="amount">
                <Total amount={person.deductible} notCounted={person.notCounted?.deductible} />
              </Table.Td>
              <RejectedCells
                of={person.name}
                rejected={{ ...person.rejected, onOpen: () => props.onOpen(person, true) }}
              />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrollable>
  );
}

function PersonName({ person, isLinked }: { person: PersonYear; isLinked: boolean }) {
  if (person.patient?.sharesName) return `${person.name}, or a dependent of the same name`;
  if (person.patient?.kind !== 'dependent' || !isLinked) return person.name;
  return (
    <AnchorLink size="sm" to="/dependents/$dependentId" params={{ dependentId: person.patient.id }}>
      {person.name}
    </AnchorLink>
  );
}
