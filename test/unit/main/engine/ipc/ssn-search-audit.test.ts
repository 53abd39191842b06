import { expect, test, vi } from 'vitest';
import type { ListQuery } from '../../../../../src/contract/query.ts';
import { createSsnSearchAudit } from '../../../../../src/main/engine/ipc/ssn-search-audit.ts';

const asked: ListQuery = { entity: 'members', search: '123-45-6789' };

function givenNotes() {
  let now = 1_000_000;
  const auditAction = vi.fn(async () => undefined);
  const notes = createSsnSearchAudit({ clock: { now: () => now }, auditAction: auditAction });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { notes, auditAction, pass };
}

test('a search for an SSN is written down with its list, and nothing of the number', async () => {
  const { notes, auditAction } = givenNotes();
  await notes.record('w', asked);
  await notes.record('w', {
    entity: 'dependents',
    conditions: [{ field: 'ssn', operator: 'is', values: ['123456789'] }],
  });
  expect(auditAction.mock.calls).toEqual([
    ['w', 'ssn.searched', { list: 'members' }],
    ['w', 'ssn.searched', { list: 'dependents' }],
  ]);
});

test('other searches are not', async () => {
  const { notes, auditAction } = givenNotes();
  await notes.record('w', { entity: 'members', search: '6789' });
  await notes.record('w', { entity: 'claims', search: '123-45-6789' });
  await notes.record('w', {
    entity: 'members',
    conditions: [{ field: 'ssn', operator: 'isEmpty', values: [] }],
  });
  expect(auditAction).not.toHaveBeenCalled();
});

test('the same search opened again within a minute of the last time is one; later, or elsewhere, it is another', async () => {
  const { notes, auditAction, pass } = givenNotes();
  for (let time = 0; time < 4; time += 1) {
    await notes.record('w', {
      ...asked,
      sort: [{ field: 'id', direction: time % 2 === 0 ? 'asc' : 'desc' }],
    });
    pass(40_000);
  }
  expect(auditAction).toHaveBeenCalledTimes(1);
  pass(30_000);
  await notes.record('w', asked);
  expect(auditAction).toHaveBeenCalledTimes(2);
  await notes.record('other', asked);
  expect(auditAction).toHaveBeenCalledTimes(3);
});

test('what cannot be written down is not done, and is asked for again', async () => {
  const { notes, auditAction } = givenNotes();
  auditAction.mockRejectedValueOnce(new Error('disk full'));
  await expect(notes.record('w', asked)).rejects.toThrow('disk full');
  await notes.record('w', asked);
  expect(auditAction).toHaveBeenCalledTimes(2);
});
