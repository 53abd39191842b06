import { describe, expect, it } from 'vitest';
import { errorTable } from '../../../src/contract/error-codes.ts';
import { sessionName, toViewFile, viewFileSchema, withoutSsn } from '../../../src/contract/views.ts';
import { startSettings } from '../../../src/renderer/domain/list/list-settings.ts';
import {
  findSession,
  freeName,
  namedViews,
  readViewFile,
  settingsOf,
  viewOf,
} from '../../../src/renderer/domain/list/view-settings.ts';
import { DeskError } from '../../../src/renderer/lib/desk-error.ts';
import { fieldsOf } from '../../../src/rules/list-fields.ts';
import type { Condition } from '../../../src/rules/query.ts';

const view = viewOf(startSettings({ columns: ['id', 'status'], frozen: ['id'] }));
const is = (field: string, value: string | number): Condition => ({ field, operator: 'is', values: [value] });
const savedAt = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
const content = { version: 2, kind: 'list', entity: 'claims', isPinned: true, view } as const;

it('keeps the position of rows without a value', () => {
  const sort = [{ field: 'status', direction: 'asc' as const, nulls: 'first' as const }];
  const [saved] = namedViews([
    { id: '1', name: 'New', query: JSON.stringify({ ...content, view: { ...view, sort } }), ...savedAt },
  ]);
  expect(settingsOf('claims', saved?.content.view ?? view).sort).toEqual(sort);
});

describe('toViewFile', () => {
  it('states the worklist of a view', () => {
    const file = toViewFile('Mine', { entity: 'claims', worklist: 'denied', view });
    expect(readViewFile(JSON.stringify(file))).toMatchObject({ entity: 'claims', worklist: 'denied' });
    expect(toViewFile('All', { entity: 'claims', view })).not.toHaveProperty('worklist');
  });

  it('leaves out the search and every filter that could identify a person, and counts them', () => {
    const file = toViewFile('Large', {
      entity: 'claims',
      view: {
        ...view,
        search: 'Ada Lovelace',
        conditions: [
          is('status', 'Rejected'),
          is('patient_name', 'Ada Lovelace'),
          is('members.id', 7),
          is('members.name', 'Ada Lovelace'),
          is('carrier', 'Aetna'),
          is('check_number', '80001'),
          { field: 'amount_billed', operator: 'atLeast', values: ['500'] },
          { field: 'patient_name', operator: 'isNotEmpty', values: [] },
        ],
      },
    });
    expect(file.view.conditions.map(({ field }) => field)).toEqual([
      'status',
      'carrier',
      'amount_billed',
      'patient_name',
    ]);
    expect(file.leftOut).toBe(5);
    expect(JSON.stringify(file)).not.toMatch(/Lovelace|80001/);
    expect(viewFileSchema.parse(file)).toEqual(file);
  });

  it('exports no text about a person, whichever column of members it is in', () => {
    for (const { path, kind } of fieldsOf.members) {
      if (kind !== 'text') continue;
      const file = toViewFile('x', { entity: 'members', view: { ...view, conditions: [is(path, 'Ada')] } });
      expect(file.view.conditions, path).toEqual([]);
    }
  });
});

it('keeps no SSN, neither searched for nor filtered by', () => {
  const asked = {
    ...view,
    search: '123-45-6789',
    conditions: [
      is('ssn', '123-45-6789'),
      is('last_name', 'Ada'),
      { ...is('ssn', ''), operator: 'isEmpty' as const, values: [] },
    ],
  };
  const kept = withoutSsn('members', asked);
  expect(withoutSsn('members', { ...asked, search: '123 45 6789' }).search).toBe('');
  expect(kept.search).toBe('');
  expect(kept.conditions.map(({ field, operator }) => `${field} ${operator}`)).toEqual([
    'last_name is',
    'ssn isEmpty',
  ]);
});

describe('readViewFile', () => {
  it('reads what was exported', () => {
    const file = toViewFile('Mine', { entity: 'claims', view });
    expect(readViewFile(JSON.stringify(file))).toEqual(file);
  });

  it.each(['', 'hello', '{}', '{"format":"claimdesk.view","version":3}', '[1,2]'])('refuses %j', (text) => {
    try {
      readViewFile(text);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DeskError);
      expect((error as DeskError).report.code).toBe('view.notAFile');
    }
    expect(errorTable['view.notAFile'].nextStep).not.toBe('');
  });
});

describe('saved views', () => {
  it('drops what this version does not know, and never shows a list without columns', () => {
    const odd = {
      ...view,
      columns: ['nonsense'],
      frozen: ['nonsense'],
      sort: [{ field: 'nonsense', direction: 'asc' as const }],
      conditions: [is('nonsense', 'x'), is('status', 'Rejected')],
    };
    const settings = settingsOf('claims', odd);
    expect(settings.columns).toEqual(['id']);
    expect([settings.sort, settings.frozen]).toEqual([[], []]);
    expect(settings.conditions.map(({ field }) => field)).toEqual(['status']);
  });

  it('distinguishes named ones from the session, and skips what can’t be read', () => {
    const views = [
      { id: '1', name: 'B', query: JSON.stringify(content), ...savedAt },
      { id: '2', name: 'A', query: JSON.stringify(content), ...savedAt },
      { id: '3', name: 'C', query: 'broken', ...savedAt },
      {
        id: '4',
        name: sessionName,
        query: JSON.stringify({ version: 2, kind: 'session', lists: { claims: view } }),
        ...savedAt,
      },
    ];
    expect(namedViews(views).map(({ name }) => name)).toEqual(['A', 'B']);
    expect(findSession(views)).toEqual({ id: '4', lists: { claims: view }, last: null });
    expect(findSession([])).toBeNull();
  });

  it('finds a name that is free', () => {
    expect(freeName('Mine', [])).toBe('Mine');
    expect(freeName('Mine', ['Mine', 'Mine (2)'])).toBe('Mine (3)');
  });
});
