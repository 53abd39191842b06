import { createHash } from 'node:crypto';
import type { ChainRest } from '../../../../rules/money/chain-balance.ts';
import { eligibleTable } from '../../../../rules/money/eligible.ts';
import type { ExceptionKind } from '../../../../rules/worklists/exceptions.ts';
import {
  exclusiveIds,
  partsOf,
  placeClaim,
  worklistIds,
  worklistTable,
} from '../../../../rules/worklists/worklist-table.ts';
import type { Database, Statement } from '../file/database.ts';
import { readReviewPosition } from '../record/claim-reviews.ts';
import { createRecordReader } from '../record/record-reader.ts';
import { createVersionCounter } from '../record/records-version.ts';
import { readState, writeState } from '../record/state.ts';
import { hasCompleteSync } from '../sync/sync-state.ts';
import { createChainSharer } from './chain-sharer.ts';
import { computeFacts, type FactRules } from './claim-facts.ts';
import { blankRank, membershipSql } from './compile-worklists.ts';
import { runContained, sayFailure } from './contain-failures.ts';
import { createFactReader } from './fact-reader.ts';
import type { FactSource, FamilyFacts } from './fact-source.ts';
import { outdateProposals, proposingKeyOf, writeProposals } from './propose.ts';
import { createChainUpdater } from './update-chains.ts';
import { createDuplicateUpdater } from './update-duplicates.ts';
import { createFamilyUpdater, hasPlanRules } from './update-families.ts';
import { type DuplicateFindings, hasNoIndexes, writeDuplicates } from './write-duplicates.ts';

/** The number of claims whose facts are computed in one transaction; other writes happen in between. */
const atOnce = 4_000;
const computedForName = 'worklists.settled';
/** Incremented when facts are computed differently from the same values. */
const factsVersion = 9;

/** The values that facts and worklists depend on, in addition to the claims. */
interface UpdateInput extends FactRules {
  /** Today on this computer, `YYYY-MM-DD`: claims age without changing. */
  readonly today: string;
  readonly at: string;
  readonly findings: DuplicateFindings | null;
}

interface ComputedFor {
  readonly day: string;
  /** A digest of everything except the day and what rules propose. */
  readonly rules: string;
  /** `proposingKeyOf`; absent: no rule proposed anything. */
  readonly proposing?: string;
}

const noRules = proposingKeyOf({ proposing: [] });
const isSameProposing = (
  computedFor: ComputedFor | null | undefined,
  rules: Pick<FactRules, 'proposing'>,
): boolean => (computedFor?.proposing ?? noRules) === proposingKeyOf(rules);

/** A digest of the settings; those of other services are left out, because they have no effect. */
function digestRules(database: Database, { service, settings }: FactRules): string {
  const entriesOf = <T>(values: Readonly<Record<string, T>>): [string, T][] =>
    Object.entries(values)
      .filter(([name]) => name === service || name.startsWith(`${service}#`))
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const { planYearStart, planYearStarts, reimbursementRules, planRules } = settings;
  const { from, on } = readReviewPosition(database);
  // The carryover of an account from a year without claims is known after a complete sync.
  const ofCarryOver = entriesOf(planRules).some(([, { years }]) =>
    years.some(({ account }) => account?.carryOver != null),
  );
  return createHash('sha256')
    .update(
      JSON.stringify([
        factsVersion,
        worklistTable,
        exclusiveIds,
        eligibleTable,
        from,
        on === null,
        planYearStart,
        entriesOf(planYearStarts),
        entriesOf(reimbursementRules),
        entriesOf(planRules),
        ofCarryOver && hasCompleteSync(database),
      ]),
    )
    .digest('base64url');
}

/**
 * Whether facts and worklists are current for this day (null: the day they were computed for) and these settings, and
 * no claim waits.
 */
