import {
  type DecidedCounts,
  noneDecided,
  openClaims,
  type Period,
  type PersonReport,
} from '../../../../contract/people-report.ts';
import { ageRanges } from '../../../../rules/age-ranges.ts';
import { addDays, startOfLocalDay } from '../../../../rules/days.ts';
import type { ReviewOutcome } from '../../../../rules/review/decision.ts';
import type { Database } from '../file/database.ts';
import { buildFrom } from '../query/build-query.ts';
import { predicateToSql, readCondition } from '../query/conditions.ts';
import { duringDays } from '../query/decided-by-conditions.ts';
import { columnOf } from '../query/list-tables.ts';
import { lastDayPath } from '../query/range-conditions.ts';

/** The counts of a colleague; `person` null: those of claims without an owner. */
export type PersonCounts = Omit<PersonReport, 'kind' | 'person' | 'isYou'> & {
  readonly person: string | null;
};

function count(counts: DecidedCounts, outcome: ReviewOutcome, isReopened: boolean): void {
  counts.byOutcome[outcome] += 1;
  counts.claims += 1;
  if (isReopened) counts.reopened += 1;
}

/** Counts open claims by owner and age: the claims of a list with these conditions. */
function readOpen(database: Database, today: string): [owner: string | null, ...ages: number[]][] {
  const { text, values } = buildFrom({ entity: 'claims', conditions: openClaims });
  const ages = ageRanges(today).map(({ conditions: [condition] }) =>
    predicateToSql('day', readCondition('date', condition)),
  );
  return database
    .prepare(
      `WITH open AS MATERIALIZED (SELECT nullif(${columnOf('claims', 'review.owner')}, '') AS owner,
         ${columnOf('claims', lastDayPath)} AS day ${text})
       SELECT owner, ${ages.map((age) => `count(*) FILTER (WHERE ${age.text})`).join(', ')} FROM open GROUP BY owner`,
    )
    .raw()
    .all([...values, ...ages.flatMap((age) => age.values)]) as [string | null, ...number[]][];
}

/**
 * SQL: whether a row's claim is here, even if the service no longer returns it. `+` makes SQLite read all rows in the
 * order of their table, instead of looking up each claim and sorting the results.
 */
const isHere = '+claim_id IN (SELECT +id FROM claims)';

/** A decision of one author on a claim; rows are in order. */
type MadeRow = readonly [
  author: string,
  isVerified: number,
  claimId: number,
  at: string,
  outcome: ReviewOutcome | null,
  isReopened: number,
];

/** Returns the local day of a time in a period, as bounded by `duringDays`; a date for each time takes too long. */
function createDayReader({ first, last }: Period): (at: string) => string {
  const days: string[] = [];
  for (let day: string | null = first; day !== null && day <= last; day = addDays(day, 1)) days.push(day);
  const starts = days.map(startOfLocalDay);
  return (at) => {
    let [index, after] = [0, days.length];
    while (after - index > 1) {
      const middle = (index + after) >> 1;
      if ((starts[middle] as string) <= at) index = middle;
      else after = middle;
    }
    return days[index] as string;
  };
}

/** The last of an author's decisions on a claim, and whether any was reopened. */
interface Last {
  outcome: ReviewOutcome | null;
  isReopened: boolean;
}
const add = (before: Last | undefined, [, , , , outcome, isReopened]: MadeRow): Last => ({
  outcome,
  isReopened: isReopened === 1 || before?.isReopened === true,
});

/** Finds or makes the counts of a colleague. */
type Of = (person: string | null, isVerified: boolean) => PersonCounts;

function countDecided(database: Database, period: Period, countsOf: Of): void {
  const during = duringDays('at', period);
  const rows = database
    .prepare(
      `SELECT author, is_verified, claim_id, at, outcome, is_reopened FROM claim_decisions
       WHERE ${during.text} AND ${isHere} ORDER BY author, is_verified, claim_id, position`,
    )
    .raw()
    .iterate(during.values) as Iterable<MadeRow>;
  const dayOf = createDayReader(period);
  const byDay = new Map<PersonCounts, Map<string, DecidedCounts>>();
  let [person, days] = [undefined as PersonCounts | undefined, new Map<string, DecidedCounts>()];
  // The first row of the person and claim being read, and the result of their rows so far.
  let [group, last] = [undefined as MadeRow | undefined, undefined as Last | undefined];
  const ofDays = new Map<string, Last>();
  const end = (): void => {
    if (person !== undefined && last?.outcome != null) count(person.decided, last.outcome, last.isReopened);
    for (const [day, { outcome, isReopened }] of ofDays) {
      if (outcome === null) continue;
      const counts = days.get(day) ?? noneDecided();
      days.set(day, counts);
      count(counts, outcome, isReopened);
    }
    last = undefined;
    ofDays.clear();
  };
  for (const row of rows) {
    const [author, isVerified, claimId, at] = row;
    const isSamePerson = group?.[0] === author && group[1] === isVerified;
    if (!isSamePerson || group?.[2] !== claimId) {
      end();
      group = row;
    }
    if (!isSamePerson) {
      person = countsOf(author, isVerified === 1);
      days = new Map();
      byDay.set(person, days);
    }
    last = add(last, row);
    const day = dayOf(at);
    ofDays.set(day, add(ofDays.get(day), row));
  }
  end();
  for (const [person, days] of byDay)
    person.days = [...days]
      .map(([day, counts]) => ({ day, ...counts }))
      .sort((entry, other) => (entry.day < other.day ? 1 : -1));
}

function countChecked(database: Database, period: Period, countsOf: Of): void {
  const during = duringDays('at', period);
  const rows = database
    .prepare(
      `SELECT author, is_verified, count(DISTINCT claim_id), count(DISTINCT claim_id) FILTER (WHERE agrees=0)
       FROM claim_checks WHERE ${during.text} AND ${isHere} GROUP BY author, is_verified`,
    )
    .raw()
    .all(during.values) as [string, number, number, number][];
  for (const [author, isVerified, checked, disagreed] of rows)
    Object.assign(countsOf(author, isVerified === 1), { checked, disagreed });
}

/**
 * Counts each colleague's open claims today, and decisions in a period. Each number is the number of rows in a list:
 * `openClaims` with an owner and an age, or `decidedByCondition` including claims no longer in the service.
 */
export function readPeople(database: Database, request: Period & { readonly today: string }): PersonCounts[] {
  const { today, ...period } = request;
  const people = new Map<string, PersonCounts>();
  const noneOpen = ageRanges(today).map(() => 0);
  const countsOf: Of = (person, isVerified) => {
    const key = JSON.stringify([person, isVerified]);
    const counts = people.get(key) ?? {
      person,
      isVerified,
      open: noneOpen,
      decided: noneDecided(),
      days: [],
      checked: 0,
      disagreed: 0,
    };
    people.set(key, counts);
    return counts;
  };
  for (const [owner, ...ages] of readOpen(database, today)) countsOf(owner, true).open = ages;
  countDecided(database, period, countsOf);
  countChecked(database, period, countsOf);
  return [...people.values()];
}
