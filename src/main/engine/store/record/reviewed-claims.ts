import { claimGroups } from '../../../../rules/review/review.ts';
import {
  type ReviewedField,
  reviewedFields,
  reviewedLineFields,
} from '../../../../rules/review/reviewed-fields.ts';
import { type ReviewedValues, readReviewedValues } from '../../../../rules/review/reviewed-values.ts';
import { processedStatuses } from '../../../../rules/worklists/worklist-table.ts';
import type { Database } from '../file/database.ts';
import { readClaimsRead } from './claim-reads.ts';
import { decodeCell, type SqlValue } from './decompose.ts';
import { type ColumnSum, emptySum, sumColumns } from './exact-sums.ts';
import { ofClaimItself } from './odd-values.ts';
import { claimLineShape, claimShape, type Shape } from './record-columns.ts';
import type { createRecordReader } from './record-reader.ts';

export interface ReviewedClaim {
  readonly claimId: number;
  /** Its `ReviewedValues` as JSON text. */
  readonly reviewed: string;
  /** Equal where neither the record nor its presence in the service has changed. */
  readonly digest: string;
}

/** The digest of a claim and its presence in the service, as SQL over the table `claims c`. */
export const recordDigestSql = "lower(hex(c.digest))||iif(c.gone_since IS NULL, '', '!')";

/** The top-level keys of a claim, or of a line, that reviews store. */
const keysOf = (fields: readonly ReviewedField[]): ReadonlySet<string> =>
  new Set(
    fields
      .filter(({ effect }) => effect !== 'ignored')
      .flatMap(({ paths }) => paths.map((path) => path.split('.')[0] as string)),
  );
const personKeys: ReadonlySet<string> = new Set(['id', 'first_name', 'last_name', 'name', 'employer']);

/** Plans how the stored values of one kind of row are read: its columns, and where each value belongs. */
function planRow(shape: Shape, keys: ReadonlySet<string>) {
  const plain = shape.columns.filter(({ key }) => keys.has(key));
  const inline = shape.inline.filter(({ key }) => keys.has(key));
  const columns = [...plain, ...inline.flatMap((object) => object.columns)].map(({ column }) => column);
  const read = (row: readonly SqlValue[], from: number, isNull: (key: string) => boolean) => {
    const record: Record<string, unknown> = {};
    let at = from;
    for (const { key, kind } of plain) record[key] = decodeCell(kind, row[at++] as SqlValue);
    for (const object of inline) {
      const whole: Record<string, unknown> = {};
      let isBlank = true;
      for (const { key, kind } of object.columns) {
        const value = row[at++] as SqlValue;
        if (value !== null) isBlank = false;
        whole[key] = decodeCell(kind, value);
      }
      record[object.key] = isBlank && isNull(object.key) ? null : whole;
    }
    return record;
  };
  return { keys, columns, read };
}
const claimRow = planRow(claimShape, keysOf(reviewedFields));
const lineRow = planRow(claimLineShape, keysOf(reviewedLineFields));

/**
 * Reads claims with the values that a review stores, in the order of `claimIds`; unknown ones are left out. Only the
 * needed columns are read: whole records take three times as long. A record with a value that does not fit its column
 * is read whole.
 */
export function readReviewedClaims(
  database: Database,
  records: ReturnType<typeof createRecordReader>,
  claimIds: readonly number[],
): ReviewedClaim[] {
  const select = database
    .prepare(
      `SELECT ${recordDigestSql}, c.extra, c.shape_id, p.first_name, p.last_name, p.extra, c.modifieddate, r.at, c.uuid,
         ${claimRow.columns.map((name) => `c.${name}`).join(', ')}
       FROM claims c LEFT JOIN policy_holders p ON p.ref=c.policy_holder_ref
       LEFT JOIN claim_reads r ON r.claim_id=c.id WHERE c.id=?`,
    )
    .raw();
  const allReadAt = readClaimsRead(database);
  const selectMembers = database
    .prepare(
      `SELECT m.extra, e.extra, m.id, m.first_name, m.last_name, m.employer_ref, e.id, e.name
       FROM claim_members l JOIN claim_member_records m ON m.ref=l.ref LEFT JOIN employers e ON e.ref=m.employer_ref
       WHERE l.parent=? ORDER BY l.position`,
    )
    .raw();
  const selectLines = database
    .prepare(
      `SELECT extra, shape_id, ${lineRow.columns.join(', ')} FROM claim_lines WHERE parent=? ORDER BY position`,
    )
    .raw();
  const selectMarkers = database.prepare('SELECT markers FROM record_shapes WHERE id=?').pluck();
  const shapes = new Map<SqlValue, ReadonlySet<string>>();
  const isNullIn = (shapeId: SqlValue, table: string) => (key: string) => {
    let markers = shapes.get(shapeId);
    if (markers === undefined) {
      markers = new Set(JSON.parse(selectMarkers.get(shapeId) as string) as string[]);
      shapes.set(shapeId, markers);
    }
    return [key, `${key}=null`].some((marker) => markers.has(marker) || markers.has(`${table}:${marker}`));
  };
  const isOdd = (extra: SqlValue, keys: ReadonlySet<string>): boolean =>
    extra !== null && Object.keys(JSON.parse(extra as string) as object).some((key) => keys.has(key));

  /** Null where a value does not fit its column. */
  const readColumns = (claimId: number, row: readonly SqlValue[]): object | null => {
    const [, extra = null, shapeId = null, firstName = null, lastName = null, holderExtra = null] = row;
    if (isOdd(extra, claimRow.keys) || isOdd(holderExtra, personKeys)) return null;
    const members: object[] = [];
    for (const member of selectMembers.iterate(claimId) as Iterable<SqlValue[]>) {
      const [memberExtra = null, ofEmployer = null, id, first_name, last_name, ref = null, employerId, name] =
        member;
      if (isOdd(memberExtra, personKeys) || isOdd(ofEmployer, personKeys)) return null;
      members.push({ id, first_name, last_name, employer: ref === null ? null : { id: employerId, name } });
    }
    const lines: object[] = [];
    for (const line of selectLines.all(claimId) as SqlValue[][]) {
      const [lineExtra = null, ofLine = null] = line;
      if (isOdd(lineExtra, lineRow.keys)) return null;
      lines.push(lineRow.read(line, 2, isNullIn(ofLine, 'claim_lines')));
    }
    return {
      ...claimRow.read(row, 9, isNullIn(shapeId, 'claims')),
      policy_holder: { first_name: firstName, last_name: lastName },
      members,
      claim_medical_lines: lines,
    };
  };

  return claimIds.flatMap((claimId) => {
    const row = select.get(claimId) as SqlValue[] | undefined;
    if (row === undefined) return [];
    const digest = row[0] as string;
    const record = readColumns(claimId, row) ?? records.claims(claimId)?.record ?? null;
    if (record === null) return [];
    const [, , , , , , modified, readAt, uuid] = row as (string | null)[];
    const values: ReviewedValues = {
      ...readReviewedValues(record, digest.endsWith('!')),
      record: { modified: modified ?? null, readAt: readAt ?? allReadAt, uuid: uuid ?? null },
    };
    return [{ claimId, reviewed: JSON.stringify(values), digest }];
  });
}

