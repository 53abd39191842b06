import { z } from 'zod';
import { type Layers, layerPayers } from './plan-rules.ts';

/** Ten-thousandths of a dollar. */
const amount = z.int();

/** How the layers and limits of a reimbursement account determine its share of a claim. */
export const accountStepSchema = z.object({
  /** The amount of the claim that the reimbursement rules count; null: unknown. */
  base: amount.nullable(),
  /** The amount of it that the account pays; null: unknown. */
  share: amount.nullable(),
  /**
   * `yearUnknown`: without a day of service, the plan year is not known. `patientUnknown`: layers or limits are by
   * person. `earlierUnknown`: an amount of an earlier claim is not known and matters. `carryUnknown`: the carry-over
   * from the previous plan year is unknown and matters. `notComputed`: computing the family failed.
   */
  rule: z.enum([
    ...['baseUnknown', 'yearUnknown', 'patientUnknown', 'earlierUnknown', 'carryUnknown'],
    ...['notComputed', 'limited', 'layers'],
  ] as const),
  per: z.enum(['person', 'family']),
  /** The sum of the earlier claims of the same person or of the family. */
  before: amount,
  /** The layers that the claim falls into, with its amount in each. */
  parts: z.array(z.object({ payer: z.enum(layerPayers), amount })),
});
export type AccountStep = z.infer<typeof accountStepSchema>;
type Part = AccountStep['parts'][number];

/** The layers with the sums where they begin and end, up to the one without an end. The first one begins below zero. */
function boundsOf(layers: Layers): { payer: Part['payer']; from: number; to: number }[] {
  const bounds: { payer: Part['payer']; from: number; to: number }[] = [];
  let from = 0;
  for (const { payer, amount: size } of layers) {
    const to = size === null ? Number.POSITIVE_INFINITY : from + size;
    bounds.push({ payer, from: bounds.length === 0 ? Number.NEGATIVE_INFINITY : from, to });
    from = to;
  }
  if (from < Number.POSITIVE_INFINITY) bounds.push({ payer: 'member', from, to: Number.POSITIVE_INFINITY });
  return bounds;
}

/** Splits an amount that follows the sum `before` into layers; the parts of a reversal are negative. */
export function splitByLayers(layers: Layers, before: number, amountOfClaim: number): Part[] {
  const [low, high] = [Math.min(before, before + amountOfClaim), Math.max(before, before + amountOfClaim)];
  const parts: Part[] = [];
  for (const { payer, from, to } of boundsOf(layers)) {
    const size = Math.min(high, to) - Math.max(low, from);
    if (size > 0) parts.push({ payer, amount: amountOfClaim < 0 ? -size : size });
  }
  return amountOfClaim < 0 ? parts.reverse() : parts;
}

/** The layer at a sum, with the rest of it and of the following layers of the same payer; null: without an end. */
export function layerAt(layers: Layers, sum: number): { payer: Part['payer']; left: number | null } {
  const rest = boundsOf(layers).filter(({ to }) => to > sum);
  const payer = rest[0]?.payer ?? 'member';
  const end = rest.find((bound) => bound.payer !== payer)?.from;
  return { payer, left: end === undefined ? null : end - sum };
}

/** Whether one payer pays everything between two sums. */
export const isOnePayer = (layers: Layers, low: number, high: number): boolean => {
  const { left } = layerAt(layers, low);
  return left === null || low + left >= high;
};

/**
 * Describes a step in a sentence: "Of $2,462.62: account $390.34, then member $200.00, then account $1,872.28."
 * `format` receives ten-thousandths of a dollar.
 */
export function sayAccountStep(step: AccountStep, format: (amount: number) => string): string {
  const { rule, per, base, share, parts } = step;
  const whose = per === 'person' ? 'this person’s' : 'the family’s';
  if (rule === 'baseUnknown') return 'Not known: the layers of the account need the amount that counts.';
  if (rule === 'yearUnknown') return 'Not known: without a date of service, the plan year is not known.';
  if (rule === 'patientUnknown')
    return 'Not known: the account counts by person, and the patient is not known.';
  if (rule === 'earlierUnknown')
    return `Not known: an amount of an earlier claim of the plan year is not known, and ${whose} layer or limit depends on it.`;
  if (rule === 'carryUnknown')
    return 'Not known: the limit depends on what the plan year before left, which is not known.';
  if (rule === 'notComputed') return 'Not known: the plan year of the family could not be computed.';
  if (base === 0) return 'None of this claim counts, so the account pays $0.';
  const said = parts.map(({ payer, amount: paidAmount }) => `${payer} ${format(paidAmount)}`).join(', then ');
  const limited = rule === 'limited' ? `; with the yearly limit, the account pays ${format(share ?? 0)}` : '';
  return `Of ${format(base ?? 0)}: ${said}${limited}.`;
}
