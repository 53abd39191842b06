/** What a carrier's status means for the work at hand; a status that is not known has none. */
export type StatusTone = 'good' | 'open' | 'caution' | 'bad';

const tones: Readonly<Record<string, StatusTone>> = {
  Processed: 'good',
  'In Process': 'open',
  Adjusted: 'open',
  'Partially Approved': 'caution',
  Rejected: 'bad',
};

/** Colors go with the word, never in its place. */
export const toneOfStatus = (status: unknown): StatusTone | null => tones[String(status)] ?? null;

/** Whether the carrier did not pay all that was asked, so that a reason is expected. */
export const isTurnedDown = (status: unknown): boolean =>
  ['caution', 'bad'].includes(toneOfStatus(status) ?? '');
