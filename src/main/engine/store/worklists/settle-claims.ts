import { createHash } from 'node:crypto';
import { eligibleTable } from '../../../../contract/eligible.ts';
import { worklistTable } from '../../../../contract/worklist-table.ts';
import type { Database, Statement } from '../file/database.ts';
import { readReviewMark } from '../record/claim-reviews.ts';
import { createVersionCounter } from '../record/records-version.ts';
import { readState, writeState } from '../record/state.ts';
import { computeFacts, type FactRules, type FactSource, type FamilyFacts } from './claim-facts.ts';
import { createFactReader } from './read-facts.ts';
import { createDuplicateSettler } from './settle-duplicates.ts';
import { createFamilySettler, hasPlanRules } from './settle-families.ts';
import { membershipSql } from './worklist-sql.ts';
import { type DuplicateFindings, writeDuplicates } from './write-duplicates.ts';

/** The number of claims whose facts are computed in one transaction; other writes happen in between. */
const atOnce = 4_000;
const settledName = 'worklists.settled';
/** Incremented when facts are computed differently from the same values. */
const factsVersion = 4;

/** What facts and worklists depend on, in addition to the claims. */
export interface SettleInput extends FactRules {
  /** Today on this computer, `YYYY-MM-DD`: claims age without changing. */
  readonly today: string;
  readonly at: string;
  readonly findings: DuplicateFindings | null;
}

interface Settled {
  readonly day: string;
  /** A digest of everything but the day. */
  readonly rules: string;
}

/** A digest of the settings; those of other services are left out, because they have no effect. */
function digestRules(database: Database, { service, settings }: FactRules): string {
  const own = <T>(values: Readonly<Record<string, T>>): [string, T][] =>
    Object.entries(values)
      .filter(([name]) => name === service || name.startsWith(`${service}#`))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const { planYearStart, planYearStarts, reimbursementRules, planRules } = settings;
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
        own(planRules),
      ]),
    )
    .digest('base64url');
}

/** Whether facts and worklists are current for this day and these settings, and no claim waits. */
export function isSettled(database: Database, wanted: Pick<SettleInput, 'today' | keyof FactRules>): boolean {
  const settled = readState<Settled>(database, settledName);
  const waits = database
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM changed_claims) OR EXISTS (SELECT 1 FROM outdated_claims)
         OR EXISTS (SELECT 1 FROM outdated_families)`,
    )
    .pluck()
    .get();
  return waits === 0 && settled?.day === wanted.today && settled.rules === digestRules(database, wanted);
}

/** Marks claims that enter or leave a worklist between the days `:after` and `:until` without a change of the claim. */
const outdateByDaySql = `INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claim_facts
  WHERE (pending_since>date(:after, '-30 days') AND pending_since<=date(:until, '-30 days'))
    OR (run_out_day>=:after AND run_out_day<:until) OR (appeal_check_by>=:after AND appeal_check_by<:until)
    OR (due_day>date(:after, '+30 days') AND due_day<=date(:until, '+30 days'))`;

/** Marks the claims that are affected by a new day or another setting. */
function outdateClaims(database: Database, input: SettleInput): void {
  const settled = readState<Settled>(database, settledName);
  const rules = digestRules(database, input);
  if (settled?.rules !== rules)
    database.prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claims').run();
  else if (settled.day !== input.today) {
    const [after, until] = [settled.day, input.today].sort();
    database.prepare(outdateByDaySql).run({ after, until });
  } else return;
  writeState(database, settledName, { day: input.today, rules } satisfies Settled);
}

function writeFacts(
  database: Database,
  sources: readonly FactSource[],
  input: SettleInput,
  families: ReadonlyMap<number, FamilyFacts>,
): void {
  let put: Statement | null = null;
  // Without a scope yet, no claim is to be reviewed.
  const reviewsFrom = readReviewMark(database).from ?? '9999';
  for (const source of sources) {
    const family = families.get(source.id) ?? null;
    const facts = { id: source.id, ...computeFacts(source, { ...input, reviewsFrom }, family) };
    const names = Object.keys(facts);
    put ??= database.prepare(
      `INSERT OR REPLACE INTO claim_facts (${names.join(', ')}) VALUES (${names.map((name) => `:${name}`).join(', ')})`,
    );
    put.run(facts);
  }
}

/**
 * Adds up the plan years of these people; returns the IDs of the claims of high cost, before or now, whose sum changed.
 * Of other claims no worklist depends on the sum.
 */
function sumYears(database: Database, years: readonly string[]): number[] {
  const wanted = JSON.stringify(years);
  const wasHigh = database
    .prepare(
      `SELECT id FROM claim_facts WHERE is_high_cost=1 AND person_year IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(wanted) as number[];
  const changed = database
    .prepare(
      `WITH sums (person_year, total) AS (
         SELECT person_year, sum(allowed) FROM claim_facts WHERE person_year IN (SELECT value FROM json_each(?))
         GROUP BY person_year)
       UPDATE claim_facts SET year_allowed=sums.total,
         is_high_cost=CASE WHEN sums.total>claim_facts.high_cost_from THEN 1 END
       FROM sums WHERE claim_facts.person_year=sums.person_year
         AND (claim_facts.year_allowed IS NOT sums.total OR claim_facts.is_high_cost IS NOT CASE WHEN sums.total>claim_facts.high_cost_from THEN 1 END)
       RETURNING id, is_high_cost`,
    )
    .raw()
    .all(wanted) as [number, 1 | null][];
  const before = new Set(wasHigh);
  return changed.flatMap(([id, isHigh]) => (isHigh === 1 || before.has(id) ? [id] : []));
}

