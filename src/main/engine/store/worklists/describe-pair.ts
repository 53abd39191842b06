import {
  isSamePerson,
  isSameProvider,
  type ProviderIds,
  readName,
} from '../../../../rules/compare-values.ts';
import { fieldsOf } from '../../../../rules/list-fields.ts';
import type { Cell, Row } from '../../../../rules/query.ts';
import type { ComparedField, DuplicatePair } from '../../../../rules/review/duplicates.ts';
import type { Database } from '../file/database.ts';
import { readRows } from '../query/read-rows.ts';
import { maxCompared, maxFound } from './compare-claims.ts';
import { pairsOfClaims, type StoredPair } from './duplicate-pairs.ts';
import { countSharing } from './find-duplicates.ts';
import { readHeads, readLines } from './read-compared-claims.ts';
import { type ComparedHead, linesOf } from './relate-pair.ts';

/** The fields of a claim that are shown side by side, in this order, and then the lines. */
const shownFields = [
  'patient_name',
  'service_provider',
  'date_of_service',
  'type.name',
  'amount_billed',
  'amount_allowed',
  'amount_paid',
  'patient_responsibility',
  'vendor_system_id',
  'policy_holder.id',
  'status',
  'processed_on',
] as const;

const labelOf = (path: string): string => fieldsOf.claims.find((spec) => spec.path === path)?.label ?? path;

/** Whether two values agree: names in any spelling, providers by their most reliable identifier. */
function agrees(
  path: string,
  left: Cell,
  right: Cell,
  heads: readonly (ComparedHead | undefined)[],
): boolean {
  if (path === 'patient_name') {
    const [a, b] = [left, right].map((cell) => readName(cell === null ? null : String(cell)));
    return left === right || (a != null && b != null && isSamePerson(a, b));
  }
  if (path === 'service_provider') {
    const [a, b] = heads.map((head): ProviderIds => head?.provider ?? []);
    return left === right || isSameProvider(a ?? [], b ?? []);
  }
  return left === right;
}

/** The most pairs of a claim that are shown; the rest are only counted. */
export const maxShown = 20;

type DescribedPair = Omit<DuplicatePair, 'isPassed' | 'isUndoable'> & Pick<StoredPair, 'isMutual'>;

/** The pairs of a claim with the values that agree and differ, read from the current records. */
export function describePairs(
  database: Database,
  claimId: number,
): { pairs: DescribedPair[]; more: number; nearestOf: number | null } {
  const { total, pairs } = pairsOfClaims(database, [claimId], maxShown).get(claimId) ?? {
    total: 0,
    pairs: [],
  };
  const sharing = countSharing(database, claimId);
  return {
    pairs: comparePairs(database, pairs),
    more: total - pairs.length,
    nearestOf: sharing > maxCompared || total >= maxFound ? sharing : null,
  };
}

function comparePairs(database: Database, pairs: readonly StoredPair[]): DescribedPair[] {
  const ids = [...new Set(pairs.flatMap(({ left, right }) => [left, right]))];
  const rows = new Map(readRows(database, 'claims', ids, shownFields).map((row) => [row.$key, row]));
  const heads = readHeads(database, ids);
  const lines = readLines(database, ids);
  const summarize = (id: number): string => {
    const claimLines = lines.get(id) ?? [];
    const codes = claimLines.map(({ procedure, drug }) => procedure?.code ?? drug ?? '–');
    return `${claimLines.length}: ${codes.join(', ')}`.slice(0, 200);
  };
  return pairs.map((pair) => {
    const { left, right } = pair;
    const [leftRow, rightRow] = [rows.get(left), rows.get(right)] as [Row | undefined, Row | undefined];
    const fields = shownFields.map((field): ComparedField => {
      const [a, b] = [leftRow?.[field] ?? null, rightRow?.[field] ?? null];
      const isSame = agrees(field, a, b, [heads.get(left), heads.get(right)]);
      return { field, label: labelOf(field), left: a, right: b, agrees: isSame };
    });
    fields.push({
      field: 'claim_medical_lines',
      label: 'Lines',
      left: summarize(left),
      right: summarize(right),
      agrees: linesOf(lines.get(left) ?? []) === linesOf(lines.get(right) ?? []),
    });
    const { payable, ...rest } = pair;
    return { ...rest, payableTwice: payable, fields };
  });
}
