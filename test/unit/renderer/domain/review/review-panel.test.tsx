import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import { decideAmounts } from '../../../../../src/contract/decided-amounts.ts';
import type { ClaimReview, ReviewEvent } from '../../../../../src/contract/review.ts';
import type { ReviewedChange } from '../../../../../src/contract/reviewed-values.ts';
import { defaultSettings } from '../../../../../src/contract/settings.ts';
import { ReviewPanel } from '../../../../../src/renderer/domain/review/review-panel.tsx';
import { BridgeProvider } from '../../../../../src/renderer/lib/desk-context.tsx';
import { createDeskCache } from '../../../../../src/renderer/lib/desk-query.ts';
import { keyOf } from '../../../../../src/renderer/lib/query-keys.ts';

const workspaceId = 'w';
const claimId = 7;
const at = '2026-03-09T12:00:00.000Z';
const reviewed: ClaimReview = {
  ...{ claimId, state: 'done', outcome: 'notEligible', onWhom: null, reason: null, reminder: null },
  ...{
    owner: null,
    isFlagged: false,
    tags: [],
    notes: [],
    duplicates: [],
    reviewedAt: at,
    reviewedBy: 'a@example.com',
  },
  ...{ receipt: null, changedAt: null, changes: [], payments: [], reimbursed: 0 },
  ...{ byRules: 0, eligible: 0, declined: 0, disputed: 0, open: 0 },
  ...{ partly: null, cause: null, basis: { rule: 'rejected', values: {} }, olderRecord: null },
};
const decided: ReviewEvent = {
  ...{ id: 'e', at, author: 'a@example.com', isImported: false, undoes: null, isUndone: false },
  ...{ claims: 1, claimId, filter: null, changes: null, payments: null, amounts: null, receipt: null },
  fact: {
    ...{ kind: 'decision', state: 'done', outcome: 'notEligible' },
    ...{ onWhom: null, reason: null, reminder: null },
  },
};
const noted: ReviewedChange = {
  ...{ name: 'check_number', label: 'Check number', effect: 'noted', before: '0071', after: '0071R' },
};

/** Words of the panel, without markup. */
function draw(review: Partial<ClaimReview>, event: Partial<ReviewEvent> = {}): string {
  const cache = createDeskCache();
  cache.setQueryData(keyOf('settings:get', {}), defaultSettings);
  cache.setQueryData(keyOf('reviews:get', { workspaceId, claimId }), { ...reviewed, ...review });
  cache.setQueryData(keyOf('reviews:listEvents', { workspaceId, claimId, offset: 0, limit: 5 }), {
    ...{ events: [{ ...decided, ...event }], total: 1 },
  });
  return renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={cache}>
        <BridgeProvider bridge={{} as DeskBridge}>
          <ReviewPanel
            workspaceId={workspaceId}
            claimId={claimId}
            onNext={null}
            classNames={{ decision: undefined, record: undefined }}
          />
        </BridgeProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

test('what was noted stands beside a done review and at its decision in the history, with before and after', () => {
  const change = 'Field Before After Check number 0071 0071R';
  expect(draw({ changes: [noted] })).toContain(`Also changed since your review ${change}`);
  expect(draw({}, { changes: [noted] })).toContain(`Also changed afterwards (1) ${change}`);
  expect(draw({})).not.toContain('Check number');
});

test.each([
  ['notEligible', 'Not eligible'],
  ['duplicate', 'Duplicate'],
  ['noAction', 'No action'],
] as const)('%s: nothing is eligible or open, and what the rules gave is struck out', (outcome, label) => {
  const byRules = 48_358_300;
  const { declined, eligible, open } = decideAmounts(byRules, { outcome, kept: null, reimbursed: 0 });
  const drawn = draw({ outcome, byRules, declined, eligible, open });
  expect(drawn).toContain(`Review ${label}`);
  expect(drawn).toContain(
    'Eligible as decided by the rules $4,835.83 $0.00 Declined $4,835.83 Reimbursed $0.00 Open $0.00',
  );
});

test('the reason of a claim of which the rules gave nothing is shown', () => {
  expect(draw({ cause: 'Paid by another plan' })).toContain('Declined · Paid by another plan $0.00');
  expect(draw({})).not.toContain('Declined');
});
