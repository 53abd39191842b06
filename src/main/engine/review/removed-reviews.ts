import type { RetentionRules } from '../../../contract/store.ts';
import { readDays } from '../../../rules/date-range.ts';
import type { ReviewedValues } from '../../../rules/review/reviewed-values.ts';
import { hasRules, isLeftOut, type LeavingRules } from '../store/sync/retention.ts';
import type { ReviewClaimRow } from '../store/user-data/write-event.ts';
import type { FiledEntry } from './filed-entry.ts';

/** Converts a claim to the form that the rules of removal need. */
function toHead({ fields, members }: ReviewedValues) {
  const text = (name: string): string | null => {
    const value = fields[name];
    return typeof value === 'string' ? value : null;
  };
  const days = readDays(text('date_of_service') ?? '');
  return {
    members: members.map(({ id, employerId }) => ({ id, employer: { id: employerId } })),
    date_of_service: days === null ? null : { start: days.first, end: days.last, bounds: '[]' },
    processed_on: text('processed_on'),
    eob_date: text('eob_date'),
    check_date: text('check_date'),
  };
}

/** Whether rules of removal match a claim by the values that were stored with its review. */
export const isRemovedByValues = (rules: LeavingRules, reviewed: string): boolean =>
  isLeftOut(rules, 'claims', toHead(JSON.parse(reviewed) as ReviewedValues));

export type RemovedForTeam = (claim: ReviewClaimRow) => boolean;

/**
 * Leaves out of a file of reviews whatever concerns records that were removed from this computer. Events of claims that
 * are here are kept. For other claims, the values stored with their reviews decide; claims without stored values are
 * left out while there are rules of removal. The file can be imported again after the rules are lifted. What was
 * removed for the team is left out in any case.
 */
export function createRemovedFilter(rules: RetentionRules, isRemovedForTeam: RemovedForTeam = () => false) {
  const isNeeded = hasRules(rules);
  /** Whether a rule of removal matches a claim, by claim ID; null: no values were stored. */
  const looked = new Map<number, boolean | null>();
  const left = { claims: new Set<number>(), events: new Set<string>() };
  const given = new Set<string>();
  const ofTeam = { claims: 0 };

  return {
    look({ claims }: Pick<FiledEntry, 'claims'>): void {
      if (!isNeeded) return;
      for (const [claimId, reviewed] of claims) {
        const before = looked.get(claimId) ?? null;
        const isRemoved =
          reviewed === null
            ? null
            : isLeftOut(rules, 'claims', toHead(JSON.parse(reviewed) as ReviewedValues));
        looked.set(claimId, before === null ? isRemoved : before || isRemoved === true);
      }
    },
    claimIds: () => looked.keys(),
    /** Adds claims that are on this computer. */
    keep(claimIds: Iterable<number>): void {
      for (const claimId of claimIds) looked.set(claimId, false);
    },
    isKept: (claimId: number): boolean => !isNeeded || looked.get(claimId) === false,
    /**
     * The entry without removed claims. If it had any, the filter of its list is removed too, because it may name a
     * removed person. Null where no claim is left.
     */
    without(entry: FiledEntry): FiledEntry | null {
      const claims = entry.claims.filter((claim) => {
        const isOfTeam = isRemovedForTeam(claim);
        if (isOfTeam) ofTeam.claims += 1;
        return !isOfTeam && (!isNeeded || looked.get(claim[0]) === false);
      });
      if (claims.length < entry.claims.length) {
        const kept = new Set(claims);
        for (const claim of entry.claims) if (!kept.has(claim)) left.claims.add(claim[0]);
      }
      const isEmpty = entry.claims.length > 0 && claims.length === 0;
      (isEmpty ? left.events : given).add(entry.id);
      if (isEmpty) return null;
      return claims.length === entry.claims.length ? entry : { ...entry, filter: null, claims };
    },
    /** How many claims of events were left out because they were removed for the team. */
    claimsOfTeam: (): number => ofTeam.claims,
    claims: (): number => left.claims.size,
    /** Events that were left out completely. */
    events: (): number => [...left.events].filter((id) => !given.has(id)).length,
  };
}
