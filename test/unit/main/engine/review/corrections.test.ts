import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findDifference,
  findDisposition,
  findHoldingRun,
} from '../../../../../src/rules/money/corrections.ts';
import type { ClaimRun } from '../../../../../src/rules/review/run-facts.ts';
import { type Happening, happening, playHistory } from '../../../../support/pay-file-histories.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

it('a recipient who only adds up rows gets what is eligible as decided, whatever happened to a claim and its chain', () => {
  const seen = { chains: 0, disputed: 0, writtenOff: 0, unclear: 0, all: 0 };
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 12, size: 'max' }), (history) => {
      const { before, received, eligible, disputed, writtenOff, isHeld, claims } = playHistory(history);
      seen.all += 1;
      seen.chains += Number(claims > 1);
      if (eligible === null || disputed === null) {
        seen.unclear += 1;
        // An amount that is not clear is neither paid nor collected.
        expect(received).toBe(before);
        return;
      }
      seen.disputed += Number(disputed > 0 && received > eligible);
      seen.writtenOff += Number(writtenOff > 0);
      // A disputed or written-off amount is not collected; everything else ends at what is eligible.
      const most = eligible + disputed + writtenOff;
      expect(received).toBe(Math.min(isHeld ? before : Math.max(before, eligible), most));
    }),
    { numRuns: fuzzRuns(10_000) },
  );
  // The histories hold what they are about.
  expect(seen.chains).toBeGreaterThan(seen.all / 2);
  expect(seen.unclear).toBeLessThan(seen.all / 3);
  expect(Math.min(seen.disputed, seen.writtenOff)).toBeGreaterThan(seen.all / 500);
});

const decide = (eligible: number) => ({ kind: 'decide', outcome: 'partlyEligible', eligible }) as const;
const run = { kind: 'run', end: 'recorded' } as const;
const change = (byRules: number) => ({ kind: 'change', byRules }) as const;
const correct = (byRules: number): Happening => ({ kind: 'correct', byRules, status: 'Processed' });
const eligible = { kind: 'decide', outcome: 'eligible', eligible: 0 } as const;

it('distinguishes original, changed and reversed rows', () => {
  const history = [change(500_000), decide(300_000), run, decide(450_000), run];
  expect(playHistory(history).words).toEqual(['Original', 'Changed']);
  const back = { kind: 'decide', outcome: 'notEligible', eligible: 0 } as const;
  expect(playHistory([...history, back])).toMatchObject({
    ...{ received: 0, eligible: 0, words: ['Original', 'Changed', 'Reversal'] },
  });
});

describe('a corrected claim', () => {
  const paid = [change(10_000_000), eligible, run];
  it('sends only what differs from its original, and once', () => {
    const lower = [...paid, correct(8_000_000), eligible, run];
    expect(playHistory(lower)).toMatchObject({ received: 8_000_000, words: ['Original', 'Changed'] });
    expect(playHistory([...lower, run]).words).toHaveLength(2);
    expect(playHistory([...paid, correct(12_000_000)])).toMatchObject({
      before: 10_000_000,
      received: 12_000_000,
    });
  });
  it('waits while its original is in a sent run', () => {
    const open = { kind: 'run', end: 'open' } as const;
    const history = [change(10_000_000), eligible, open, correct(8_000_000), eligible];
    expect(playHistory(history)).toMatchObject({ before: 10_000_000, received: 8_000_000 });
    const sent: ClaimRun = { id: 'r', name: 'R', amount: 1, state: 'sent', reason: null };
    const mate = { claimId: 1, role: 'replaced' } as const;
    expect(findHoldingRun([], [{ ...mate, runs: [sent] }])).toBe(sent);
    // It leaves a run that is not sent.
    expect(findHoldingRun([], [{ ...mate, runs: [{ ...sent, state: 'checked' }] }])).toBeUndefined();
  });
  it('is reversed as a whole', () => {
    expect(playHistory([...paid, { kind: 'reverse' }])).toMatchObject({
      received: 0,
      words: ['Original', 'Reversal'],
    });
  });
});

it('reclaims no more than was sent, and nothing unknown', () => {
  expect(findDifference({ open: -300, owed: 300, sent: 200 })).toBe(-200);
  expect(findDifference({ open: -300, owed: 0, sent: 300 })).toBe(0);
  expect(findDifference({ open: 100, owed: 0, sent: 0 })).toBe(100);
  expect(findDifference({ open: null, owed: null, sent: 100 })).toBeNull();
  expect(findDisposition([], -100)).toBe('original');
});
