import { expect, test } from 'vitest';
import { auditActions, auditFindings, auditKinds } from '../../../../src/contract/audit.ts';
import { nothingChosen, toFilter } from '../../../../src/renderer/features/audit/audit-filters.tsx';
import {
  describeEntry,
  describeVerdict,
  kindLabels,
} from '../../../../src/renderer/features/audit/describe-entry.ts';

test.each<[Parameters<typeof describeEntry>[0], string]>([
  [{ action: 'record.opened', details: { list: 'claims', recordId: 7 } }, 'Opened a claim'],
  [{ action: 'ssn.revealed', details: { list: 'members', count: 1 } }, 'Revealed an SSN'],
  [
    { action: 'ssn.revealed', details: { list: 'members', count: 1200 } },
    'Revealed the SSNs of 1,200 members',
  ],
  [{ action: 'ssn.searched', details: { list: 'members' } }, 'Searched members by SSN'],
  [
    { action: 'identifier.searched', details: { list: 'members', by: 'birthDate email', hits: 1 } },
    'Searched members by date of birth and email (1 result)',
  ],
  [{ action: 'records.copied', details: { list: 'lines', rows: 2 } }, 'Copied 2 rows of claim lines'],
  [
    { action: 'export.begun', details: { list: 'claimLines', reason: 'Accounting', isSsnShown: false } },
    'Started an export of claims with lines. Reason: Accounting',
  ],
  [
    {
      action: 'reviews.imported',
      details: { events: 3, claims: 2, people: 1, author1: 'lee@example.com: note 3, claims 2' },
    },
    'Imported 3 review entries, as the file says by lee@example.com: note 3, claims 2',
  ],
  [{ action: 'unlock.failed', details: { count: 3 } }, 'Failed to unlock (3 tries)'],
  [{ action: 'audit.trimmed', details: { entries: 1 } }, 'Removed 1 entry older than the log is kept'],
])('%j reads: %s', (entry, text) => {
  expect(describeEntry(entry)).toBe(text);
});

test('every action has a text, which contains none of its details except counts', () => {
  for (const action of auditActions) {
    const text = describeEntry({
      action,
      details: { list: 'members', keyId: 'k7q', by: 'memberId', found: 'altered' },
    });
    expect(text).not.toBe(action);
    expect(text).not.toContain('k7q');
    expect(text).toMatch(/^[A-Z]/);
  }
  expect(auditKinds.every((kind) => kindLabels[kind] !== '')).toBe(true);
});

test('a verdict is a sentence, with the entry', () => {
  const intact = { isIntact: true, entries: 1200, from: 1, firstBad: null, reason: null };
  expect(describeVerdict(intact)).toBe('Intact: 1,200 entries.');
  expect(describeVerdict({ ...intact, from: 40 })).toBe('Intact: 1,200 entries, verified from entry 40 on.');
  expect(describeVerdict({ ...intact, entries: 0 })).toBe('There are no entries yet.');
  const texts = auditFindings.map((reason) =>
    describeVerdict({ ...intact, isIntact: false, reason, firstBad: 7 }),
  );
  expect(new Set(texts).size).toBe(auditFindings.length);
  expect(texts[0]).toBe('Not intact: an entry was changed (entry 7).');
});

test('days are those of this computer, both included; a record is one of the open workspace', () => {
  const chosen = { ...nothingChosen, kind: 'seen' as const, from: '2026-11-20', to: '2026-11-20', id: ' 7 ' };
  const filter = toFilter(chosen, 'w');
  expect(filter).toMatchObject({ kinds: ['seen'], record: { workspaceId: 'w', list: 'members', id: 7 } });
  expect(Date.parse(filter.before ?? '') - Date.parse(filter.since ?? '')).toBe(86_400_000);
  expect(new Date(filter.since ?? '').getHours()).toBe(0);
  expect(toFilter({ ...chosen, id: '7x' }, 'w').record).toBeUndefined();
  expect(toFilter(chosen, null).record).toBeUndefined();
  expect(toFilter(nothingChosen, 'w')).toEqual({});
});
