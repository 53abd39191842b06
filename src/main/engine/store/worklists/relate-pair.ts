import {
  isSamePerson,
  isSameProcedure,
  isSameProvider,
  type ProcedureCode,
} from '../../../../rules/compare-values.ts';
import type { ChainClaim } from '../../../../rules/money/chain-claim.ts';
import type { DuplicateKind } from '../../../../rules/review/duplicates.ts';

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

/** The values of a claim that are compared before its lines are read. Amounts are as sent, otherwise calculated. */
export interface ComparedHead
  extends Pick<
    ChainClaim,
    'id' | 'connection' | 'name' | 'number' | 'provider' | 'billed' | 'patientResponsibility'
  > {
  readonly type: string | null;
  readonly first: string;
  readonly last: string;
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

/** Whether two claims are the same claim, received through two connections. */
const isSameClaim = (a: ComparedHead, b: ComparedHead): boolean =>
  a.number !== null &&
  a.number.whole === b.number?.whole &&
  isNotOther(a, b) &&
  a.connection !== null &&
  b.connection !== null &&
  a.connection !== b.connection;

/** Whether lines have to be compared; false where the other values already exclude a duplicate. */
export function mayBeDuplicates(a: ComparedHead, b: ComparedHead): boolean {
  if (a.id === b.id || !isSameType(a, b) || !hasCommonDay(a, b)) return false;
  if (isSameClaim(a, b)) return true;
  if (a.name === null || b.name === null) return false;
  return isSameProvider(a.provider, b.provider) && isSamePerson(a.name, b.name);
}

const lineOf = (line: ComparedLine): string =>
  JSON.stringify([
    line.first,
    line.last,
    line.procedure?.code,
    line.procedure?.modifiers,
    line.drug,
    line.quantity,
    line.supplyDays,
    line.billed,
  ]);

/** Writes lines as text, independent of their order. */
export const linesOf = (lines: readonly ComparedLine[]): string => lines.map(lineOf).toSorted().join();

const drugOf = ({ drug, quantity, supplyDays, first }: ComparedLine): string =>
  JSON.stringify([drug, quantity, supplyDays, first]);
const drugsOf = (claim: ComparedClaim): string => claim.lines.map(drugOf).toSorted().join();
const isPharmacy = ({ type, lines }: ComparedClaim): boolean =>
  type === 'rx' || (type === null && lines.length > 0 && lines.every(({ drug }) => drug !== null));

/**
 * Whether two claims are duplicates, unless they belong to a chain (`rules/money/chains.ts`); null where they are not.
 * `sameClaim`: one number through two connections. `exact`: equal billed amounts and lines. `suspected`: a day and a
 * code in common, other amounts. Pharmacy claims are compared by drug code, quantity, days' supply and fill day.
 */
export function relatePair(a: ComparedClaim, b: ComparedClaim): Exclude<DuplicateKind, 'adjustment'> | null {
  if (!mayBeDuplicates(a, b)) return null;
  if (isSameClaim(a, b)) return 'sameClaim';
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
