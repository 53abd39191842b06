import { readClaimNumber } from '../../src/rules/compare-values.ts';
import type { ChainClaim, ChainLine } from '../../src/rules/money/chain-claim.ts';

const name = { first: 'JANE', middle: [], last: 'DOE', parts: 'DOE JANE' };

/** A claim of a chain: $1,000 for one code, processed by the carrier, unless `more` says otherwise. */
export function chainClaim(
  id: number,
  more: Partial<ChainClaim> & { no?: string; codes?: string } = {},
): ChainClaim {
  const { no = 'C0001234', codes = '99213', ...given } = more;
  const billed = given.billed ?? 10_000_000;
  const all = codes === '' ? [] : codes.split(' ');
  const lines = all.map((code): ChainLine => {
    const of = all.length === 1 ? billed : Math.trunc(billed / all.length);
    return { first: '2026-03-02', last: '2026-03-02', code, billed: of };
  });
  return {
    ...{
      id,
      connection: 1,
      name,
      provider: ['1234567893', null, null, null, null, null],
      status: 'Processed',
    },
    ...{ processed: '2026-04-01', first: '2026-03-02', last: '2026-03-02', billed, lines },
    ...{ patientResponsibility: null, isMissing: false, missingAnswer: null },
    number: readClaimNumber(no),
    ...given,
  };
}

/** The reversal of a claim. */
export const reversalOf = (id: number, of: ChainClaim, more: Partial<ChainClaim> = {}): ChainClaim => ({
  ...of,
  ...{ id, billed: -(of.billed ?? 0), processed: '2026-04-20' },
  patientResponsibility: of.patientResponsibility === null ? null : -of.patientResponsibility,
  lines: of.lines.map((line) => ({ ...line, billed: line.billed === null ? null : -line.billed })),
  ...more,
});

/** All orders of some values. */
export const ordersOf = <T>(values: readonly T[]): T[][] =>
  values.length < 2
    ? [[...values]]
    : values.flatMap((value, at) =>
        ordersOf(values.filter((_one, place) => place !== at)).map((rest) => [value, ...rest]),
      );
