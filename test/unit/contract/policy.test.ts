import { expect, test } from 'vitest';
import {
  describePolicy,
  type Policy,
  type PolicyRule,
  policyRules,
  policySchema,
} from '../../../src/contract/policy.ts';

const names = Object.keys(policyRules) as PolicyRule[];
const examples = Object.fromEntries(names.map((name) => [name, policyRules[name].example])) as Policy;

test('every rule allows its example, and is one sentence in Settings with where it was set', () => {
  expect(policySchema.parse(examples)).toEqual(examples);
  expect(describePolicy({}, {})).toEqual([]);
  const described = describePolicy(examples, { maxLockMinutes: 'userRegistry' });
  expect(described.map(({ rule }) => rule)).toEqual(names);
  for (const { sentence } of described) expect(sentence).toMatch(/^[A-Z][^.].*\.$/);
  expect(described).toContainEqual({
    rule: 'maxLockMinutes',
    sentence: 'Locks after 5 minutes without activity, or sooner.',
    source: 'the registry of this user',
  });
  expect(new Set(described.map(({ source }) => source))).toEqual(
    new Set(['the registry of this user', null]),
  );
});

test('the sentence of a rule states its value', () => {
  const say = (policy: Policy): string[] => describePolicy(policy, {}).map(({ sentence }) => sentence);
  expect(say({ maxLockMinutes: 1, minAuditYears: 1, allowedServices: [], allowUpdates: true })).toEqual([
    'Claims services: none.',
    'Locks after 1 minute without activity, or sooner.',
    'The audit log is kept for at least 1 year.',
    'Claimdesk can update itself.',
  ]);
});
