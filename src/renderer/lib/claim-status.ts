/**
 * The meaning of a status, or of a review's state or outcome for the person working on the claim, and so its color:
 * gray to do, blue in work, amber waiting or returned, green eligible or paid, red not eligible or denied. Unknown
 * values have none.
 */
export type StatusTone = 'todo' | 'open' | 'caution' | 'good' | 'bad';

/** The colors of notices with these meanings, by the names that components have for them. */
export const colorOfTone = {
  todo: 'gray',
  open: 'blue',
  caution: 'yellow',
  good: 'green',
  bad: 'red',
} as const satisfies Readonly<Record<StatusTone, string>>;

const tones: Readonly<Record<string, Readonly<Record<string, StatusTone>>>> = {
  status: {
    Processed: 'good',
    'In Process': 'open',
    'Under Review': 'open',
    Adjusted: 'open',
    'Partially Approved': 'caution',
    Rejected: 'bad',
  },
  'review.state': {
    todo: 'todo',
    inReview: 'open',
    waiting: 'caution',
    back: 'caution',
    escalated: 'caution',
    // "Done" has no tone, because the decision may be that nothing is eligible.
  },
  // An outcome that is not, or not fully, eligible must not look like a success.
  'review.outcome': {
    eligible: 'good',
    partlyEligible: 'caution',
    notEligible: 'bad',
    disputed: 'caution',
  },
};

/** The tone of a code in the field at this path. Colors accompany the text and never replace it. */
export const toneOfCode = (path: string, value: unknown): StatusTone | null => {
  const ofField = tones[path];
  const code = String(value);
  return ofField !== undefined && Object.hasOwn(ofField, code) ? (ofField[code] ?? null) : null;
};

export const toneOfStatus = (status: unknown): StatusTone | null => toneOfCode('status', status);

/** Whether the carrier did not pay all that was billed, so that a reason is expected. */
export const isTurnedDown = (status: unknown): boolean =>
  ['caution', 'bad'].includes(toneOfStatus(status) ?? '');
