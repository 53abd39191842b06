import { z } from 'zod';
import { addDays } from '../days.ts';

/**
 * Kinds of payments. The first two are added to what was reimbursed. `repaid`, `offset` (a later payment was lowered by
 * it), and `reversed` are subtracted. `writtenOff` need not be repaid, and does not change what was reimbursed.
 */
export const paymentKinds = [
  'reimbursed',
  'matchedToCard',
  'repaid',
  'offset',
  'reversed',
  'writtenOff',
] as const;
export type PaymentKind = (typeof paymentKinds)[number];

/**
 * The sign with which a payment counts in what was reimbursed.
 * @example signOf('offset') // -1
 */
export const signOf = (kind: PaymentKind): 1 | 0 | -1 =>
  kind === 'reimbursed' || kind === 'matchedToCard' ? 1 : kind === 'writtenOff' ? 0 : -1;

/**
 * Whether a payment reduces what is owed back without moving money, so that it can't exceed that amount.
 * @example reducesOwed('writtenOff') // true
 */
export const reducesOwed = (kind: PaymentKind): boolean => kind === 'offset' || kind === 'writtenOff';

/** The parts of patient responsibility that an account may reimburse. */
export const eligibleParts = ['deductible', 'coinsurance', 'copay'] as const;
export type EligiblePart = (typeof eligibleParts)[number];

/**
 * The reimbursement rules of an employer. `networks` null: any network. `runOutDays`: days after a plan year
 * in which its claims can still be submitted. `decideDays`, `appealDays`: days after the carrier processed a
 * claim in which it must be decided (null: no such rule), and in which its denial can be appealed. `answerDays`: days
 * in which an appeal must be answered (29 CFR 2560.503-1(i)(2)(iii)).
 */
export const reimbursementRuleShape = {
  parts: z.array(z.enum(eligibleParts)),
  networks: z.array(z.string().max(80)).max(20).nullable(),
  runOutDays: z.int().min(0).max(1000),
  /** The plan-year amount from which a patient's claims are high cost, in ten-thousandths of a dollar; null: never. */
  highCostFrom: z.int().min(0).nullable(),
  decideDays: z.int().min(1).max(1000).nullable(),
  appealDays: z.int().min(1).max(1000),
  answerDays: z.int().min(1).max(1000),
};
const { decideDays, appealDays, answerDays } = reimbursementRuleShape;

/** The rules of an employer; those stored by version 0.2 lack the days to decide, to appeal and to answer. */
export const reimbursementRulesSchema = z.object({
  ...reimbursementRuleShape,
  decideDays: decideDays.default(null),
  appealDays: appealDays.default(180),
  answerDays: answerDays.default(60),
});
export type ReimbursementRules = z.infer<typeof reimbursementRulesSchema>;

export const defaultReimbursementRules: ReimbursementRules = {
  parts: [...eligibleParts],
  networks: null,
  runOutDays: 90,
  highCostFrom: null,
  decideDays: null,
  appealDays: 180,
  answerDays: 60,
};

/**
 * The key of settings for all employers of a service: its address, so that employer IDs mean the same employers on
 * every computer and in each workspace. The sample has a fixed key, because its address changes.
 */
export const serviceOf = ({ baseUrl, isSample }: { baseUrl: string; isSample: boolean }): string =>
  isSample ? 'sample:' : baseUrl;
/**
 * The key of settings for one employer. The `#` cannot be part of an address.
 * @example employerKeyOf('https://claims.example.com', 7) // 'https://claims.example.com#7'
 */
export const employerKeyOf = (service: string, employerId: number | null): string =>
  employerId === null ? service : `${service}#${employerId}`;

/** The rules for a claim: those of its employer, or for all employers of the service, or the defaults. */
export function rulesOf(
  rules: Readonly<Record<string, ReimbursementRules>>,
  service: string,
  employerId: number | null,
): ReimbursementRules {
  return rules[employerKeyOf(service, employerId)] ?? rules[service] ?? defaultReimbursementRules;
}

/** Why a claim is declined, entirely or in part: the choices until a workspace has its own. */
export const usualCauses: readonly string[] = [
  'Not covered by the account',
  'Over the account’s limit',
  'Not a qualified expense',
  'Missing receipt',
  'Paid by another plan',
  'Outside the plan year',
];

/** The choices of a workspace. */
export const causesOf = (
  causes: Readonly<Record<string, readonly string[]>>,
  workspaceId: string,
): readonly string[] => causes[workspaceId] ?? usualCauses;

/** How many days ahead a payment may be dated, because it may be planned. */
export const maxDaysAhead = 31;

/** Whether a day is too far ahead for a payment, which may be planned. */
export const isTooFarAhead = (day: string, today: string): boolean =>
  day > (addDays(today, maxDaysAhead) ?? day);

/** The largest payment, in ten-thousandths of a dollar: $100 million. */
export const maxPayment = 1e12;

/**
 * The sum of payments, in ten-thousandths of a dollar, at most `maxPayment`: payments come from files and colleagues, and
 * the sums of millions of claims have to be integers.
 * @example sumPayments([{ kind: 'reimbursed', amount: 500_000 }, { kind: 'repaid', amount: 200_000 }]) // 300_000
 */
export function sumPayments(payments: readonly { kind: PaymentKind; amount: number }[]): number {
  const sum = payments.reduce((before, { kind, amount }) => before + signOf(kind) * amount, 0);
  return Math.max(-maxPayment, Math.min(sum, maxPayment));
}

/**
 * Returns what was reimbursed, and what was written off of it, in ten-thousandths of a dollar.
 * @example paidOf([{ payment: 'reimbursed', amount: 500_000 }]) // { reimbursed: 500_000, writtenOff: 0 }
 */
export const paidOf = (payments: readonly { payment: PaymentKind; amount: number }[]) => {
  const all = payments.map(({ payment, amount }) => ({ kind: payment, amount }));
  const off = all.reduce((sum, { kind, amount }) => sum + (kind === 'writtenOff' ? amount : 0), 0);
  return { reimbursed: sumPayments(all), writtenOff: Math.min(off, maxPayment) };
};
