import { screen, within } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { decideAmounts } from '../../../../../src/contract/decided-amounts.ts';
import type { Output } from '../../../../../src/contract/procedures.ts';
import type { Part } from '../../../../support/contract-values.ts';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const claim = { id: 7, patient_name: longName };
const ofReview = {
  'reviews:get': {},
  'reviews:listEvents': {},
  'worklists:why': {},
  'records:getMember': {},
};

testStates('/claims/7', 'records:getClaim', ['the claim', 'Couldn’t load this claim'], {
  filled: { claim },
  others: { ...noRecords, ...ofReview },
});
testStates('/claims/7/file', 'records:getClaim', ['the claim file', 'Couldn’t load the claim file'], {
  filled: { claim },
  others: { ...noRecords, ...ofReview },
});
testStates('/claims/7/duplicates', 'duplicates:of', ['the comparison', 'Couldn’t compare this claim'], {
  filled: {
    pairs: [
      { left: 7, right: 8, kind: 'exact', fields: [{ label: 'Patient', left: longName, right: longName }] },
    ],
  },
  empty: [{}, 'No duplicates'],
  others: noRecords,
});

describe('the review of a claim', () => {
  const noted = { label: 'Check number', effect: 'noted', before: '0071', after: '0071R' } as const;
  const decision = { kind: 'decision', state: 'done', outcome: 'notEligible' } as const;
  const decided = {
    claims: 1,
    claimId: 7,
    fact: { ...decision, onWhom: null, reason: null, reminder: null },
  };

  /** The words of the claim's page, once its review is there. */
  async function read(review: Part<Output<'reviews:get'>>, changes: (typeof noted)[] | null = null) {
    renderScreen('/claims/7', {
      ...noRecords,
      ...ofReview,
      'records:getClaim': { claim },
      'reviews:get': {
        ...{ claimId: 7, state: 'done', outcome: 'notEligible', basis: { rule: 'rejected', values: {} } },
        ...{ byRules: 0, eligible: 0, declined: 0, disputed: 0, open: 0, ...review },
      },
      'reviews:listEvents': { events: [{ ...decided, changes }], total: 1 },
    });
    await within(await screen.findByRole('region', { name: 'Review history' })).findAllByText(/Not eligible/);
    await screen.findByRole('region', { name: 'Reimbursement' });
    const words = document.createTreeWalker(screen.getByRole('main'), NodeFilter.SHOW_TEXT);
    const all: string[] = [];
    while (words.nextNode()) all.push(words.currentNode.textContent ?? '');
    return all.join(' ').replace(/\s+/g, ' ');
  }

  test('has what was noted beside it and at its decision in the history, with before and after', async () => {
    const change = 'Field Before After Check number 0071 0071R';
    expect(await read({ changes: [noted] })).toContain(`Also changed since your review ${change}`);
    expect(await read({}, [noted])).toContain(`Also changed afterwards (1) ${change}`);
    expect(await read({})).not.toContain('Check number');
  });

  test.each([
    ['notEligible', 'Not eligible'],
    ['duplicate', 'Duplicate'],
    ['noAction', 'No action'],
  ] as const)(
    '%s: nothing is eligible or open, and what the rules gave is struck out',
    async (outcome, label) => {
      const byRules = 48_358_300;
      const { declined, eligible, open } = decideAmounts(byRules, { outcome, kept: null, reimbursed: 0 });
      const words = await read({ outcome, byRules, declined, eligible, open });
      expect(words).toContain(`Review ${label}`);
      expect(words).toContain(
        'Eligible as decided by the rules $4,835.83 $0.00 Declined $4,835.83 Reimbursed $0.00 Open $0.00',
      );
    },
  );

  test('has its reason where the rules gave nothing', async () => {
    expect(await read({ cause: 'Paid by another plan' })).toContain('Declined · Paid by another plan $0.00');
    expect(await read({})).not.toContain('Declined');
  });
});