/** The claims of a selection in a compact form, because there can be a million. */
export interface FrozenClaims {
  readonly claimIds: Float64Array;
  /** `packDigest` of each claim. */
  readonly marks: Float64Array;
  /** The index of each claim's group in `claimGroups`. */
  readonly groups: Uint8Array;
  /** The sums of the amounts of a list's totals, in their order, by group. */
  readonly sums: readonly (readonly ColumnSum[])[];
}

/** The index of a claim's group: two for each status of the carrier, the second for reviewed claims. */
const groupSql = `iif(c.status='Rejected', ${claimGroups.indexOf('rejected')},
  iif(c.status IN (${processedStatuses.map((status) => `'${status}'`).join(', ')}), ${claimGroups.indexOf('open')}, ${claimGroups.indexOf('unprocessed')}))
  +ifnull(v.state IN ('done', 'waiting', 'escalated'), 0)`;

/** Converts the digest of a claim to a number; two different digests give the same number in one of 2^48 cases. */
export const packDigest = (digest: string): number =>
  Number.parseInt(digest.slice(0, 12), 16) * 2 + (digest.endsWith('!') ? 1 : 0);

/** Lists claims' own amounts that are not numbers, as `ID column`. */
function readUnread(database: Database): ReadonlySet<string> {
  const rows = database
    .prepare(`SELECT claim_id||' '||field FROM unread_amounts WHERE position=${ofClaimItself}`)
    .pluck()
    .all() as string[];
  return new Set(rows);
}

/** Reads the marks, groups and sums of claims; unknown ones are left out. */
export function freezeClaims(database: Database, claimIds: Float64Array): FrozenClaims {
  const select = database
    .prepare(
      `SELECT ${recordDigestSql}, ${groupSql}, ${sumColumns.join(', ')}
       FROM claims c LEFT JOIN claim_reviews v ON v.claim_id=c.id WHERE c.id=?`,
    )
    .raw();
  const frozen = {
    claimIds: new Float64Array(claimIds.length),
    marks: new Float64Array(claimIds.length),
    groups: new Uint8Array(claimIds.length),
  };
  const sums = claimGroups.map(() => sumColumns.map(emptySum));
  const unread = readUnread(database);
  let count = 0;
  for (const claimId of claimIds) {
    const row = select.get(claimId) as [string, number, ...(number | null)[]] | undefined;
    if (row === undefined) continue;
    const [digest, group, ...amounts] = row;
    frozen.claimIds[count] = claimId;
    frozen.marks[count] = packDigest(digest);
    frozen.groups[count] = group;
    count += 1;
    const ofGroup = sums[group] as ColumnSum[];
    for (const [at, amount] of amounts.entries()) {
      const sum = ofGroup[at] as ColumnSum;
      if (amount !== null) sum.cells = (sum.cells ?? 0n) + BigInt(amount);
      if (unread.has(`${claimId} ${sumColumns[at]}`)) sum.notCounted += 1;
    }
  }
  return {
    claimIds: frozen.claimIds.slice(0, count),
    marks: frozen.marks.slice(0, count),
    groups: frozen.groups.slice(0, count),
    sums,
  };
}

/**
 * Finds the claims that have one of these IDs (`id`) or one of these numbers, also with leading zeros, which a
 * spreadsheet removes.
 */
export const findNumbered = (
  database: Database,
  { ids, numbers }: { readonly ids: readonly string[]; readonly numbers: readonly string[] },
): { claimId: number; id: string; number: string | null }[] =>
  database
    .prepare(
      `SELECT id AS claimId, CAST(id AS TEXT) AS id, vendor_system_id AS number FROM claims
       WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(:ids))
       UNION SELECT id, CAST(id AS TEXT), vendor_system_id FROM claims
       WHERE vendor_system_id<>'' AND vendor_system_id IN (SELECT value FROM json_each(:numbers))
       UNION SELECT id, CAST(id AS TEXT), vendor_system_id FROM claims
       WHERE vendor_system_id<>'' AND vendor_system_id>='0' AND vendor_system_id<'1'
         AND ltrim(vendor_system_id, '0') IN (SELECT value FROM json_each(:numbers))`,
    )
    .all({ ids: JSON.stringify(ids), numbers: JSON.stringify(numbers) }) as ReturnType<typeof findNumbered>;