export function areFactsCurrent(
  database: Database,
  request: FactRules & { readonly today: string | null },
): boolean {
  const computedFor = readState<ComputedFor>(database, computedForName);
  const waits = database
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM changed_claims) OR EXISTS (SELECT 1 FROM outdated_claims)
         OR EXISTS (SELECT 1 FROM outdated_families)`,
    )
    .pluck()
    .get();
  if (waits !== 0 || hasNoIndexes(database)) return false;
  if (computedFor?.rules !== digestRules(database, request) || !isSameProposing(computedFor, request))
    return false;
  return request.today === null || computedFor.day === request.today;
}

/** Whether amounts are older than their sources. In a first read there are none yet. */
export const isBehind = (database: Database, rules: FactRules): boolean =>
  !hasNoIndexes(database) && !areFactsCurrent(database, { ...rules, today: null });

/** Marks claims that enter or leave a worklist between the days `:after` and `:until` without a change of the claim. */
const outdateByDaySql = `INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claim_facts
  WHERE (pending_since>date(:after, '-30 days') AND pending_since<=date(:until, '-30 days'))
    OR (run_out_day>=:after AND run_out_day<:until) OR (appeal_check_by>=:after AND appeal_check_by<:until)
    OR (due_day>date(:after, '+30 days') AND due_day<=date(:until, '+30 days'))`;

/** Marks the claims that are affected by a new day or another setting. */
function outdateClaims(database: Database, input: UpdateInput): void {
  const computedFor = readState<ComputedFor>(database, computedForName);
  const rules = digestRules(database, input);
  const isSame = isSameProposing(computedFor, input);
  if (computedFor?.rules !== rules)
    database.prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claims').run();
  else if (computedFor.day !== input.today) {
    const [after, until] = [computedFor.day, input.today].sort();
    database.prepare(outdateByDaySql).run({ after, until });
  } else if (isSame) return;
  if (!isSame) outdateProposals(database);
  const proposing = proposingKeyOf(input);
  writeState(database, computedForName, { day: input.today, rules, proposing } satisfies ComputedFor);
}

function writeFacts(
  database: Database,
  sources: readonly FactSource[],
  input: UpdateInput,
  families: ReadonlyMap<number, FamilyFacts>,
  chains: ReadonlyMap<number, ChainRest>,
): void {
  let put: Statement | null = null;
  const { from, on } = readReviewPosition(database);
  // Until there is a period, it contains no claims.
  const period = { from: from ?? '9999', on };
  for (const source of sources) {
    const family = families.get(source.id) ?? null;
    const chain = chains.get(source.id) ?? null;
    const facts = { id: source.id, ...computeFacts(source, { ...input, period }, family, chain) };
    const names = Object.keys(facts);
    put ??= database.prepare(
      `INSERT OR REPLACE INTO claim_facts (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    // The values are bound by position, because a named one is looked up by its name for each claim.
    put.run(Object.values(facts));
  }
}

/**
 * Adds up the plan years of these people; returns the IDs of the high-cost claims, before or now, whose sum changed. No
 * worklist depends on the sums of other claims.
 */
