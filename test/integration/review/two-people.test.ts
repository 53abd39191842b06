import { expect, it } from 'vitest';
import { defaultSettings } from '../../../src/contract/settings.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const payment = (amount: number) =>
  ({ kind: 'payment', payment: 'reimbursed', amount, day: '2026-11-20', account: '' }) as const;

function open(twoPeopleAbove?: number) {
  const clock = { now: () => Date.parse('2026-11-20T12:00:00.000Z') };
  const settings = () => ({
    ...defaultSettings,
    service: 'https://claims.example.com',
    team: { planYearStarts: {}, rules: {}, ...(twoPeopleAbove === undefined ? {} : { twoPeopleAbove }) },
    reviewsFrom: { [workspaceId]: '2000-01-01' },
  });
  const one = openComputer(makeTempFolder(), 'ana', clock, clock.now, undefined, undefined, settings);
  one.opened.ingest(
    'claims',
    [1, 2].map((id) => ({ id, status: 'Processed', amount_paid: 10 })),
  );
  const act = (claimId: number, wanted: Parameters<typeof one.reviews.act>[2]) =>
    one.reviews.act(workspaceId, { claimIds: [claimId] }, wanted);
  return {
    act,
    count: async () => (await one.reviews.listEvents({ workspaceId, offset: 0, limit: 9 })).events.length,
  };
}

it('refuses that one person decides a claim and records more than the team’s amount, in either order', async () => {
  const { act, count } = open(1_000_000);
  await act(1, decisionOf('eligible'));
  await act(1, payment(600_000));
  // In parts it is the same.
  await expect(act(1, payment(400_001))).rejects.toMatchObject({ code: 'review.needsSecond' });
  await act(1, payment(400_000));
  await act(2, payment(1_000_001));
  await expect(act(2, decisionOf('eligible'))).rejects.toMatchObject({ code: 'review.needsSecond' });
  expect(await count()).toBe(4);
});

it('refuses nothing of it in a team without the rule', async () => {
  const { act } = open();
  await act(1, decisionOf('eligible'));
  await act(1, payment(9_000_000));
});
