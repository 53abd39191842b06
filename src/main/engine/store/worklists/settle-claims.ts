import { createHash } from 'node:crypto';
import { eligibleTable } from '../../../../contract/eligible.ts';
import { worklistTable } from '../../../../contract/worklist-table.ts';
import type { Database } from '../file/database.ts';
import { readReviewMark } from '../record/claim-reviews.ts';
import { createVersionCounter } from '../record/records-version.ts';
import { type ClaimFacts, computeFacts, type FactRules } from './claim-facts.ts';
import { createFactReader } from './read-facts.ts';
import { createDuplicateSettler } from './settle-duplicates.ts';
import { membershipSql } from './worklist-sql.ts';
import { type DuplicateFindings, writeDuplicates } from './write-duplicates.ts';

/** Claims that are worked out in one transaction: other writes come between two of these. */
const atOnce = 4_000;
const settledName = 'worklists.settled';
/** Counted up where facts are worked out in another way from the same values. */
const factsVersion = 1;

/** What facts and worklists are of, beside the claims. */
export interface SettleInput extends FactRules {
  /** `YYYY-MM-DD` on this computer: claims grow old without changing. */
  readonly today: string;
  readonly at: string;
  readonly findings: DuplicateFindings | null;
}

interface Settled {
  readonly day: string;
  /** Of everything but the day that decides. */
  readonly rules: string;
}

/** Settings of other services decide nothing here. */
function digestRules(database: Database, { service, settings }: FactRules): string {
  const own = <T>(values: Readonly<Record<string, T>>): [string, T][] =>
    Object.entries(values)
      .filter(([name]) => name === service || name.startsWith(`${service}#`))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const { planYearStart, planYearStarts, reimbursementRules } = settings;
  const { from } = readReviewMark(database);
  return createHash('sha256')
    .update(
      JSON.stringify([
        factsVersion,
        worklistTable,
        eligibleTable,
        from,
        planYearStart,
        own(planYearStarts),
        own(reimbursementRules),
      ]),
    )
    .digest('base64url');
}

function readSettled(database: Database): Settled | null {
  const value = database.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(settledName);
  return typeof value === 'string' ? (JSON.parse(value) as Settled) : null;
}

/** Whether facts and worklists are those of this day and these settings, and nothing waits. */
export function isSettled(database: Database, wanted: Pick<SettleInput, 'today' | keyof FactRules>): boolean {
  const settled = readSettled(database);
  const waits = database
    .prepare('SELECT EXISTS (SELECT 1 FROM changed_claims) OR EXISTS (SELECT 1 FROM outdated_claims)')
    .pluck()
    .get();
  return waits === 0 && settled?.day === wanted.today && settled.rules === digestRules(database, wanted);
}

/**
 * Makes the operation that brings facts and worklists up to date, a few thousand claims in each call: those that
 * changed, whose review or duplicates changed, or that a new day or setting concerns. True while there are more.
 */
