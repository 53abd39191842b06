import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { formatCountOf } from '../../../rules/count.ts';
import { daysBetween, formatDay } from '../../../rules/days.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import type { Condition, Operator, Row } from '../../../rules/query.ts';
import { fieldsOfReason } from '../../../rules/worklists/worklist-reasons.ts';
import { type WorklistId, worklistQuery } from '../../../rules/worklists/worklist-table.ts';
import { AmountOfCell } from '../../components/amount.tsx';
import { Hint } from '../../components/text.tsx';
import { useListMemory } from '../../domain/list/list-memory.tsx';
import { worklistClaimsList } from '../../domain/list/list-ref.ts';
import type { ListSource } from '../../domain/list/list-source.ts';
import { useGoToRecord } from '../../domain/list/open-record.ts';
import { sayClaimReason } from '../../domain/worklist/say-claim-reason.ts';
import { type Ask, useAsk } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './start-page.module.css';

const shownClaims = 12;

const term = (field: string, operator: Operator, value: string | number): Condition => ({
  field,
  operator,
  values: [value],
});
const ofAnswer = term('facts.due_kind', 'is', 'Answer');

interface Source {
  readonly id: WorklistId;
  /** The field with the day on which a claim is due. */
  readonly day: string;
  readonly conditions: readonly Condition[];
}
const dueWhere = (...conditions: Condition[]): Source => ({ id: 'due', day: 'facts.due_day', conditions });

/**
 * The worklists of the next claims: due reminders; then deadlines of open claims, appeals that you have to answer, and
 * late answers of carriers, by day; then the largest open amounts.
 */
const listSources = (today: string): readonly (readonly Source[])[] => [
  [{ id: 'back', day: 'review.reminder', conditions: [] }],
  [
    dueWhere(term('facts.open', 'moreThan', 0), term('facts.due_kind', 'isNot', 'Answer')),
    dueWhere(ofAnswer, term('review.appeal', 'is', 'Received')),
    dueWhere(ofAnswer, term('review.appeal', 'is', 'Sent'), term('facts.due_day', 'lessThan', today)),
  ],
  [{ id: 'toDecide', day: 'facts.due_day', conditions: [] }],
];

/** A claim of the page, with the worklist that it is shown for and its position there, from 0. */
interface NextClaim {
  readonly claimId: number;
  readonly worklistId: WorklistId;
  readonly at: number;
  /** The day on which it is due, `YYYY-MM-DD`; null: none. */
  readonly dueDay: string | null;
  readonly row: Row;
}

/** The first claims of a worklist, in its order. @throws DeskError `store.*`, `query.*` */
async function readSource(ask: Ask, { id: worklistId, day, conditions }: Source): Promise<NextClaim[]> {
  const { rows } = await ask('records:readFirst', {
    query: worklistQuery(worklistId, conditions),
    limit: shownClaims,
    fields: [...new Set(['id', 'patient_name', 'facts.open', day, ...fieldsOfReason(worklistId)])],
    isLookup: true,
  });
  return rows.map((row, at) => {
    const dueDay = typeof row[day] === 'string' ? row[day] : null;
    return { claimId: Number(row.id), worklistId, at, dueDay, row };
  });
}

/** The first claims of these worklists, each claim once. @throws DeskError `store.*`, `query.*` */
async function readNext(ask: Ask, today: string): Promise<NextClaim[]> {
  const nextClaims = new Map<number, NextClaim>();
  for (const sources of listSources(today)) {
    if (nextClaims.size >= shownClaims) break;
    const read = await Promise.all(sources.map((source) => readSource(ask, source)));
    const claims = read.flat();
    if (sources.length > 1) claims.sort((a, b) => ((a.dueDay ?? '') < (b.dueDay ?? '') ? -1 : 1));
    for (const claim of claims) if (!nextClaims.has(claim.claimId)) nextClaims.set(claim.claimId, claim);
  }
  return [...nextClaims.values()].slice(0, shownClaims);
}

