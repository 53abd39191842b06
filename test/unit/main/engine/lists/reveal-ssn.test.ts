import { expect, test, vi } from 'vitest';
import type { ParsedInput } from '../../../../../src/contract/procedures.ts';
import type { OpenLists } from '../../../../../src/main/engine/lists/open-lists.ts';
import { recordHandlers } from '../../../../../src/main/engine/lists/record-handlers.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { givenStore } from '../../../../support/engine-sync.ts';

async function given(record: object | null) {
  const store = givenStore();
  if (record !== null) {
    const body = Buffer.from(JSON.stringify({ data: [record] }));
    await store.write('ingestPage', {
      kind: 'members',
      body,
      pass: 1,
      page: 1,
      seenAt: '2026-01-02T03:04:05.000Z',
      requestId: null,
      isPartOfPass: false,
    });
  }
  const auditAction = vi.fn(async () => undefined);
  const lists = { state: { getStore: async () => store, auditAction } } as unknown as OpenLists;
  const reveal = async (wanted: ParsedInput<'records:revealSsn'>) =>
    recordHandlers['records:revealSsn'](lists, wanted);
  return { reveal, auditAction };
}

const member = {
  id: 7,
  ssn: '123-45-6789',
  dependents: [
    { id: 70, ssn: '987-65-4321' },
    { id: 71, ssn: null },
  ],
};

test('one SSN is answered in full, and whose it was is recorded, not the number', async () => {
  const { reveal, auditAction } = await given(member);
  expect(await reveal({ workspaceId: 'w', entity: 'members', id: 7 })).toEqual({ ssn: '123-45-6789' });
  expect(await reveal({ workspaceId: 'w', entity: 'dependents', id: 70 })).toEqual({ ssn: '987-65-4321' });
  expect(auditAction.mock.calls).toEqual([
    ['w', 'ssn.revealed', { list: 'members', count: 1, recordId: 7 }],
    ['w', 'ssn.revealed', { list: 'dependents', count: 1, recordId: 70 }],
  ]);
});

test('what can’t be recorded is not answered', async () => {
  const { reveal, auditAction } = await given(member);
  auditAction.mockRejectedValueOnce(new DeskError('disk.full'));
  await expect(reveal({ workspaceId: 'w', entity: 'members', id: 7 })).rejects.toMatchObject({
    code: 'disk.full',
  });
});

test('without an SSN, nothing is answered or recorded', async () => {
  const { reveal, auditAction } = await given(member);
  expect(await reveal({ workspaceId: 'w', entity: 'dependents', id: 71 })).toEqual({ ssn: null });
  const unknown = [
    reveal({ workspaceId: 'w', entity: 'members', id: 8 }),
    reveal({ workspaceId: 'w', entity: 'dependents', id: 8 }),
  ];
  for (const asked of unknown) await expect(asked).rejects.toMatchObject({ code: 'record.unknown' });
  expect(auditAction).not.toHaveBeenCalled();
});
