import { expect, test } from 'vitest';
import {
  describeDoubt,
  describeLeftOut,
  describePerson,
} from '../../../../../src/renderer/features/reviews/describe-import.ts';

const carol = {
  author: 'carol@example.com',
  isYou: false,
  events: 15,
  byKind: { decision: 12, payment: 3 },
  claims: 14,
  furtherClaims: 0,
  claimIds: Array.from({ length: 14 }, (_none, index) => 100 + index),
  notSigned: 3,
  keys: [
    { fingerprint: 'SHA256:old', isKnown: true },
    { fingerprint: 'SHA256:new', isKnown: false },
  ],
  paid: [{ payment: 'reimbursed' as const, payments: 3, amount: 3_401_200 }],
};

test('a person is shown with counts, payments and claims', () => {
  expect(describePerson(carol)).toEqual([
    'carol@example.com',
    '12 decisions, 3 payments; Reimbursed $340.12; on 14 claims (100, 101, 102, 103, 104, 105, 106, 107, 108, 109 and 4 more); signed with the same key as before, SHA256:old; signed with a key new here, SHA256:new; 3 not signed',
  ]);
  const { author } = carol;
  const further = {
    author,
    isYou: true,
    events: 0,
    byKind: {},
    claims: 1,
    furtherClaims: 1,
    claimIds: [7],
    notSigned: 0,
    keys: [],
    paid: [],
  };
  expect(describePerson(further)).toEqual([
    'You (carol@example.com), not on this computer',
    '1 claim added to entries already here; on 1 claim (7)',
  ]);
});

test('what to compare is shown if a key is new, or something is not signed', () => {
  const of = (...people: (typeof carol)[]) =>
    describeDoubt({
      ...{ events: 0, known: 0, byKind: {}, claims: 0, unknownClaims: 0, removedClaims: 0, people },
      ...{ actsLeftOut: [], ownClaimsLeftOut: 0 },
    });
  const known = carol.keys.slice(0, 1);
  expect(of({ ...carol, notSigned: 0, keys: known })).toBeNull();
  expect(of({ ...carol, notSigned: 0 })).toMatch(/^Compare the fingerprint of a key that is new here/);
  expect(of({ ...carol, keys: known })).toMatch(/^The file’s author chose the names of unsigned entries/);
});

test('what was left out is shown with its author, and nothing if nothing was', () => {
  const actsLeftOut = [{ author: 'mallory@example.com', kind: 'undo', events: 2 }];
  const none = { events: 0, known: 0, byKind: {}, claims: 0, unknownClaims: 0, removedClaims: 0, people: [] };
  const report = { ...none, actsLeftOut: [], ownClaimsLeftOut: 0 };
  expect(describeLeftOut(report)).toBeNull();
  expect(describeLeftOut({ ...report, actsLeftOut, ownClaimsLeftOut: 1 })).toBe(
    'Left out, because only their author can change reviews, and those made on this computer change only here: 2 undone acts by mallory@example.com, 1 claim of reviews made on this computer.',
  );
});
