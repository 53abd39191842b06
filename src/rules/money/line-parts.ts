import type { PartlyEligible, ReviewOutcome } from '../review/decision.ts';
import { toWholeCents } from './decided-amounts.ts';
import { type EligiblePart, eligibleParts, type ReimbursementRules } from './reimbursement.ts';

/** The amounts of a claim line, in ten-thousandths of a dollar; null: blank, or not a number. */
export interface LineAmounts extends Readonly<Record<EligiblePart, number | null>> {
  readonly responsibility: number | null;
}

/** Returns how much of a line is eligible by these parts; null: unknown. */
function partOf(line: LineAmounts, parts: readonly EligiblePart[]): number | null {
  if (eligibleParts.every((part) => line[part] === null))
    return parts.length === eligibleParts.length ? line.responsibility : null;
  return parts.reduce<number | null>((sum, part) => {
    const amount = line[part];
    return sum === null || amount === null ? null : sum + amount;
  }, 0);
}

/**
 * Returns how much of each line of a claim is eligible as decided, in whole cents; null if unknown. A decision by line
 * has its own amounts, and lines that it does not list have nothing. Otherwise the parts that the employer's rules
 * count apply, if those of all lines add up to `eligible`, the claim's eligible amount; with an account's layers, or if
 * another plan paid, they don't.
 */
export function findLineParts(
  lines: readonly LineAmounts[],
  decided: {
    readonly outcome: ReviewOutcome | null;
    readonly partly: PartlyEligible | null;
    readonly eligible: number | null;
  },
  rules: Pick<ReimbursementRules, 'parts'>,
): readonly number[] | null {
  const { outcome, partly, eligible } = decided;
  if (outcome === 'partlyEligible' && partly?.by === 'lines') {
    const amounts = new Map(partly.lines.map(({ line, amount }) => [line, toWholeCents(amount)]));
    return partly.lines.some(({ line }) => line >= lines.length)
      ? null
      : lines.map((_line, at) => amounts.get(at) ?? 0);
  }
  const without = outcome === 'partlyEligible' && partly?.by === 'parts' ? partly.without : [];
  const parts = rules.parts.filter((part) => !without.includes(part));
  const exact = lines.map((line) => partOf(line, parts));
  const knownAmounts = exact.filter((amount) => amount !== null);
  if (knownAmounts.length < lines.length || eligible === null) return null;
  if (toWholeCents(knownAmounts.reduce((sum, amount) => sum + amount, 0)) !== eligible) return null;
  return knownAmounts.map(toWholeCents);
}
