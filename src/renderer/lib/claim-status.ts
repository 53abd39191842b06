/** What a carrier's status means for the person working on the claim; an unknown status has none. */
export type StatusTone = 'good' | 'open' | 'caution' | 'bad';

const tones: Readonly<Record<string, StatusTone>> = {
  Processed: 'good',
  'In Process': 'open',
  Adjusted: 'open',
  'Partially Approved': 'caution',
  Rejected: 'bad',
};

/** Colors accompany the text and never replace it. */
export const toneOfStatus = (status: unknown): StatusTone | null => tones[String(status)] ?? null;

/** Whether the carrier did not pay all that was billed, so that a reason is expected. */
export const isTurnedDown = (status: unknown): boolean =>
  ['caution', 'bad'].includes(toneOfStatus(status) ?? '');