interface OfDay {
  today: string;
}

/**
 * The claims to work on first, and a function that opens one in its worklist, so that the worklist continues from
 * there.
 */
function useNextClaims({ today }: OfDay) {
  const { id: workspaceId } = useWorkspace();
  const ask = useAsk();
  const open = useOpenInWorklist();
  const { data } = useQuery({
    queryKey: ['worklists', workspaceId, 'next claims', today],
    queryFn: () => readNext(ask, today),
  });
  const openClaim = ({ claimId, worklistId, at }: NextClaim) =>
    open(worklistId, async (source) => ({ claimId, at: (await source.findNear(claimId, at)) ?? at }));
  return { data, openClaim };
}

/** Opens the first of them; off until they are read, and where there is none. */
export function StartReviewing(props: OfDay) {
  const { data: [first] = [], openClaim } = useNextClaims(props);
  return (
    <Button disabled={first === undefined} onClick={() => first !== undefined && openClaim(first)}>
      Start reviewing
    </Button>
  );
}

export function NextClaims(props: OfDay) {
  const { data, openClaim } = useNextClaims(props);
  if (data?.length === 0) return <Hint>Nothing is due, and nothing is waiting for a decision.</Hint>;
  return (
    <ul className={styles.next}>
      {data?.map((next) => {
        const { claimId, worklistId, at, dueDay, row } = next;
        return (
          <li key={claimId}>
            <Link
              to="/claims/$claimId"
              params={{ claimId }}
              search={{ list: worklistClaimsList(worklistId), at }}
              className={styles.claim}
              onClick={(event) => {
                event.preventDefault();
                openClaim(next);
              }}
            >
              <b>
                {typeof row.patient_name === 'string' ? formatPersonName(row.patient_name) : 'No patient'}
              </b>
              <span className={styles.number}>Claim {claimId}</span>
              <span className={styles.why}>{sayWhy(worklistId, row, props.today)}</span>
              <DaysLeft days={dueDay === null ? null : daysBetween(props.today, dueDay)} />
              <span className={styles.amount}>
                <AmountOfCell cell={row['facts.open']} />
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The reason by its worklist; for a deadline only the date, because the remaining days have a column. */
function sayWhy(worklistId: WorklistId, row: Row, today: string): string {
  const { 'facts.due_kind': kind, 'facts.due_day': day } = row;
  return worklistId === 'due' && typeof kind === 'string' && typeof day === 'string'
    ? `${kind} by ${formatDay(day)}`
    : sayClaimReason(worklistId, row, today);
}

/** How long a claim has, or is late. */
const DaysLeft = ({ days }: { days: number | null }) => (
  <span className={styles.days} data-late={(days !== null && days < 0) || undefined}>
    {days === null ? '' : `${formatCountOf(Math.abs(days), 'day')} ${days < 0 ? 'late' : 'left'}`}
  </span>
);

/**
 * Opens a claim with its worklist behind it, so that the next claim of the worklist follows. `choose` returns the claim and
 * its position in the worklist, from 0; null: only the worklist opens, which also shows why it could not be read.
 */
function useOpenInWorklist() {
  const { id: workspaceId } = useWorkspace();
  const memory = useListMemory();
  const navigate = useNavigate();
  const goToClaim = useGoToRecord('claims');
  return (
    worklistId: WorklistId,
    choose: (source: ListSource) => Promise<{ claimId: number; at: number } | null>,
  ): void => {
    const listId = worklistClaimsList(worklistId);
    const open = async (): Promise<void> => {
      await navigate({ to: '/worklists/$worklistId', params: { worklistId } });
      const list = await memory.whenMade(workspaceId, listId);
      // Claims that were decided meanwhile are still in it.
      if (list.source.getState().isStale) await list.source.reopen();
      const chosen = await choose(list.source);
      if (chosen !== null) await goToClaim(chosen.claimId, { list: listId, at: chosen.at });
    };
    void open().catch(() => undefined);
  };
}
