import { expect, test } from 'vitest';
import { connectionsOfClaims } from '../../../../../src/renderer/features/connect/connections-of-claims.ts';
import type { Row } from '../../../../../src/rules/query.ts';

const claim = (id: number | null, modifieddate: string | null, rest: Row = {}): Row => ({
  'policy_holder.id': id,
  'policy_holder.first_name': 'Ana',
  'policy_holder.last_name': 'Ruiz',
  carrier: null,
  modifieddate,
  ...rest,
});

test('claims show their connections: subscriber, carrier if known, and the last change', () => {
  const rows = [
    claim(7, '2026-02-01T10:00:00Z'),
    claim(7, '2026-02-03 09:00:00', { carrier: 'Harbor Health' }),
    claim(8, '2026-03-01T00:00:00Z', { 'policy_holder.first_name': null, 'policy_holder.last_name': null }),
    claim(7, null),
    claim(null, '2026-04-01T00:00:00Z'),
  ];
  expect(connectionsOfClaims(rows)).toEqual([
    { policyHolderId: 8, subscriber: '', carrier: null, claims: 1, lastChangedAt: '2026-03-01T00:00:00Z' },
    {
      policyHolderId: 7,
      subscriber: 'Ana Ruiz',
      carrier: 'Harbor Health',
      claims: 3,
      lastChangedAt: '2026-02-03 09:00:00',
    },
  ]);
});

test('times are compared as times, whatever their zone, and invalid ones count as unknown', () => {
  const [only] = connectionsOfClaims([
    claim(7, '2026-02-01T23:30:00-05:00'),
    claim(7, '2026-02-02T04:00:00Z'),
    claim(7, 'soon'),
  ]);
  expect(only?.lastChangedAt).toBe('2026-02-01T23:30:00-05:00');
  expect(connectionsOfClaims([claim(7, 'soon')])[0]?.lastChangedAt).toBeNull();
});
