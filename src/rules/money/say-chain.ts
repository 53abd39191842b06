import type { ChainRest } from './chain-balance.ts';
import type { MissingAnswer } from './chain-claim.ts';
import type { ChainRole } from './chains.ts';

/** The label of a role in lists, filters and files. */
export const chainRoleLabels: Readonly<Record<ChainRole, string>> = {
  unclear: 'To judge',
  reversal: 'Reversal',
  takenBack: 'Reversed',
  replaced: 'Replaced',
  awaitsCorrection: 'Correction in process',
  correctionRejected: 'Correction rejected',
  inProcess: 'Correction, not processed',
  rejected: 'Correction, rejected',
  missing: 'Gone',
  missingOwed: 'Gone, owed back',
  archived: 'Archived',
  addsTo: 'Adds to another claim',
  standing: 'Counts for its chain',
};

/** The labels of the answers about a claim that is no longer in the service. */
export const missingAnswerLabels: Readonly<Record<MissingAnswer, string>> = {
  owedBack: 'Owed back',
  keep: 'Archived, keep',
};

const sentences: Readonly<Record<ChainRole, string>> = {
  unclear:
    'It shares its number with claim {by}, and it is not clear how they relate. Nothing is paid until you choose.',
  reversal: 'It reverses claim {by}. Neither of them counts.',
  takenBack: 'Claim {by} reversed it. Neither of them counts.',
  replaced: 'Replaced by claim {by}, which counts instead.',
  awaitsCorrection:
    'The carrier is processing a correction, claim {by}. This claim is held from runs until then.',
  correctionRejected: 'The carrier denied a correction, claim {by}. This claim counts as before.',
  inProcess: 'A correction of claim {by} that the carrier has not processed yet.',
  rejected: 'A correction of claim {by} that the carrier denied.',
  missing:
    'This claim is no longer in the service. Nothing is paid or owed back until you choose what that means.',
  missingOwed:
    'This claim is no longer in the service, and you or your team said that what was paid is owed back.',
  archived: 'This claim is no longer in the service, and you or your team said that it was only archived.',
  addsTo: 'It adds to claim {by}, which shows the open amount of both.',
  standing: 'It counts for its chain: the open and owed amounts include all payments of the chain.',
};

/** Describes a claim's role in its chain in one or two sentences. */
export const sayChainRole = ({ role, by }: Pick<ChainRest, 'role' | 'by'>): string =>
  sentences[role].replace('{by}', String(by));
