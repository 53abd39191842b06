import type { Removal, RemovalCounts, RetentionRules, TeamRemoval } from '../../../../contract/store.ts';
import { daysOf } from '../../../../rules/date-range.ts';
import type { Database } from '../file/database.ts';
import { isJsonObject, type JsonValue, readWhole } from '../record/json.ts';
import { readState, removeState, writeState } from '../record/state.ts';

/** The rules that leave records out: the profile's own, and those of removals for the team. */
export interface LeavingRules extends RetentionRules {
  readonly employerIds: readonly number[];
  readonly isEverything: boolean;
}

const ruleName = 'retention';
export const noRules: LeavingRules = {
  claimsBefore: null,
  memberIds: [],
  employerIds: [],
  isEverything: false,
};

/** The rules of removals from this computer: until they are lifted, syncs leave out the records that they match. */
export const readRetentionRules = (database: Database): RetentionRules =>
  readState<RetentionRules>(database, ruleName) ?? { claimsBefore: null, memberIds: [] };

const teamRulesName = 'teamRetention';

/** The rules of removals for the team. They are not lifted while the workspace is in the team. */
export const readTeamRules = (database: Database): LeavingRules =>
  readState<LeavingRules>(database, teamRulesName) ?? noRules;

/** Stores the rule of a removal for the team; null: the workspace has left its team. */
export function addTeamRule(database: Database, removal: TeamRemoval | null): void {
  if (removal === null) removeState(database, teamRulesName);
  else writeState(database, teamRulesName, addRemoval(readTeamRules(database), removal));
}

/** The stored rules of both kinds; null: none of that kind. */
export interface StoredRules {
  readonly own: RetentionRules | null;
  readonly team: LeavingRules | null;
}

/** Null: there is no rule. */
export function readStoredRules(database: Database): StoredRules | null {
  const storedRules = readState<RetentionRules>(database, ruleName);
  const team = readState<LeavingRules>(database, teamRulesName);
  return storedRules === null && team === null ? null : { own: storedRules, team };
}

/** Stores the rules from an earlier records file of the workspace in a new one. */
export function adoptRules(database: Database, { own, team }: StoredRules): void {
  if (own !== null) writeState(database, ruleName, own);
  if (team !== null) writeState(database, teamRulesName, team);
}

/** All rules that leave out records. */
export function readLeavingRules(database: Database): LeavingRules {
  const ownRules = readRetentionRules(database);
  const team = readTeamRules(database);
  const dates = [ownRules.claimsBefore, team.claimsBefore].filter((date) => date !== null).sort();
  return {
    ...team,
    claimsBefore: dates.at(-1) ?? null,
    memberIds: [...new Set([...ownRules.memberIds, ...team.memberIds])],
  };
}

export function writeRetentionRules(database: Database, rules: RetentionRules): void {
  if (hasRules(rules)) writeState(database, ruleName, rules);
  else removeState(database, ruleName);
}

const unfinishedName = 'unfinishedRemoval';

/** A removal whose records are deleted but whose other steps remain: reviews, Connect's data, the audit entry. */
export interface UnfinishedRemoval {
  readonly removal: TeamRemoval;
  readonly isOfTeam?: boolean;
  readonly counts: RemovalCounts;
  /** Removed claims that have reviews. */
  readonly written: readonly number[];
  /** The emails of removed members; absent in a removal that an earlier version began. */
  readonly emails?: readonly string[];
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
export function addRemoval<Rules extends RetentionRules | LeavingRules>(
  rules: Rules,
  removal: Rules extends LeavingRules ? TeamRemoval : Removal,
): Rules {
  if (removal.kind === 'everything') return { ...rules, isEverything: true };
  if (removal.kind === 'employer' && 'employerIds' in rules)
    return { ...rules, employerIds: [...new Set([...rules.employerIds, removal.employerId])] };
  if (removal.kind === 'employer') return rules;
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

export function hasRules(rules: RetentionRules | LeavingRules): boolean {
  const { employerIds = [], isEverything = false } = rules as Partial<LeavingRules>;
  return rules.claimsBefore !== null || rules.memberIds.length + employerIds.length > 0 || isEverything;
}

/**
 * Whether a rule of removal matches a record. A claim is older than a date if its last day of service is. If its
 * service has an open end, the first day counts; without a day of service, the date it was processed, its EOB date or
 * its check date. A claim without any date is kept. A claim is removed with members or employers if it has no other
 * member.
 */
export function isLeftOut(
  rules: RetentionRules | LeavingRules,
  kind: 'members' | 'claims',
  record: JsonValue,
): boolean {
  if (!isJsonObject(record)) return false;
  const { employerIds = [], isEverything = false } = rules as Partial<LeavingRules>;
  if (isEverything) return true;
  const ids = new Set(rules.memberIds);
  const employers = new Set(employerIds);
  const isOfRule = (member: JsonValue): boolean =>
    isJsonObject(member) &&
    (ids.has(readWhole(member.id) ?? Number.NaN) ||
      (isJsonObject(member.employer) && employers.has(readWhole(member.employer.id) ?? Number.NaN)));
  if (kind === 'members') return isOfRule(record);
  if (rules.claimsBefore !== null && isOlder(record, rules.claimsBefore)) return true;
  const members = (Array.isArray(record.members) ? record.members : []).filter(
    (member) => isJsonObject(member) && readWhole(member.id) !== null,
  );
  return members.length > 0 && members.every(isOfRule);
}

/** IDs of the members of a claim. */
export function memberIdsOf(claim: JsonValue): number[] {
  if (!isJsonObject(claim) || !Array.isArray(claim.members)) return [];
  return claim.members.flatMap((member) => (isJsonObject(member) ? (readWhole(member.id) ?? []) : []));
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
