import { readReviewedValues } from '../../../../contract/reviewed-values.ts';
import type { Connection } from '../file/connection.ts';
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
    const values = readReviewedValues(record, digest.endsWith('!'));
    return [{ claimId, reviewed: JSON.stringify(values), digest }];
  });
}

/** A claim as a selection freezes it; the amounts are ten-thousandths of a dollar, in the order of a list's totals. */
export interface FrozenClaim {
  readonly claimId: number;
  readonly digest: string;
  readonly amounts: readonly (number | null)[];
}

/** Marks and amounts of claims; unknown ones are left out. */
export function freezeClaims(connection: Connection, claimIds: readonly number[]): FrozenClaim[] {
  const rows = connection
    .prepare(
      `SELECT c.id, ${claimMarkSql('c')}, amount_billed, amount_allowed, amount_paid, patient_responsibility
       FROM json_each(?) wanted JOIN claims c ON c.id=wanted.value`,
    )
    .raw()
    .all(JSON.stringify(claimIds)) as [number, string, ...(number | null)[]][];
  return rows.map(([claimId, digest, ...amounts]) => ({ claimId, digest, amounts }));
}

/** Which claims have these IDs or claim numbers; `claims` is empty where none has, and longer where several have. */
export function findNumbered(
  connection: Connection,
  numbers: readonly string[],
): { number: string; claims: number[] }[] {
  const found = new Map<string, Set<number>>(numbers.map((number) => [number, new Set()]));
  const json = JSON.stringify([...found.keys()]);
  const byNumber = connection
    .prepare(
      `SELECT vendor_system_id, id FROM claims
       WHERE vendor_system_id IN (SELECT value FROM json_each(?))`,
    )
    .raw()
    .all(json) as [string, number][];
  const byId = connection
    .prepare(
      'SELECT wanted.value, c.id FROM json_each(?) wanted JOIN claims c ON c.id=CAST(wanted.value AS INTEGER)',
    )
    .raw()
    .all(json) as [string, number][];
  for (const [number, id] of byNumber) found.get(number)?.add(id);
  for (const [number, id] of byId) if (number === String(id)) found.get(number)?.add(id);
  return [...found].map(([number, claims]) => ({ number, claims: [...claims] }));
}
