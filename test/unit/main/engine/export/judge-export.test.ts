import { expect, test } from 'vitest';
import { judgeExport } from '../../../../../src/main/engine/export/judge-export.ts';

test('without a policy everything goes out as it is asked for', () => {
  expect(() => judgeExport({}, { isSsnShown: true, reason: '' })).not.toThrow();
});

test.each([
  ['full SSNs', { isSsnShown: true, reason: 'appeal' }, 'policy.ssnMasked'],
  ['no reason', { isSsnShown: false, reason: '' }, 'policy.reasonNeeded'],
])('%s is refused', (_what, wanted, code) => {
  const policy = { allowSsnExport: false, requireExportReason: true };
  expect(() => judgeExport(policy, wanted)).toThrow(expect.objectContaining({ code }));
  expect(() => judgeExport(policy, { isSsnShown: false, reason: 'appeal' })).not.toThrow();
});
