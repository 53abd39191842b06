import { isDeepStrictEqual } from 'node:util';
import type { DecisionRule } from '../../../rules/decide/decision-rule.ts';
import type { ClaimIdentity, ReviewDetail } from '../../../rules/review/folded-review.ts';
import { otherClaimName } from '../../../rules/review/reviewed-fields.ts';
import {
  compareReviewedValues,
  isOtherClaim,
  type ReviewedChange,
  type ReviewedValues,
} from '../../../rules/review/reviewed-values.ts';
import type { CheckedClaim } from '../store/record/claim-reviews.ts';
import type { ReviewedClaim } from '../store/record/reviewed-claims.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { KeptClaim } from '../store/user-data/kept-values.ts';
import type { ReopenedClaim } from '../store/user-data/reviews.ts';
import type { Doubt } from '../store/user-data/team-doubts.ts';
import type { FactRules } from '../store/worklists/claim-facts.ts';
import { createMarkCheck } from '../store/worklists/replay-rule.ts';
import { responsibilityChange } from './change-size.ts';
import { ageOf, findOlder, readHere } from './record-age.ts';

/** The number of claims that are compared at once. */
const atOnce = 2_000;

const isMaterial = ({ effect }: ReviewedChange): boolean => effect === 'reopen';

const parse = (text: string | null | undefined): ReviewedValues | null =>
  text == null ? null : (JSON.parse(text) as ReviewedValues);

/** The values stored with the review of a claim, and the record that it was last compared with if different. */
interface KeptReview {
  readonly since: string;
  /** False: it was only paid, so only another claim under its ID makes a difference. */
  readonly isDecided: boolean;
  readonly base: KeptClaim;
  readonly last: KeptClaim | null;
  /** The event with the values that were last compared. */
  readonly comparedIn: string;
  /** Whether it was missing and came back since the decision. */
  readonly hasReturned: boolean;
}

/** Shortens a text to the length allowed in entries of other computers. */
const shorten = (text: unknown): string | null => (text == null ? null : String(text).slice(0, 200));
const identityOf = ({ record, fields, members }: ReviewedValues): ClaimIdentity => ({
  uuid: shorten(record?.uuid),
  number: shorten(fields.vendor_system_id),
  memberId: members[0]?.id ?? null,
});
/** Describes what changed between the reviewed record and another one of the claim. */
function describeChange(
  base: ReviewedValues,
  now: ReviewedValues,
): Pick<ReviewDetail, 'changed' | 'responsibility'> {
  const changed = [
    ...(isOtherClaim(base, now) ? [otherClaimName] : []),
    ...compareReviewedValues(base, now)
      .filter(isMaterial)
      .map(({ name }) => name),
  ];
  return { changed, responsibility: responsibilityChange(base, now) };
}

function compareClaim(
  { claimId, reviewed, digest }: ReviewedClaim,
  kept: KeptReview | undefined,
): { readonly compared: CheckedClaim } | { readonly reopened: ReopenedClaim } {
  const now = JSON.parse(reviewed) as ReviewedValues;
  const lastKept = kept?.last ?? kept?.base;
  const [base, last] = [parse(kept?.base.reviewed), parse(lastKept?.reviewed)];
  const isOther = last !== null && isOtherClaim(last, now);
  if (
    kept === undefined ||
    base === null ||
    last === null ||
    !(isOther || (kept.isDecided && compareReviewedValues(last, now).some(isMaterial)))
  )
    return { compared: { claimId, digest, olderAt: null } };
  const here = ageOf(now, readHere);
  // The review on another computer saw a newer record than the one here, so this difference is not a change since the
  // review.
  if (findOlder(here, ageOf(last, lastKept ?? readHere)) !== null)
    return { compared: { claimId, digest, olderAt: here.readAt ?? '' } };
  const change = describeChange(base, now);
  // A claim that was missing, or whose ID another claim had, is back as it was decided. A change back still has to be
  // reviewed.
  const isReturned = change.changed?.length === 0 && (last.fields.$isMissing === true || isOther);
  const detail = {
    since: kept.since,
    ...change,
    ...(isReturned ? { isReturned } : {}),
    ...(isOther ? { other: { from: identityOf(last), to: identityOf(now) } } : {}),
    // The same record may have been compared before it was last missing; then it makes a new event.
    ...(kept.hasReturned ? { after: kept.comparedIn } : {}),
  };
  return { reopened: { claimId, reviewed, digest, detail } };
}

/**
 * Whether the record here confirms a colleague's reopening, so that it counts; null: the record here is older, or there
 * is none. No one can reopen a review because of a change that the others' records lack.
 */
function confirms(
  { digest, detail, base: kept, found }: Doubt,
  claim: ReviewedClaim | undefined,
): boolean | null {
  const [base, foundValues] = [parse(kept?.reviewed), parse(found.reviewed)];
  if (claim === undefined || base === null || foundValues === null || kept === null) return null;
  const now = JSON.parse(claim.reviewed) as ReviewedValues;
  const here = ageOf(now, readHere);
  if (findOlder(here, ageOf(base, kept)) !== null) return null;
  const others = { from: identityOf(base), to: identityOf(now) };
  if (detail.other !== undefined && !isDeepStrictEqual(detail.other, others)) return false;
  const { changed, responsibility } = describeChange(base, now);
  const isChanged = changed !== undefined && changed.length > 0;
  if (claim.digest === digest)
    return (
      isDeepStrictEqual([detail.changed, detail.responsibility], [changed, responsibility]) &&
      isChanged !== (detail.isReturned === true)
    );
  if (findOlder(here, ageOf(foundValues, found)) !== null) return null;
  return isChanged && detail.isReturned !== true;
}