function sumYears(database: Database, years: readonly string[]): number[] {
  const yearsJson = JSON.stringify(years);
  const wasHigh = database
    .prepare(
      `SELECT id FROM claim_facts WHERE is_high_cost=1 AND person_year IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(yearsJson) as number[];
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
    .all(yearsJson) as [number, 1 | null][];
  const before = new Set(wasHigh);
  return changed.flatMap(([id, isHigh]) => (isHigh === 1 || before.has(id) ? [id] : []));
}

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

const putWorklistSql = 'INSERT INTO claim_worklists (worklist, rank, id, amount) VALUES (?, ?, ?, ?)';

/** The names of the parts of Exceptions; they say what is odd about a claim. */
const exceptionParts = new Map(partsOf('exceptions').map(({ id, name }) => [id, name]));

function writeWorklists(database: Database, ids: string, day: string): void {
  removeFrom(database, 'claim_worklists', ids);
  database
    .prepare(
      `UPDATE claim_facts SET exception_parts=NULL
       WHERE id IN (SELECT value FROM json_each(?)) AND exception_parts IS NOT NULL`,
    )
    .run(ids);
  const put = database.prepare(putWorklistSql);
  const putParts = database.prepare('UPDATE claim_facts SET exception_parts=? WHERE id=?');
  const { text, values, amountAt } = membershipSql(day);
  const rows = database
    .prepare(text)
    .raw()
    .all(ids, ...values) as (number | null)[][];
  for (const row of rows) {
    const [id] = row;
    const met = new Set(worklistIds.filter((_worklist, index) => row[1 + index] !== null));
    const parts: string[] = [];
    for (const worklist of placeClaim(met)) {
      const index = worklistIds.indexOf(worklist);
      put.run(index, row[1 + index], id, row[amountAt[index] as number]);
      const part = exceptionParts.get(worklist);
      if (part !== undefined) parts.push(part);
    }
    if (parts.length > 0) putParts.run(parts.join(', '), id);
  }
}

/** A claim whose facts could not be computed has only the reason, and is only in *Exceptions*. */
function writeFailure(database: Database, id: number, thrown: unknown): void {
  const kind: ExceptionKind = 'Could not be computed';
  const why = sayFailure('Amounts, deadlines, and worklists', thrown);
  database
    .prepare(
      'INSERT OR REPLACE INTO claim_facts (id, exceptions, exception_parts, exceptions_why) VALUES (?, ?, ?, ?)',
    )
    .run(id, kind, kind, why);
  database.prepare('DELETE FROM claim_worklists WHERE id=?').run(id);
  const put = database.prepare(putWorklistSql);
  for (const worklist of ['exceptions', 'notComputed'] as const)
    put.run(worklistIds.indexOf(worklist), blankRank, id, 0);
}

/**
 * Makes the operation that updates facts and worklists, a few thousand claims in each call: claims that changed, whose
 * review or duplicates changed, whose family's progress in the plan year changed, or that a new day or setting affects.
 * True while there are more.
 */
export function createFactsUpdater(database: Database): (input: UpdateInput) => boolean {
  const countChange = createVersionCounter(database);
  let readFacts: ReturnType<typeof createFactReader> | null = null;
  let records: ReturnType<typeof createRecordReader> | null = null;
  let updateDuplicates: ReturnType<typeof createDuplicateUpdater> | null = null;
  let updateChains: ReturnType<typeof createChainUpdater> | null = null;
  let shareChains: ReturnType<typeof createChainSharer> | null = null;
  let updateFamilies: ReturnType<typeof createFamilyUpdater> | null = null;
  const noFamilies: ReadonlyMap<number, FamilyFacts> = new Map();
  const next = database.prepare('SELECT id FROM outdated_claims ORDER BY id LIMIT ?').pluck();

  const outdate = database.prepare(
    'INSERT OR IGNORE INTO outdated_claims (id) SELECT value FROM json_each(?)',
  );

  const waiting = database
    .prepare('SELECT EXISTS (SELECT 1 FROM outdated_claims) OR EXISTS (SELECT 1 FROM outdated_families)')
    .pluck();
  const isEmpty = (): boolean => waiting.get() === 0;

  /** Writes the facts of these claims; returns them and all others whose worklists depend on these. */
  const writeFactsOf = (
    ids: readonly number[],
    input: UpdateInput,
    families: ReadonlyMap<number, FamilyFacts>,
  ): readonly number[] => {
    const idsJson = JSON.stringify(ids);
    readFacts ??= createFactReader(database);
    const sources = readFacts(ids);
    const yearsBefore = yearsOf(database, idsJson);
    removeFrom(database, 'claim_facts', idsJson);
    shareChains ??= createChainSharer(database);
    writeFacts(database, sources, input, families, shareChains(sources, input, families));
    const years = new Set([...yearsBefore, ...yearsOf(database, idsJson)]);
    const ofYears = years.size === 0 ? [] : sumYears(database, [...years]);
    updateDuplicates ??= createDuplicateUpdater(database);
    return [...ids, ...ofYears, ...updateDuplicates(ids)];
  };

  const update = database.transaction((input: UpdateInput): boolean => {
    if (input.findings !== null) writeDuplicates(database, input.findings, input.at);
    outdateClaims(database, input);
    const taken = next.all(atOnce) as number[];
    updateChains ??= createChainUpdater(database);
    const outdated = updateChains(taken);
    // If not all of them are updated at once, the others wait.
    if (outdated.length > taken.length) outdate.run(JSON.stringify(outdated));
    const hasRules = hasPlanRules(input);
    if (!hasRules) database.exec('DELETE FROM outdated_families');
    else updateFamilies ??= createFamilyUpdater(database);
    const { ids, facts: families } =
      hasRules && updateFamilies !== null
        ? updateFamilies(input, outdated, atOnce)
        : { ids: outdated, facts: noFamilies };
    if (ids.length === 0) return hasRules && !isEmpty();
    const concerned = new Set<number>();
    const failed = new Map<number, unknown>();
    const note = (id: number, thrown: unknown): void => void failed.set(id, thrown);
    runContained(
      database,
      ids,
      (some) => {
        for (const id of writeFactsOf(some, input, families)) concerned.add(id);
      },
      note,
    );
    runContained(
      database,
      [...concerned].filter((id) => !failed.has(id)),
      (some) => {
        writeWorklists(database, JSON.stringify(some), input.today);
        if (input.proposing === undefined || input.proposing.length === 0) return;
        records ??= createRecordReader(database);
        writeProposals(database, records, { claimIds: some, rules: input });
      },
      note,
    );
    for (const [id, thrown] of failed) writeFailure(database, id, thrown);
    removeFrom(database, 'outdated_claims', JSON.stringify(ids));
    countChange('reviews');
    return hasRules ? !isEmpty() : taken.length === atOnce;
  });
  return (input) => update.immediate(input);
}
