import type { ReviewAct } from '../../src/rules/review/event-kinds.ts';

/** The act of a letter that says the claim is not eligible; `digit` makes its digest. */
export const madeLetter = (digit: number): Extract<ReviewAct, { kind: 'letter' }> => ({
  ...{ kind: 'letter', letter: 'notEligible', digest: digit.toString(16).padStart(64, '0') },
  said: {
    ...{ outcome: 'notEligible', cause: null, eligible: 0, declined: 100, reimbursed: 0, owed: 0 },
    ...{ counted: 0, disputed: 0, writtenOff: 0 },
  },
});
