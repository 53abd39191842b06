import { daysOf } from '../../../../contract/date-range.ts';
import type { Removal, RemovalCounts, RetentionRules } from '../../../../contract/store.ts';
import type { Database } from '../file/database.ts';
import { isJsonObject, type JsonValue } from '../record/json.ts';
import { readState, removeState, writeState } from '../record/state.ts';

const ruleName = 'retention';
const noRules: RetentionRules = { claimsBefore: null, memberIds: [] };

/** The rules of removals: the records that every sync leaves out until the rule is lifted. */
export const readRetentionRules = (database: Database): RetentionRules =>
  readState<RetentionRules>(database, ruleName) ?? noRules;

export function writeRetentionRules(database: Database, rules: RetentionRules): void {
  if (hasRules(rules)) writeState(database, ruleName, rules);
  else removeState(database, ruleName);
}

const unfinishedName = 'unfinishedRemoval';

/** A removal whose records are deleted but whose other steps remain: reviews, Connect's data, the audit entry. */
export interface UnfinishedRemoval {
  readonly removal: Removal;
  readonly counts: RemovalCounts;
  /** Removed claims that have reviews. */
  readonly written: readonly number[];
  /** The email of the removed member; null: there was none, or claims were removed. */
  readonly email: string | null;
}

/** The removal that was not finished; null: there is none. */
export const readUnfinishedRemoval = (database: Database): UnfinishedRemoval | null =>
  readState<UnfinishedRemoval>(database, unfinishedName);

/** Stores an unfinished removal; `null`: it is finished, and nothing about it remains in the file. */
export function writeUnfinishedRemoval(database: Database, unfinished: UnfinishedRemoval | null): void {
  database.pragma('secure_delete=ON');
  if (unfinished === null) removeState(database, unfinishedName);
  else writeState(database, unfinishedName, unfinished);
  database.pragma('secure_delete=OFF');
}

/** The rules after a removal: the later of the dates, and the member added. */
export function addRemoval(rules: RetentionRules, removal: Removal): RetentionRules {
  if (removal.kind === 'member') {
    return {
      ...rules,
      memberIds: [...new Set([...rules.memberIds, removal.memberId])].sort((a, b) => a - b),
    };
  }
  const { claimsBefore } = rules;
  return {
    ...rules,
    claimsBefore: claimsBefore !== null && claimsBefore > removal.date ? claimsBefore : removal.date,
  };
}

export function hasRules(rules: RetentionRules): boolean {
  return rules.claimsBefore !== null || rules.memberIds.length > 0;
}

/**
 * Whether a rule of removal matches a record. A claim is older than a date if its last day of service is. Where its
 * service has an open end, the first day counts; without a day of service, the date it was processed, of its EOB or of
 * its check; one without any date is kept. A claim is removed with a member if it has no other member.
 */
export function isLeftOut(rules: RetentionRules, kind: 'members' | 'claims', record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const ids = new Set(rules.memberIds);
  if (kind === 'members') return typeof record.id === 'number' && ids.has(record.id);
  if (rules.claimsBefore !== null && isOlder(record, rules.claimsBefore)) return true;
  const members = memberIdsOf(record);
  return members.length > 0 && members.every((id) => ids.has(id));
}

/** Ids of the members of a claim. */
export function memberIdsOf(claim: JsonValue): number[] {
  if (!isJsonObject(claim) || !Array.isArray(claim.members)) return [];
  return claim.members.flatMap((member) =>
    isJsonObject(member) && typeof member.id === 'number' ? [member.id] : [],
  );
}

function isOlder(claim: { readonly [key: string]: JsonValue }, date: string): boolean {
  const service = claim.date_of_service ?? null;
  const days = isJsonObject(service) ? daysOf(service) : null;
  const day = days?.last ?? days?.first ?? null;
  if (day !== null) return day < date;
  for (const other of [claim.processed_on, claim.eob_date, claim.check_date]) {
    if (isDate(other)) return other.slice(0, 10) < date;
  }
  return false;
}

const isDate = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
