import type { DuplicateKind } from '../../../../contract/duplicates.ts';
import {
  type ClaimNumber,
  isSamePerson,
  isSameProcedure,
  isSameProvider,
  type PersonName,
  type ProcedureCode,
  type ProviderIds,
} from './compare-values.ts';

/** A claim line with the values that are compared. Days are `YYYY-MM-DD`, amounts ten-thousandths of a dollar. */
export interface ComparedLine {
  readonly first: string | null;
  readonly last: string | null;
  readonly procedure: ProcedureCode | null;
  readonly drug: string | null;
  readonly quantity: number | null;
  readonly supplyDays: number | null;
  readonly billed: number | null;
}

/**
 * The values of a claim that are compared before its lines are read. Amounts are as sent or, if not sent, calculated.
 */
export interface ComparedHead {
  readonly id: number;
  readonly connection: number | null;
  readonly name: PersonName | null;
  readonly type: string | null;
  readonly number: ClaimNumber | null;
  readonly provider: ProviderIds;
  readonly first: string;
  readonly last: string;
  readonly billed: number | null;
  readonly patientResponsibility: number | null;
  /** The day of the carrier's decision; the newest of an adjustment chain counts. */
  readonly processed: string;
}

export interface ComparedClaim extends ComparedHead {
  readonly lines: readonly ComparedLine[];
}

const hasCommonDay = (
  a: { readonly first: string | null; readonly last: string | null },
  b: { readonly first: string | null; readonly last: string | null },
): boolean =>
  a.first !== null &&
  a.last !== null &&
  b.first !== null &&
  b.last !== null &&
  a.first <= b.last &&
  b.first <= a.last;

/** Claims of two different types, such as medical and facility, are never compared. */
const isSameType = (a: ComparedHead, b: ComparedHead): boolean => a.type === b.type;

const isNotOther = (a: ComparedHead, b: ComparedHead): boolean =>
  a.name === null || b.name === null || isSamePerson(a.name, b.name);

/**
 * Relates two claims with the same number of the carrier: the same claim through two connections, or an adjustment of
 * it.
 */
function judgeNumbers(a: ComparedHead, b: ComparedHead): DuplicateKind | null {
  if (a.number === null || b.number === null || a.number.base !== b.number.base || !isNotOther(a, b))
    return null;
  const isEqual = a.number.whole === b.number.whole;
  if (a.connection !== null && b.connection !== null && a.connection !== b.connection)
    return isEqual ? 'sameClaim' : null;
  return isEqual || isSameProvider(a.provider, b.provider) ? 'adjustment' : null;
}

/** Whether lines have to be compared; false where the other values already exclude a duplicate. */
export function mayBeDuplicates(a: ComparedHead, b: ComparedHead): boolean {
  if (a.id === b.id || !isSameType(a, b) || !hasCommonDay(a, b)) return false;
  if (judgeNumbers(a, b) !== null) return true;
  if (a.name === null || b.name === null) return false;
  return isSameProvider(a.provider, b.provider) && isSamePerson(a.name, b.name);
}

const lineOf = (line: ComparedLine, sign: 1 | -1): string =>
  JSON.stringify([
    line.first,
    line.last,
    line.procedure?.code,
    line.procedure?.modifiers,
    line.drug,
    line.quantity === null ? null : Math.abs(line.quantity),
    line.supplyDays,
    line.billed === null ? null : line.billed * sign + 0,
  ]);

/** Lines as a set without order; with a negative sign, as the lines that a reversal takes back. */
export const linesOf = (lines: readonly ComparedLine[], sign: 1 | -1 = 1): string =>
  lines
    .map((line) => lineOf(line, sign))
    .toSorted()
    .join();

const drugOf = ({ drug, quantity, supplyDays, first }: ComparedLine): string =>
  JSON.stringify([drug, quantity, supplyDays, first]);
const drugsOf = (claim: ComparedClaim): string => claim.lines.map(drugOf).toSorted().join();
const isPharmacy = ({ type, lines }: ComparedClaim): boolean =>
  type === 'rx' || (type === null && lines.length > 0 && lines.every(({ drug }) => drug !== null));

const isReversal = (a: ComparedClaim, b: ComparedClaim): boolean =>
  a.billed !== null &&
  a.billed !== 0 &&
  a.billed === -(b.billed ?? 0) &&
  linesOf(a.lines) === linesOf(b.lines, -1);

/**
 * How two claims relate; null where they are not related. `sameClaim`: one number through two connections.
 * `adjustment`: one number, or amounts that mirror each other; the newest counts, and it is no duplicate. `exact`:
 * equal billed and lines. `suspected`: a common day and a code in common, other amounts. Pharmacy claims are compared
 * by drug code, quantity, days' supply and fill day.
 */
export function judgePair(a: ComparedClaim, b: ComparedClaim): DuplicateKind | null {
  if (!mayBeDuplicates(a, b)) return null;
  const byNumber = judgeNumbers(a, b);
  if (byNumber !== null) return byNumber;
  if (isReversal(a, b)) return 'adjustment';
  if ((a.billed ?? 0) < 0 || (b.billed ?? 0) < 0) return null;
  const isEqual = a.billed !== null && a.billed === b.billed;
  if (isPharmacy(a) || isPharmacy(b)) {
    const isComplete =
      a.lines.length > 0 &&
      [...a.lines, ...b.lines].every((line) => line.drug !== null && line.first !== null);
    if (!isComplete || drugsOf(a) !== drugsOf(b)) return null;
    return isEqual ? 'exact' : 'suspected';
  }
  if (isEqual && a.lines.length === 0 && b.lines.length === 0)
    return a.first === b.first && a.last === b.last ? 'exact' : null;
  if (isEqual && linesOf(a.lines) === linesOf(b.lines)) return 'exact';
  const isShared = a.lines.some((line) =>
    b.lines.some((other) => {
      if (line.procedure === null || other.procedure === null) return false;
      const [days, otherDays] = [line.first === null ? a : line, other.first === null ? b : other];
      return hasCommonDay(days, otherDays) && isSameProcedure(line.procedure, other.procedure);
    }),
  );
  return isShared ? 'suspected' : null;
}

/** For an adjustment, the claims that no longer count: the older one, and every reversal. */
export function replacedBy(a: ComparedHead, b: ComparedHead): { left: boolean; right: boolean } {
  const isNewer = b.processed === a.processed ? b.id > a.id : b.processed > a.processed;
  return { left: isNewer || (a.billed ?? 0) < 0, right: !isNewer || (b.billed ?? 0) < 0 };
}
