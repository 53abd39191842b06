import type { ConnectionView, PatientAccessView, ValidationView } from '../../../contract/connect-views.ts';

/** A severity in words that say it without a colour. */
export const severityWords: Readonly<Record<ConnectionView['severity'], string>> = {
  critical: 'Action required',
  warning: 'Needs attention',
  running: 'Checking',
  fine: 'Works',
  unknown: 'Pending first update',
};

export type Tone = 'bad' | 'caution' | 'busy' | 'good' | 'none';

export const severityTones: Readonly<Record<ConnectionView['severity'], Tone>> = {
  critical: 'bad',
  warning: 'caution',
  running: 'busy',
  fine: 'good',
  unknown: 'none',
};

/** What a person has to do, if anything, said of a validation that runs or has ended. */
export function describeTurn(validation: Pick<ValidationView, 'phase' | 'outcome'>): {
  words: string;
  tone: Tone;
} {
  if (validation.phase === 'chooseMethod') return { words: 'Choose how to get the code', tone: 'caution' };
  if (validation.phase === 'enterCode') return { words: 'Enter verification code', tone: 'caution' };
  if (validation.phase === 'working') return { words: 'In progress', tone: 'busy' };
  switch (validation.outcome) {
    case 'connected':
      return { words: 'Connected', tone: 'good' };
    case 'provisional':
      return { words: 'Accepted, awaiting confirmation', tone: 'caution' };
    case 'attention':
      return { words: 'Needs attention', tone: 'caution' };
    case 'failed':
      return { words: 'Not connected', tone: 'bad' };
    default:
      return { words: 'Result unknown', tone: 'none' };
  }
}

export const signInWords: Readonly<Record<PatientAccessView['phase'], { words: string; tone: Tone }>> = {
  ready: { words: 'Page not opened yet', tone: 'none' },
  waiting: { words: 'Waiting for the member', tone: 'busy' },
  connected: { words: 'Connected', tone: 'good' },
  failed: { words: 'Not connected', tone: 'bad' },
  abandoned: { words: 'Abandoned', tone: 'caution' },
};

/** Whether somebody has to answer the carrier now. */
export function isAsking({ phase }: Pick<ValidationView, 'phase'>): boolean {
  return phase === 'chooseMethod' || phase === 'enterCode';
}

/** Another text whenever other connections are running. */
export function runningKey(
  connections: readonly Pick<ConnectionView, 'policyHolderId' | 'isRunning'>[] | undefined,
): string {
  return (connections ?? []).flatMap((one) => (one.isRunning ? [one.policyHolderId] : [])).join(' ');
}

/** Whether a new or another login is what to do next. A migrating carrier wants another connection instead. */
export function mayCorrect(
  connection: Pick<ConnectionView, 'severity' | 'needsCorrection' | 'loginProblem'> | undefined,
  validation: Pick<ValidationView, 'phase' | 'outcome'> | null,
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

/** "1.4 s", for the duration of a call. */
export function describeDuration(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`;
}

/** The carriers whose name has every word that was typed. */
export function findCarriers<C extends { readonly name: string }>(
  carriers: readonly C[],
  typed: string,
): C[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return carriers.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** The carrier whose whole name was typed, where others have the same words. */
export function findNamed<C extends { readonly name: string }>(
  carriers: readonly C[],
  typed: string,
): C | undefined {
  return carriers.find(({ name }) => name.toLowerCase() === typed.trim().toLowerCase());
}
