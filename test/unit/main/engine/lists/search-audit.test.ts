import { expect, test, vi } from 'vitest';
import type { AuditRecord } from '../../../../../src/contract/audit.ts';
import { createSearchAudit } from '../../../../../src/main/engine/lists/search-audit.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import type { ListQuery } from '../../../../../src/rules/query.ts';

const bySsn: ListQuery = { entity: 'members', search: '123-45-6789' };
const by = (entity: ListQuery['entity'], field: string, ...values: (string | number)[]): ListQuery => ({
  entity,
  conditions: [{ field, operator: 'is', values }],
});

function givenNotes() {
  let now = 1_000_000;
  const auditAction = vi.fn(async () => undefined);
  const later: Promise<Pick<AuditRecord, 'action' | 'details'>>[] = [];
  const opened: unknown[][] = [];
  const waiting = new Set<() => void>();
  const audit = createSearchAudit(
    {
      clock: { now: () => now },
      auditAction,
      auditLater: (_workspaceId, make) => void later.push(make()),
      auditOpened: (...wanted) => void opened.push(wanted),
    },
    (run) => {
      waiting.add(run);
      return () => waiting.delete(run);
    },
  );
  return {
    audit,
    auditAction,
    opened,
    waiting,
    hits: async () => 3,
    later: () => Promise.all(later),
    pass: (ms: number) => {
      now += ms;
    },
    stopTyping: () => {
      for (const run of [...waiting]) {
        waiting.delete(run);
        run();
      }
    },
  };
}

test('a search for an SSN is recorded with its list and hits before the answer, and without the number', async () => {
  const { audit, auditAction, hits, later } = givenNotes();
  await audit.record('w', bySsn, hits);
  await audit.record('w', by('dependents', 'ssn', '123456789'), null);
  expect(auditAction.mock.calls).toEqual([
    ['w', 'ssn.searched', { list: 'members', hits: 3 }],
    ['w', 'ssn.searched', { list: 'dependents', hits: null }],
  ]);
  expect(await later()).toEqual([]);
});

test.each<[string, ListQuery, string]>([
  ['a member ID', by('members', 'id', 7), 'memberId'],
  ['an employer’s own ID of a person', by('dependents', 'partner_key', 'E-7'), 'memberId'],
  ['a date of birth', by('members', 'date_of_birth', '1980-01-02'), 'birthDate'],
  ['an email address', by('members', 'email', 'ann@x.example'), 'email'],
  ['a claim number', by('claims', 'vendor_system_id', 'C77'), 'claimNumber'],
  ['a claim of lines', by('lines', '$claim_id', 7), 'claimNumber'],
  [
    'two at once',
    {
      entity: 'members',
      conditions: [
        { field: 'date_of_birth', operator: 'between', values: ['1980-01-01', '1980-12-31'] },
        { field: 'email', operator: 'contains', values: ['ann'] },
      ],
    },
    'birthDate email',
  ],
])('a filter by %s is recorded by its kind, after the answer', async (_name, query, kinds) => {
  const { audit, auditAction, hits, later } = givenNotes();
  await audit.record('w', query, hits);
  expect(await later()).toEqual([
    { action: 'identifier.searched', details: { list: query.entity, hits: 3, by: kinds } },
  ]);
  expect(auditAction).not.toHaveBeenCalled();
});

test.each<[string, ListQuery, string]>([
  ['an email address', { entity: 'members', search: ' ann@x.example ' }, 'email'],
  ['a phone number', { entity: 'members', search: '(555) 123-4567' }, 'phone'],
  ['digits among people', { entity: 'members', search: '20011' }, 'memberId'],
  ['digits among claims', { entity: 'claims', search: '20011' }, 'claimNumber'],
])('%s that is typed is recorded when the typing stops', async (_name, query, kind) => {
  const { audit, hits, later, stopTyping } = givenNotes();
  await audit.record('w', { ...query, search: '2001' }, async () => 900);
  await audit.record('w', query, hits);
  expect(await later()).toEqual([]);
  stopTyping();
  expect(await later()).toEqual([
    { action: 'identifier.searched', details: { list: query.entity, hits: 3, by: kind } },
  ]);
});