/**
 * Whether the rule that decided on a colleague's computer is one of the team that decides, and does the same here with
 * this record; null: it is not, the settings that say so have not arrived yet, or the record here is older. If the
 * record here is newer, the values that the colleague sent are used: the record is compared with them, so the claim is
 * reopened if they differ.
 */
function confirmsRule(
  { digest, detail, found }: Doubt,
  { rules, deciding, amountRules }: DecidingRules,
  claim: ReviewedClaim | undefined,
): boolean | null {
  const { rule: mark, amounts = null } = detail;
  const sent = parse(found.reviewed);
  if (mark === undefined || sent === null || claim === undefined) return null;
  const now = JSON.parse(claim.reviewed) as ReviewedValues;
  const isSame = claim.digest === digest;
  if (!isSame && findOlder(ageOf(now, readHere), ageOf(sent, found)) !== null) return null;
  const isConfirmed = deciding.some((rule) => {
    if (rule.id !== mark.id || rule.version !== mark.version || rule.since !== mark.since) return false;
    const areRulesSame = rule.amountRules === amountRules;
    return createMarkCheck({ rule, rules, areRulesSame })(isSame ? now : sent, mark, amounts);
  });
  return isConfirmed || null;
}

/**
 * Compares the reopenings by colleagues, and what rules decided there, with the records here. Returns whether any of
 * them counts, or is denied, from now on.
 */
async function resolveDoubts({
  workspaceId,
  store,
  userData,
  readDeciding,
}: Omit<ReopenPorts, 'reopen'>): Promise<boolean> {
  let isAny = false;
  let deciding: DecidingRules | null = null;
  for (let after = ''; ; ) {
    const doubts = await userData.call('listDoubts', { workspaceId, after, limit: atOnce });
    if (doubts.length === 0) return isAny;
    after = doubts.at(-1)?.id ?? '';
    const claims = await store.read('readReviewedClaims', {
      claimIds: [...new Set(doubts.map(({ claimId }) => claimId))],
    });
    const claimOf = new Map(claims.map((claim) => [claim.claimId, claim]));
    if (doubts.some(({ kind }) => kind === 'byRule')) deciding ??= await readDeciding();
    const ofRules = deciding;
    const resolved = doubts.flatMap((doubt) => {
      const isConfirmed =
        doubt.kind === 'byRule'
          ? ofRules && confirmsRule(doubt, ofRules, claimOf.get(doubt.claimId))
          : confirms(doubt, claimOf.get(doubt.claimId));
      return isConfirmed === null ? [] : [{ id: doubt.id, isDenied: !isConfirmed }];
    });
    if (resolved.length === 0) continue;
    await userData.call('resolveDoubts', { workspaceId, resolved });
    isAny = true;
  }
}

/** The rules of a team that decide or ever did, and the rules about amounts. */
interface DecidingRules {
  readonly deciding: readonly DecisionRule[];
  readonly rules: FactRules;
  /** The digest of the rules about amounts, like the one that rules have from when they were switched on. */
  readonly amountRules: string;
}

interface ReopenPorts {
  readonly workspaceId: string;
  readonly store: Store;
  readonly userData: UserDataStore;
  readonly readDeciding: () => Promise<DecidingRules>;
  /** Appends one event for each of these claims; resolves with the claims whose event existed already. */
  readonly reopen: (claims: readonly ReopenedClaim[]) => Promise<ReadonlySet<number>>;
}

/**
 * Compares every claim whose record changed since its review with the values stored with the review, and appends
 * `reopened` if a relevant value differs and the record here is the newer one. Before that, it compares what
 * colleagues' computers found. Each claim stores what it was compared with, so that the rest is compared after a killed
 * process. Returns true if anything was compared.
 * @throws DeskError `store.*`, `disk.*`
 */
export async function reopenReviews(ports: ReopenPorts): Promise<boolean> {
  const { workspaceId, store, userData } = ports;
  const isAnyResolved = await resolveDoubts(ports);
  const uncompared = await store.read('findUncompared', null);
  for (let at = 0; at < uncompared.length; at += atOnce) {
    const claimIds = uncompared.slice(at, at + atOnce);
    const [current, kept] = await Promise.all([
      store.read('readReviewedClaims', { claimIds }),
      userData.call('readCompared', { workspaceId, claimIds }),
    ]);
    const keptOf = new Map(kept.map((entry) => [entry.claimId, entry]));
    const verdicts = current.map((claim) => compareClaim(claim, keptOf.get(claim.claimId)));
    const reopened = verdicts.flatMap((verdict) => ('reopened' in verdict ? [verdict.reopened] : []));
    const reopenedIds = reopened.length === 0 ? new Set() : await ports.reopen(reopened);
    const compared = verdicts.flatMap((verdict) => {
      if ('compared' in verdict) return [verdict.compared];
      const { claimId, digest } = verdict.reopened;
      return reopenedIds.has(claimId) ? [{ claimId, digest, olderAt: null }] : [];
    });
    if (compared.length > 0) await store.write('writeComparisons', compared);
  }
  return isAnyResolved || uncompared.length > 0;
}
