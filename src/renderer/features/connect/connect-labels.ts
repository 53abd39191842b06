import type { CarrierConnection, PatientAccess, Validation } from '../../../contract/carrier-connections.ts';

/** The label of a severity, so that it does not depend on color. */
export const severityLabels: Readonly<Record<CarrierConnection['severity'], string>> = {
  critical: 'Action required',
  warning: 'Needs attention',
  running: 'Checking',
  fine: 'Working',
  unknown: 'Pending first update',
};

export type Tone = 'bad' | 'caution' | 'busy' | 'good' | 'none';

export const severityTones: Readonly<Record<CarrierConnection['severity'], Tone>> = {
  critical: 'bad',
  warning: 'caution',
  running: 'busy',
  fine: 'good',
  unknown: 'none',
};

/** Returns the label of a running or ended validation, with what the user has to do. */
export function describeTurn(validation: Pick<Validation, 'phase' | 'outcome'>): {
  label: string;
  tone: Tone;
} {
  if (validation.phase === 'chooseMethod') return { label: 'Choose how to get the code', tone: 'caution' };
  if (validation.phase === 'enterCode') return { label: 'Enter verification code', tone: 'caution' };
  if (validation.phase === 'working') return { label: 'In progress', tone: 'busy' };
  switch (validation.outcome) {
    case 'connected':
      return { label: 'Connected', tone: 'good' };
    case 'provisional':
      return { label: 'Accepted, awaiting confirmation', tone: 'caution' };
    case 'attention':
      return { label: 'Needs attention', tone: 'caution' };
    case 'failed':
      return { label: 'Not connected', tone: 'bad' };
    default:
      return { label: 'Result unknown', tone: 'none' };
  }
}

export const signInLabels: Readonly<Record<PatientAccess['phase'], { label: string; tone: Tone }>> = {
  ready: { label: 'Page not opened yet', tone: 'none' },
  waiting: { label: 'Waiting for the member', tone: 'busy' },
  connected: { label: 'Connected', tone: 'good' },
  failed: { label: 'Not connected', tone: 'bad' },
  abandoned: { label: 'Abandoned', tone: 'caution' },
};

/** Returns whether the carrier waits for the user's answer. */
export const isAsking = ({ phase }: Pick<Validation, 'phase'>): boolean =>
  phase === 'chooseMethod' || phase === 'enterCode';

/** A text that changes whenever other connections are running. */
export const runningKey = (
  connections: readonly Pick<CarrierConnection, 'policyHolderId' | 'isRunning'>[] | undefined,
): string =>
  (connections ?? [])
    .flatMap((connection) => (connection.isRunning ? [connection.policyHolderId] : []))
    .join(' ');

/** Whether entering a login is the next step. A migrating carrier needs another connection instead. */
export function mayCorrect(
  connection: Pick<CarrierConnection, 'severity' | 'needsCorrection' | 'loginProblem'> | undefined,
  validation: Pick<Validation, 'phase' | 'outcome'> | null,
): boolean {
  if (validation !== null && validation.phase !== 'ended') return false;
  if (connection?.loginProblem === 'migrating') return false;
  const endedBadly =
    validation !== null && !['connected', 'provisional', 'unknown'].includes(validation.outcome ?? '');
  return (
    endedBadly ||
    connection?.needsCorrection === true ||
    connection?.severity === 'critical' ||
    connection?.severity === 'warning'
  );
}

/** The carriers whose name contains every typed word. */
export function findCarriers<C extends { readonly name: string }>(
  carriers: readonly C[],
  typed: string,
): C[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return carriers.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** The carrier whose whole name was typed, where others contain the same words. */
export function findNamed<C extends { readonly name: string }>(
  carriers: readonly C[],
  typed: string,
): C | undefined {
  return carriers.find(({ name }) => name.toLowerCase() === typed.trim().toLowerCase());
}