/** The plan years of the people of these claims. */
const yearsOf = (database: Database, ids: string): string[] =>
  database
    .prepare(
      `SELECT DISTINCT person_year FROM claim_facts
       WHERE id IN (SELECT value FROM json_each(?)) AND person_year IS NOT NULL`,
    )
    .pluck()
    .all(ids) as string[];

const removeFrom = (database: Database, table: string, ids: string): unknown =>
  database.prepare(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`).run(ids);

function writeWorklists(database: Database, ids: string, day: string): void {
  removeFrom(database, 'claim_worklists', ids);
  const put = database.prepare(
    'INSERT INTO claim_worklists (worklist, rank, id, amount) VALUES (?, ?, ?, ?)',
  );
  const { text, values } = membershipSql(day);
  const rows = database
    .prepare(text)
    .raw()
    .all(...values, ids) as (number | null)[][];
  for (const [id, ...cells] of rows) {
    for (const worklist of worklistTable.keys()) {
      const [rank = null, amount] = cells.slice(worklist * 2, worklist * 2 + 2);
      if (rank !== null) put.run(worklist, rank, id, amount);
    }
  }
}

/**
 * Makes the operation that updates facts and worklists, a few thousand claims in each call: claims that changed, whose
 * review or duplicates changed, whose family stands elsewhere in its plan year, or that a new day or setting affects.
 * True while there are more.
 */
export function createSettleOperation(database: Database): (input: SettleInput) => boolean {
  const countChange = createVersionCounter(database);
  let readFacts: ReturnType<typeof createFactReader> | null = null;
  let settleDuplicates: ReturnType<typeof createDuplicateSettler> | null = null;
  let settleFamilies: ReturnType<typeof createFamilySettler> | null = null;
  const noFamilies: ReadonlyMap<number, FamilyFacts> = new Map();
  const next = database.prepare('SELECT id FROM outdated_claims ORDER BY id LIMIT ?').pluck();

  const waiting = database
    .prepare('SELECT EXISTS (SELECT 1 FROM outdated_claims) OR EXISTS (SELECT 1 FROM outdated_families)')
    .pluck();
  const isEmpty = (): boolean => waiting.get() === 0;

  const settle = database.transaction((input: SettleInput): boolean => {
    if (input.findings !== null) writeDuplicates(database, input.findings, input.at);
    outdateClaims(database, input);
    const outdated = next.all(atOnce) as number[];
    const hasRules = hasPlanRules(input);
    if (!hasRules) database.exec('DELETE FROM outdated_families');
    else settleFamilies ??= createFamilySettler(database);
    const { ids, facts: families } =
      hasRules && settleFamilies !== null
        ? settleFamilies(input, outdated, atOnce)
        : { ids: outdated, facts: noFamilies };
    if (ids.length === 0) return hasRules && !isEmpty();
    const wanted = JSON.stringify(ids);
    readFacts ??= createFactReader(database);
    const sources = readFacts(ids);
    const yearsBefore = yearsOf(database, wanted);
    removeFrom(database, 'claim_facts', wanted);
    writeFacts(database, sources, input, families);
    const years = new Set([...yearsBefore, ...yearsOf(database, wanted)]);
    const ofYears = years.size === 0 ? [] : sumYears(database, [...years]);
    settleDuplicates ??= createDuplicateSettler(database);
    const ofDuplicates = settleDuplicates(ids);
    const concerned = new Set([...ids, ...ofYears, ...ofDuplicates]);
    writeWorklists(database, JSON.stringify([...concerned]), input.today);
    removeFrom(database, 'outdated_claims', wanted);
    countChange('reviews');
    return hasRules ? !isEmpty() : outdated.length === atOnce;
  });
  return (input) => settle.immediate(input);
}
