import { expect, test, vi } from 'vitest';
import type { ListQuery } from '../../../../../src/contract/query.ts';
import { createSsnSearchNotes } from '../../../../../src/main/engine/ipc/ssn-search-audit.ts';

const asked: ListQuery = { entity: 'members', search: '123-45-6789' };

function givenNotes() {
  let now = 1_000_000;
  const noteDone = vi.fn(async () => undefined);
  const notes = createSsnSearchNotes({ clock: { now: () => now }, noteDone });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { notes, noteDone, pass };
}

test('a search for an SSN is written down with its list, and nothing of the number', async () => {
  const { notes, noteDone } = givenNotes();
  await notes.note('w', asked);
  await notes.note('w', {
    entity: 'dependents',
    conditions: [{ field: 'ssn', operator: 'is', values: ['123456789'] }],
  });
  expect(noteDone.mock.calls).toEqual([
    ['w', 'ssn.searched', { list: 'members' }],
    ['w', 'ssn.searched', { list: 'dependents' }],
  ]);
});

test('other searches are not', async () => {
  const { notes, noteDone } = givenNotes();
  await notes.note('w', { entity: 'members', search: '6789' });
  await notes.note('w', { entity: 'claims', search: '123-45-6789' });
  await notes.note('w', {
    entity: 'members',
    conditions: [{ field: 'ssn', operator: 'isEmpty', values: [] }],
  });
  expect(noteDone).not.toHaveBeenCalled();
});

test('the same search opened again within a minute of the last time is one; later, or elsewhere, it is another', async () => {
  const { notes, noteDone, pass } = givenNotes();
  for (let time = 0; time < 4; time += 1) {
    await notes.note('w', { ...asked, sort: [{ field: 'id', direction: time % 2 === 0 ? 'asc' : 'desc' }] });
    pass(40_000);
  }
  expect(noteDone).toHaveBeenCalledTimes(1);
  pass(30_000);
  await notes.note('w', asked);
  expect(noteDone).toHaveBeenCalledTimes(2);
  await notes.note('other', asked);
  expect(noteDone).toHaveBeenCalledTimes(3);
});

test('what cannot be written down is not done, and is asked for again', async () => {
  const { notes, noteDone } = givenNotes();
  noteDone.mockRejectedValueOnce(new Error('disk full'));
  await expect(notes.note('w', asked)).rejects.toThrow('disk full');
  await notes.note('w', asked);
  expect(noteDone).toHaveBeenCalledTimes(2);
});
