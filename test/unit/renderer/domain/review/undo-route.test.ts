import { expect, test } from 'vitest';
import { findUndoRoute, labelOfUndo } from '../../../../../src/renderer/domain/review/undo-route.ts';
import type { ListQuery } from '../../../../../src/rules/query.ts';
import type { ReviewEvent } from '../../../../../src/rules/review/review.ts';
import { worklistQuery } from '../../../../../src/rules/worklists/worklist-table.ts';

const event = (part: Partial<ReviewEvent>): ReviewEvent => ({
  id: 'event',
  at: '2026-03-01T12:00:00.000Z',
  author: 'lee@example.com',
  isImported: false,
  signedBy: null,
  computer: null,
  fact: { kind: 'decision', state: 'done', outcome: 'eligible', onWhom: null, reason: null, reminder: null },
  undoes: null,
  isUndone: false,
  claims: 1,
  claimId: null,
  filter: null,
  changes: null,
  payments: null,
  amounts: null,
  receipt: null,
  ...part,
});
const ofList = (query: ListQuery) => {
  const { sort: _sort, ...filter } = query;
  return event({ claims: 35, filter: JSON.stringify(filter) });
};
const overThousand = { field: 'amount_billed', operator: 'moreThan', values: [1000] } as const;

test('an act on one claim is undone there', () => {
  const one = event({ claimId: 20_007 });
  expect(findUndoRoute(one)).toEqual({ kind: 'claim', claimId: 20_007 });
  expect(labelOfUndo(one)).toBe('Eligible, claim 20007');
});

test('a judged pair is undone where the two are compared', () => {
  const fact = { kind: 'judgeDuplicate', otherClaimId: 9, isDuplicate: true } as const;
  const judged = event({ fact, claims: 2, claimId: 7 });
  expect(findUndoRoute(judged)).toEqual({ kind: 'duplicates', claimId: 7 });
  expect(labelOfUndo(judged)).toBe('Duplicate of claim 9, claim 7');
});

test('an act on a worklist is undone there, with the filters of that time', () => {
  const query = worklistQuery('changed');
  const narrowed = { ...query, conditions: [...(query.conditions ?? []), overThousand], search: 'imaging' };
  expect(findUndoRoute(ofList(narrowed as ListQuery))).toEqual({
    kind: 'worklist',
    id: 'changed',
    filter: { search: 'imaging', conditions: [overThousand], includesMissing: true },
  });
  expect(labelOfUndo(ofList(query))).toBe('Eligible, 35 claims in Changed');
});

test('an act on another list, or on claims that two worklists share, is undone in the list of claims', () => {
  const all = { search: '', conditions: [], includesMissing: false };
  expect(findUndoRoute(ofList({ entity: 'claims' }))).toEqual({ kind: 'claims', filter: all });
  const conditions = [
    ...(worklistQuery('new').conditions ?? []),
    ...(worklistQuery('denied').conditions ?? []),
  ];
  const shared = ofList({ entity: 'claims', conditions });
  expect(findUndoRoute(shared)).toEqual({ kind: 'claims', filter: { ...all, conditions } });
  expect(labelOfUndo(shared)).toBe('Eligible, 35 claims');
});

test('a call is undone on the page of its member', () => {
  const call = event({ fact: { kind: 'note', text: 'x', claimIds: [] }, claims: 0, memberId: 7 });
  expect(findUndoRoute(call)).toEqual({ kind: 'member', memberId: 7 });
  expect(labelOfUndo(call)).toBe('Logged call, member 7');
});

test('payments of a file are shown nowhere', () => {
  expect(findUndoRoute(event({ claims: 12 }))).toBeNull();
});
