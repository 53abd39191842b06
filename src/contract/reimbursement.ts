import { z } from 'zod';

/** What was recorded of a payment. The first two add to what was reimbursed, the others take from it. */
export const paymentKinds = ['reimbursed', 'matchedToCard', 'repaid', 'reversed'] as const;
export type PaymentKind = (typeof paymentKinds)[number];

/** The parts of patient responsibility that an account may reimburse. */
export const eligibleParts = ['deductible', 'coinsurance', 'copay'] as const;
export type EligiblePart = (typeof eligibleParts)[number];

/** What an employer's account reimburses. `networks` null: any. `runOutDays`: for claims of a plan year after its end. */
export const reimbursementRulesSchema = z.object({
  parts: z.array(z.enum(eligibleParts)),
  networks: z.array(z.string().max(80)).max(20).nullable(),
  runOutDays: z.int().min(0).max(1000),
  /** Ten-thousandths of a dollar of a person's plan year from which it counts as high cost; null: none. */
  highCostFrom: z.int().min(0).nullable(),
});
export type ReimbursementRules = z.infer<typeof reimbursementRulesSchema>;

export const defaultReimbursementRules: ReimbursementRules = {
  parts: [...eligibleParts],
  networks: null,
  runOutDays: 90,
  highCostFrom: null,
};

/**
 * What settings of a service's employers are stored by: the address of the service, so that they mean the same employers on
 * every computer and in each workspace. The sample, whose address is another one each time, has a name.
 */
export const serviceOf = ({ baseUrl, isSample }: { baseUrl: string; isSample: boolean }): string =>
  isSample ? 'sample:' : baseUrl;
/** The same of one employer, by the service's ID. An address has no `#`. */
export const employerKeyOf = (service: string, employerId: number | null): string =>
  employerId === null ? service : `${service}#${employerId}`;

/** The rules of a claim's employer: its own, else those of the service's other employers, else the usual ones. */
export function rulesOf(
  rules: Readonly<Record<string, ReimbursementRules>>,
  service: string,
  employerId: number | null,
): ReimbursementRules {
  return rules[employerKeyOf(service, employerId)] ?? rules[service] ?? defaultReimbursementRules;
}

/** Why a claim is declined, wholly or in part, until a workspace has a list of its own. */
export const usualCauses: readonly string[] = [
  'Not covered by the account',
  'Over the account’s limit',
  'Not a qualified expense',
  'Missing receipt',
  'Paid by another plan',
  'Outside the plan year',
];

/** The causes that a workspace offers. */
export const causesOf = (
  causes: Readonly<Record<string, readonly string[]>>,
  workspaceId: string,
): readonly string[] => causes[workspaceId] ?? usualCauses;

/** The sum of payments, in their unit. */
export function sumPayments(payments: readonly { kind: PaymentKind; amount: number }[]): number {
  return payments.reduce(
    (sum, { kind, amount }) => sum + (kind === 'repaid' || kind === 'reversed' ? -amount : amount),
    0,
  );
}
