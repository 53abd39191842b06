import type { ClaimRecord } from '../../../../contract/records.ts';
import type { MissingSince } from '../../../../contract/sync.ts';
import type { ReviewOutcome } from '../../../../rules/review/decision.ts';
import { foldReview } from '../../../../rules/review/fold-review.ts';
import type { ClaimReview } from '../../../../rules/review/review.ts';
import type { ReviewedValues } from '../../../../rules/review/reviewed-values.ts';
import type { SettingsOfService } from '../../../lib/engine-protocol.ts';
import { describeReview } from '../../review/describe-review.ts';
import { describeChain, shareChains } from '../../review/share-chains.ts';
import type { Database } from '../../store/file/database.ts';
import { readClaimsRead } from '../../store/record/claim-reads.ts';
import { toPlainJson } from '../../store/record/json.ts';
import { maskSsnsIn } from '../../store/record/known-ssns.ts';
import { setOddItemsAside } from '../../store/record/odd-items.ts';
import { createRecordReader } from '../../store/record/record-reader.ts';
import { readReviewedClaims } from '../../store/record/reviewed-claims.ts';
import { findCarrier } from '../../store/sync/connection-carriers.ts';
import { readMissingSince } from '../../store/sync/missing-records.ts';
import { foldReviews } from '../../store/user-data/fold-claims.ts';
import { createKeptReader } from '../../store/user-data/kept-values.ts';
import { factRulesOf, findLineDifference, findMissingItems } from '../../store/worklists/claim-facts.ts';
import { createFactReader } from '../../store/worklists/fact-reader.ts';
import { readChainMates } from '../../store/worklists/read-chain-claims.ts';
import { readEligibleClaims } from '../../store/worklists/read-eligible.ts';

/** The facts of one claim on a statement, as on its page in the window. */
export interface StatementFacts {
  readonly claim: ClaimRecord;
  /** Lines that could not be read. */
  readonly unreadLines: number;
  readonly carrier: string | null;
  readonly review: ClaimReview;
  /** The outcome of the last decision, even if a change of the record has reopened it since. */
  readonly lastOutcome: ReviewOutcome | null;
  /** The missing items, as in the worklist of claims that are not substantiated. */
  readonly missingItems: readonly string[];
  /** The difference between the lines and the claim, in ten-thousandths of a dollar; null: there is none. */
  readonly lineDifference: number | null;
  /** Since when the service no longer returns it; null: it does. */
  readonly missing: MissingSince | null;
  /** The time up to which the record was read, and whether it was read separately after the last sync. */
  readonly readAt: string | null;
  readonly isReadAlone: boolean;
  /** The hash of the record, in hexadecimal. */
  readonly digest: string;
}

/**
 * Reads the facts of statements in the order of the claims, with SSNs masked; claims that are not here are left out. The
 * amounts and the decision are those of `describeReview`, as on the claim's page.
 */
export function createStatementReader(
  database: Database,
  {
    userData,
    workspaceId,
    settings,
    today,
  }: {
    readonly userData: Database | null;
    readonly workspaceId: string;
    readonly settings: SettingsOfService;
    readonly today: string;
  },
): (claimIds: readonly number[]) => StatementFacts[] {
  const records = createRecordReader(database);
  const readFacts = createFactReader(database);
  const readKept = userData === null ? () => null : createKeptReader(userData);
  const allReadAt = readClaimsRead(database);
  const rules = factRulesOf(settings);

  return (claimIds) => {
    const byId = <One>(all: readonly One[], idOf: (row: One) => number) =>
      new Map(all.map((entry) => [idOf(entry), entry]));
    const reviewedById = byId(readReviewedClaims(database, records, claimIds), (claim) => claim.claimId);
    const mates = readChainMates(database, { claimIds });
    const all = [...new Set([...claimIds, ...mates.map(({ id }) => id)])];
    const claims = readEligibleClaims(database, { claimIds: all, rules });
    const eligible = byId(claims, (claim) => claim.claimId);
    const sources = byId(readFacts(claimIds), (facts) => facts.id);
    const reviews = byId(
      userData === null ? [] : foldReviews(userData, { workspaceId, claimIds: all }),
      (review) => review.claimId,
    );
    const chains = { mates, claims, reviews, settings };
    const rests = shareChains(chains);
    return claimIds.flatMap((claimId): StatementFacts[] => {
      const reviewed = reviewedById.get(claimId);
      const source = sources.get(claimId);
      const stored = records.claims(claimId);
      if (reviewed === undefined || source === undefined || stored === null) return [];
      const { record: claim, setAside } = setOddItemsAside(
        'claims',
        toPlainJson(stored.record) as ClaimRecord,
      );
      const values = JSON.parse(reviewed.reviewed) as ReviewedValues;
      const review = reviews.get(claimId) ?? foldReview(claimId, []);
      const keptIn = (eventId: string | null) =>
        eventId === null ? null : readKept(workspaceId, claimId, eventId);
      const holder = claim.policy_holder?.id;
      const readAt = values.record?.readAt ?? null;
      return maskSsnsIn(database, [
        {
          claim,
          unreadLines: setAside.filter(({ list }) => list === 'claim_medical_lines').length,
          carrier: typeof holder === 'number' ? findCarrier(database, holder) : null,
          review: describeReview({
            workspaceId,
            review,
            now: { ...values, digest: reviewed.digest },
            claim: eligible.get(claimId) ?? null,
            chain: describeChain(claimId, rests, chains),
            reviewed: keptIn(review.reviewedIn),
            compared: keptIn(review.comparedIn),
            settings,
            today,
          }),
          lastOutcome: review.decidedOutcome,
          missingItems: findMissingItems(source),
          lineDifference: findLineDifference(source),
          missing: readMissingSince(database, 'claims', claimId),
          readAt,
          isReadAlone: readAt !== allReadAt,
          digest: reviewed.digest.replace('!', ''),
        },
      ]);
    });
  };
}
