import { expect, test } from 'vitest';
import { checkExportPolicy } from '../../../../../src/main/engine/export/check-export-policy.ts';

test('without a policy everything is exported as requested', () => {
  expect(() => checkExportPolicy({}, { isSsnShown: true, reason: '' })).not.toThrow();
});

test.each([
  ['full SSNs', { isSsnShown: true, reason: 'appeal' }, 'policy.ssnMasked'],
  ['no reason', { isSsnShown: false, reason: '' }, 'policy.reasonNeeded'],
])('%s is refused', (_what, wanted, code) => {
  const policy = { allowSsnExport: false, requireExportReason: true };
  expect(() => checkExportPolicy(policy, wanted)).toThrow(expect.objectContaining({ code }));
  expect(() => checkExportPolicy(policy, { isSsnShown: false, reason: 'appeal' })).not.toThrow();
});
