import { readDollars } from '../../../../rules/money/amounts.ts';
import { eligibleParts } from '../../../../rules/money/reimbursement.ts';
import type { PartlyEligible } from '../../../../rules/review/decision.ts';
import type { Options } from '../parse-command.ts';
import { UsageError } from '../usage.ts';

function parseLine(text: string): { line: number; amount: number } {
  const [, line = '', dollars = ''] = /^([1-9]\d{0,4})=(.*)$/.exec(text) ?? [];
  const amount = readDollars(dollars);
  if (line === '' || amount === null)
    throw new UsageError('--line is the number of a claim line and its amount, such as 2=12.50');
  return { line: Number(line) - 1, amount };
}

function parseParts(texts: readonly string[]): PartlyEligible {
  const without = eligibleParts.filter((part) => texts.includes(part));
  if (without.length !== new Set(texts).size)
    throw new UsageError(`--without is one of ${eligibleParts.join(', ')}`);
  return { by: 'parts', without };
}

/**
 * Reads how much of a partly eligible claim is eligible, from `--amount`, `--line`, `--without` or `--share`; null
 * where none is given. @throws UsageError
 */
export function readPartly(
  options: Pick<Options, 'amount' | 'line' | 'without' | 'share'>,
): PartlyEligible | null {
  const { amount, line, without, share } = options;
  const given = [amount, line, without, share].filter((option) => option !== undefined);
  if (given.length > 1) throw new UsageError('use only one of --amount, --line, --without, and --share');
  if (line !== undefined) return { by: 'lines', lines: line.map(parseLine) };
  if (without !== undefined) return parseParts(without);
  if (share !== undefined) {
    const percent = /^\d{1,2}(\.\d{1,2})?$/.test(share) ? Number(share) : 0;
    if (percent === 0)
      throw new UsageError('--share is a percentage above 0 and below 100, such as 80 or 33.33');
    return { by: 'share', percent };
  }
  if (amount === undefined) return null;
  const eligible = readDollars(amount);
  if (eligible === null) throw new UsageError('--amount is in dollars, such as 12.50');
  return { by: 'amount', amount: eligible };
}
