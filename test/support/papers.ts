import type { Paper } from '../../src/contract/papers.ts';

const ofClaim = { claimId: 7, patient: 'Ana Ruiz', author: 'ben@example.com', digest: 'ab'.repeat(32) };
/** Two letters, of which one is no longer true, and a document of a claim, the newest first. */
export const somePapers: readonly Paper[] = [
  {
    ...{ ...ofClaim, id: 'l2', at: '2026-11-03T12:00:00.000Z', letter: 'notEligible', isUntrue: true },
    ...{ document: null, name: null },
  },
  {
    ...{ ...ofClaim, id: 'd1', at: '2026-11-02T12:00:00.000Z', letter: null, isUntrue: false },
    ...{ document: 'receipt', name: 'receipt.pdf' },
  },
  {
    ...{ ...ofClaim, id: 'l1', at: '2026-11-01T12:00:00.000Z', letter: 'documentsNeeded', isUntrue: false },
    ...{ document: null, name: null },
  },
];
