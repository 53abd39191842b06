import { expect, test } from 'vitest';
import type { ExportColumn } from '../../../../../src/contract/export-columns.ts';
import { makeNotes } from '../../../../../src/main/engine/export/notes.ts';
import type { ListQuery } from '../../../../../src/rules/query.ts';

const patient: ExportColumn = { path: 'patient_name', kind: 'text', label: 'Patient', identifies: true };
const billed: ExportColumn = { path: 'amount_billed', kind: 'money', label: 'Billed' };

const notesOf = (query: Omit<ListQuery, 'entity'>, columns: readonly ExportColumn[]) =>
  Object.fromEntries(
    makeNotes({
      title: 'Claims',
      source: { kind: 'list', query: { entity: 'claims', ...query } },
      columns,
      nameOf: (list, id) => (list === 'employers' && id === '202' ? 'Harbor Freight Lines' : undefined),
      rows: 1,
      part: null,
      sums: [],
      notCounted: [],
      data: { last: null, lastComplete: null },
      at: '2026-03-09T14:05:00Z',
      by: null,
      reason: null,
      isSsnShown: false,
      maskKnown: (value) => value,
    }).map(([name, value]) => [name, value]),
  );

const query: Omit<ListQuery, 'entity'> = {
  search: 'Margret',
  sort: [{ field: 'amount_billed', direction: 'desc' }],
  conditions: [
    { field: 'members.employer.id', operator: 'isOneOf', values: [202, 203, 204] },
    { field: 'amount_billed', operator: 'atLeast', values: ['1500.5'] },
    { field: 'date_of_service', operator: 'between', values: ['2025-09-01', '2025-09-30'] },
    { field: 'is_incomplete', operator: 'is', values: [true] },
    { field: 'check_number', operator: 'isEmpty', values: [] },
  ],
};

test('filters, sort and search are in the words of the screen, with the names of employers', () => {
  const notes = notesOf(query, [patient, billed]);
  expect(notes.Filters).toBe(
    'Employer is Harbor Freight Lines, 203 or 204; Billed at least $1,500.50; ' +
      'Dates of service 09/01/2025 – 09/30/2025; Incomplete is Yes; Check number is blank',
  );
  expect(notes['Sorted by']).toBe('Billed, descending');
  expect(notes.Search).toBe('Margret');
});

test('a file that identifies no one does not name a search, an employer or a day', () => {
  const notes = notesOf(query, [billed]);
  expect(notes.Search).toBe('Not named in this file');
  expect(notes.Filters).toBe('Billed at least $1,500.50; 4 not named in this file');
});

test('times are US dates by the clock of this computer', () => {
  expect(notesOf({}, [billed]).Exported).toMatch(/^03\/\d\d\/2026, \d{1,2}:05 [AP]M \S+$/);
});

test('a worklist and codes have the names of the screen', () => {
  const conditions: ListQuery['conditions'] = [
    { field: 'worklist', operator: 'is', values: ['noSplit'] },
    { field: 'network', operator: 'is', values: ['OUT'] },
  ];
  expect(notesOf({ conditions }, [patient, billed]).Filters).toBe(
    'Worklist is Exceptions: Split missing; Network is Out-of-network',
  );
});
