import { readReviewedValues } from '../../../../contract/reviewed-values.ts';
import type { Connection } from '../file/connection.ts';
import { toPlainJson } from './json.ts';
import type { createRecordReader } from './record-reader.ts';

/** A claim as a review keeps it. */
export interface ReviewedClaim {
  readonly claimId: number;
  /** Its `ReviewedValues` as JSON text. */
  readonly reviewed: string;
  /** Equal marks: neither the record nor whether the service still returns it has changed. */
  readonly digest: string;
}

/** The mark of a claim, as SQL over the table `claims` under this alias. */
export const claimMarkSql = (alias: string): string =>
  `lower(hex(${alias}.digest))||iif(${alias}.gone_since IS NULL, '', '!')`;

/** Reads claims as a review keeps them, in the order of `claimIds`; unknown ones are left out. */
export function readReviewedClaims(
  connection: Connection,
  records: ReturnType<typeof createRecordReader>,
  claimIds: readonly number[],
): ReviewedClaim[] {
  const select = connection.prepare(`SELECT ${claimMarkSql('c')} FROM claims c WHERE c.id=?`).pluck();
  return claimIds.flatMap((claimId) => {
    const digest = select.get(claimId) as string | undefined;
    const record = digest === undefined ? null : (records.claims(claimId)?.record ?? null);
    if (digest === undefined || record === null) return [];
    const values = readReviewedValues(toPlainJson(record) as object, digest.endsWith('!'));
    return [{ claimId, reviewed: JSON.stringify(values), digest }];
  });
}