test('what was typed last is recorded at the end', async () => {
  const { audit, hits, later, waiting } = givenNotes();
  await audit.record('w', { entity: 'members', search: '20011' }, hits);
  audit.end();
  expect(await later()).toHaveLength(1);
  expect(waiting.size).toBe(0);
});

test('a search whose list was closed before it was counted is recorded without its hits', async () => {
  const { audit, later, stopTyping } = givenNotes();
  const closed = () => Promise.reject(new DeskError('snapshot.expired'));
  await audit.record('w', { entity: 'claims', search: '40002114' }, closed);
  await audit.record('w', { entity: 'claims' }, closed);
  stopTyping();
  await audit.record('w', by('members', 'id', 7), closed);
  expect((await later()).map(({ details }) => details?.hits)).toEqual([null, null]);
  const damaged = () => Promise.reject(new DeskError('store.damaged'));
  await expect(audit.record('w', bySsn, damaged)).rejects.toMatchObject({ code: 'store.damaged' });
});

test('other searches are not recorded', async () => {
  const { audit, auditAction, hits, later, stopTyping, opened } = givenNotes();
  await audit.record('w', { entity: 'members', search: 'ann 67' }, hits);
  await audit.record('w', { entity: 'members', search: '67' }, hits);
  await audit.record('w', by('claims', 'status', 'Rejected'), hits);
  await audit.record(
    'w',
    { entity: 'members', conditions: [{ field: 'ssn', operator: 'isEmpty', values: [] }] },
    hits,
  );
  stopTyping();
  expect([await later(), opened]).toEqual([[], []]);
  expect(auditAction).not.toHaveBeenCalled();
});

test('a list of one member’s claims or dependents opens that member', async () => {
  const { audit, hits, later, opened } = givenNotes();
  await audit.record('w', by('claims', 'members.id', 7), hits);
  await audit.record('w', by('dependents', '$member_id', 8), hits);
  expect(opened).toEqual([
    ['w', 'members', 7],
    ['w', 'members', 8],
  ]);
  expect(await later()).toEqual([]);
  await audit.record(
    'w',
    { entity: 'claims', conditions: [{ field: 'members.id', operator: 'isOneOf', values: [7, 8] }] },
    hits,
  );
  expect(await later()).toHaveLength(1);
});

test('a member’s claims shown next to another record open no one, and are not a search', async () => {
  const { audit, hits, later, opened } = givenNotes();
  await audit.record('w', by('claims', 'members.id', 7), hits, true);
  expect([await later(), opened]).toEqual([[], []]);
});

test('the same search within a minute of the last time is one; later, or elsewhere, it is another', async () => {
  const { audit, auditAction, pass, hits } = givenNotes();
  for (let time = 0; time < 4; time += 1) {
    await audit.record(
      'w',
      { ...bySsn, sort: [{ field: 'id', direction: time % 2 === 0 ? 'asc' : 'desc' }] },
      hits,
    );
    pass(40_000);
  }
  expect(auditAction).toHaveBeenCalledTimes(1);
  pass(30_000);
  await audit.record('w', bySsn, hits);
  expect(auditAction).toHaveBeenCalledTimes(2);
  await audit.record('other', bySsn, hits);
  expect(auditAction).toHaveBeenCalledTimes(3);
});

test('a search by SSN that can’t be recorded is not answered, and is recorded when repeated', async () => {
  const { audit, auditAction, hits } = givenNotes();
  auditAction.mockRejectedValueOnce(new Error('disk full'));
  await expect(audit.record('w', bySsn, hits)).rejects.toThrow('disk full');
  await audit.record('w', bySsn, hits);
  expect(auditAction).toHaveBeenCalledTimes(2);
});

test('records that are only named by their ID next to others were not searched for', async () => {
  const { audit, hits, later, opened } = givenNotes();
  await audit.record('w', by('claims', 'id', 4, 5), hits, true);
  expect([await later(), opened]).toEqual([[], []]);
  await audit.record('w', { ...by('claims', 'id', 4), search: '1234' }, null, true);
  await audit.record('w', by('claims', 'id', 4, 5), hits);
  expect(await later()).toHaveLength(1);
});
