import type { ClaimNumber, PersonName, ProviderIds } from '../compare-values.ts';

export const missingAnswers = ['owedBack', 'keep'] as const;
export type MissingAnswer = (typeof missingAnswers)[number];

/** The answers about two claims that share a number: how the first one relates to the second one. */
export const chainRelations = ['replaces', 'addsTo', 'unrelated'] as const;
export type ChainRelation = (typeof chainRelations)[number];

/** A line with the values that distinguish it. Days are `YYYY-MM-DD`, amounts ten-thousandths of a dollar. */
export interface ChainLine {
  readonly first: string | null;
  readonly last: string | null;
  /** The procedure or drug code. */
  readonly code: string | null;
  readonly billed: number | null;
}

/** The values of a claim that determine its chain. Amounts are as sent or, if not sent, as calculated. */
export interface ChainClaim {
  readonly id: number;
  readonly connection: number | null;
  readonly number: ClaimNumber | null;
  readonly name: PersonName | null;
  readonly provider: ProviderIds;
  readonly status: string | null;
  /** The day on which the carrier processed it. */
  readonly processed: string | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly billed: number | null;
  readonly patientResponsibility: number | null;
  readonly lines: readonly ChainLine[];
  readonly isMissing: boolean;
  readonly missingAnswer: MissingAnswer | null;
}

/** An answer about how a claim relates to another one. */
export interface JudgedRelation {
  readonly claimId: number;
  readonly otherClaimId: number;
  readonly relation: ChainRelation;
}
