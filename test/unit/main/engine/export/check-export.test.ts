import { expect, test } from 'vitest';
import { checkExport } from '../../../../../src/main/engine/export/check-export.ts';

test('without a policy everything goes out as it is asked for', () => {
  expect(() => checkExport({}, { isSsnShown: true, reason: '' })).not.toThrow();
});

test.each([
  ['full SSNs', { isSsnShown: true, reason: 'appeal' }, 'policy.ssnMasked'],
  ['no reason', { isSsnShown: false, reason: '' }, 'policy.reasonNeeded'],
])('%s is refused', (_what, wanted, code) => {
  const policy = { allowSsnExport: false, requireExportReason: true };
  expect(() => checkExport(policy, wanted)).toThrow(expect.objectContaining({ code }));
  expect(() => checkExport(policy, { isSsnShown: false, reason: 'appeal' })).not.toThrow();
});
