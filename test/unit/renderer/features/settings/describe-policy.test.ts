import { expect, test } from 'vitest';
import { policySchema } from '../../../../../src/contract/policy.ts';
import { describePolicy } from '../../../../../src/renderer/features/settings/policy-settings.tsx';

test('every rule that can be set is told, and nothing where none is', () => {
  expect(describePolicy({})).toEqual([]);
  const all = {
    allowedServices: ['https://claims.example.com'],
    teamServers: ['https://team.example.com'],
    allowSsnExport: false,
    requireExportReason: true,
    maxLockMinutes: 5,
    requireUnlockPassphrase: true,
    allowUpdates: false,
    minAuditYears: 7,
  };
  expect(Object.keys(all)).toHaveLength(Object.keys(policySchema.shape).length);
  expect(describePolicy(all)).toHaveLength(Object.keys(all).length);
  expect(describePolicy(all).join(' ')).toContain('https://claims.example.com');
  expect(describePolicy(all)).toContain('Locks after 5 minutes without activity, or sooner.');
  expect(describePolicy({ maxLockMinutes: 1, minAuditYears: 1 })).toEqual([
    'Locks after 1 minute without activity, or sooner.',
    'The audit log is kept for at least 1 year.',
  ]);
});