export function createSettleOperation(database: Database): (input: SettleInput) => boolean {
  const countChange = createVersionCounter(database);
  let readFacts: ReturnType<typeof createFactReader> | null = null;
  let settleDuplicates: ReturnType<typeof createDuplicateSettler> | null = null;

  const outdateAll = database.prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claims');
  /** What the days from `:after` to `:until` bring into a worklist, or out of one, without a change of the claim. */
  const outdateByDay = database.prepare(
    `INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claim_facts
     WHERE (pending_since>date(:after, '-30 days') AND pending_since<=date(:until, '-30 days'))
       OR (open>0 AND (
         (plan_year_end>:after AND plan_year_end<=:until)
         OR (run_out_day>=:after AND run_out_day<:until)
         OR (run_out_day>date(:after, '+30 days') AND run_out_day<=date(:until, '+30 days'))))`,
  );

  /** Claims that the passing of days or another setting concerns. */
  const begin = (input: SettleInput): void => {
    const settled = readSettled(database);
    const rules = digestRules(database, input);
    if (settled?.rules !== rules) outdateAll.run();
    else if (settled.day !== input.today) {
      const [after, until] = [settled.day, input.today].sort();
      outdateByDay.run({ after, until });
    } else return;
    database
      .prepare('INSERT OR REPLACE INTO sync_state (name, value) VALUES (?, ?)')
      .run(settledName, JSON.stringify({ day: input.today, rules } satisfies Settled));
  };

  const writeFacts = (ids: readonly number[], input: SettleInput): void => {
    readFacts ??= createFactReader(database);
    const sources = readFacts(ids);
    const columns: (keyof ClaimFacts)[] = [
      'plan_year',
      'plan_year_end',
      'run_out_day',
      'eligible_by_rules',
      'eligible',
      'declined',
      'disputed',
      'open',
      'to_pay',
      'changed_since_paid',
      'line_difference',
      'parts_sum',
      'amounts_disagree',
      'missing_items',
      'denial',
      'appeal_check_by',
      'pending_since',
      'is_not_split',
      'has_other_insurance',
      'is_quality_sample',
      'person_year',
      'allowed',
      'high_cost_from',
    ];
    const put = database.prepare(
      `INSERT OR REPLACE INTO claim_facts (id, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
    );
    database
      .prepare('DELETE FROM claim_facts WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids));
    for (const source of sources) {
      const facts = computeFacts(source, input);
      put.run(source.id, ...columns.map((column) => facts[column]));
    }
  };

  /** Adds up the plan years of these people; the ids of their other claims whose sum is another one now. */
  const sumYears = (years: readonly string[]): number[] =>
    database
      .prepare(
        `WITH sums (person_year, total) AS (
           SELECT person_year, sum(allowed) FROM claim_facts WHERE person_year IN (SELECT value FROM json_each(?))
           GROUP BY person_year)
         UPDATE claim_facts SET year_allowed=sums.total,
           is_high_cost=CASE WHEN sums.total>claim_facts.high_cost_from THEN 1 END
         FROM sums WHERE claim_facts.person_year=sums.person_year
           AND (claim_facts.year_allowed IS NOT sums.total OR claim_facts.is_high_cost IS NOT CASE WHEN sums.total>claim_facts.high_cost_from THEN 1 END)
         RETURNING id`,
      )
      .pluck()
      .all(JSON.stringify(years)) as number[];

  const yearsOf = (ids: readonly number[]): string[] =>
    database
      .prepare(
        `SELECT DISTINCT person_year FROM claim_facts
         WHERE id IN (SELECT value FROM json_each(?)) AND person_year IS NOT NULL`,
      )
      .pluck()
      .all(JSON.stringify(ids)) as string[];

  const writeWorklists = (ids: readonly number[], day: string): void => {
    const wanted = JSON.stringify(ids);
    database.prepare('DELETE FROM claim_worklists WHERE id IN (SELECT value FROM json_each(?))').run(wanted);
    const put = database.prepare(
      'INSERT INTO claim_worklists (worklist, rank, id, amount) VALUES (?, ?, ?, ?)',
    );
    const { text, values } = membershipSql(day);
    const rows = database
      .prepare(text)
      .raw()
      .all(...values, wanted) as (number | null)[][];
    for (const [id, ...cells] of rows) {
      for (const worklist of worklistTable.keys()) {
        const [rank = null, amount] = cells.slice(worklist * 2, worklist * 2 + 2);
        if (rank !== null) put.run(worklist, rank, id, amount);
      }
    }
  };

  const settle = database.transaction((input: SettleInput): boolean => {
    if (input.findings !== null) writeDuplicates(database, input.findings, input.at);
    begin(input);
    const ids = database
      .prepare('SELECT id FROM outdated_claims ORDER BY id LIMIT ?')
      .pluck()
      .all(atOnce) as number[];
    if (ids.length === 0) return false;
    const years = new Set(yearsOf(ids));
    writeFacts(ids, input);
    for (const year of yearsOf(ids)) years.add(year);
    const ofYears = years.size === 0 ? [] : sumYears([...years]);
    settleDuplicates ??= createDuplicateSettler(database);
    const ofDuplicates = settleDuplicates(ids);
    writeWorklists([...new Set([...ids, ...ofYears, ...ofDuplicates])], input.today);
    database
      .prepare('DELETE FROM outdated_claims WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids));
    countChange('reviews');
    return ids.length === atOnce;
  });
  return (input) => settle.immediate(input);
}
