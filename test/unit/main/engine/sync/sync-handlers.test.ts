import { expect, test } from 'vitest';
import { createSyncHandlers } from '../../../../../src/main/engine/sync/sync-handlers.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { createFakeClock } from '../../../../support/engine-service.ts';
import {
  createListService,
  givenStore,
  records,
  syncOnce,
  syncParts,
} from '../../../../support/engine-sync.ts';

const workspaceId = 'w';

test.each([
  [new Error('A rule can’t be read.'), 'sync.unsettled'],
  [new DeskError('disk.full'), 'disk.full'],
])('where rules can’t decide after a sync, the status says why until they do: %s', async (failure, code) => {
  const store = givenStore();
  const clock = createFakeClock();
  const service = createListService({ members: records(1, 3), claims: records(1, 100) });
  const reported: unknown[] = [];
  const written: unknown[] = [];
  let failing: Error | null = failure;
  const state = {
    ...{ clock, isReadOnly: false, getStore: async () => store, isServiceReachable: () => null },
    auditAction: async () => undefined,
    log: { write: (name: string) => void written.push(name) },
    emit: ({ name, payload }: { name: string; payload: { error?: unknown } }) =>
      name === 'sync:finished' && reported.push(payload.error),
  };
  const { handlers } = createSyncHandlers(state as never, {
    wrote: async () => undefined,
    completed: async () => {
      if (failing !== null) throw failing;
    },
  });
  /** A complete sync: an accepted loss is one. */
  const sync = async (left: number): Promise<void> => {
    service.claims = service.claims.slice(0, left);
    await syncOnce(store, service, { clock, syncId: `run-${left}` });
    await handlers['sync:answerLoss']({ workspaceId, answer: 'accept' });
  };
  const readUnsettled = async () => (await handlers['sync:getStatus']({ workspaceId })).unsettled;
  await syncOnce(store, service, { clock });
  expect(await readUnsettled()).toBeNull();
  await sync(60);
  expect(await readUnsettled()).toMatchObject({ code, nextStep: expect.any(String) });
  expect(written).toContain('sync.unsettled');
  failing = null;
  await sync(20);
  expect(await readUnsettled()).toBeNull();
  expect(reported).toMatchObject([{ code }, null]);
});

test('the first claims are reported immediately, even right after the first members', async () => {
  const store = givenStore();
  const clock = createFakeClock();
  const { api } = syncParts(store, createListService({ members: records(1, 3), claims: records(1, 5) }));
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const told: string[] = [];
  const state = {
    ...{ clock, isReadOnly: false, getStore: async () => store, createApi: async () => api },
    main: { findWorkspace: async () => ({ workspace: { keyId: null } }) },
    log: { write: () => undefined },
    emit({ name }: { name: string }) {
      told.push(name);
      if (name === 'sync:finished') resolve();
    },
  };
  const nothing = async () => undefined;
  const { handlers } = createSyncHandlers(state as never, { wrote: nothing, completed: nothing });
  await handlers['sync:start']({ workspaceId });
  await finished;
  // The third is that of the end.
  expect(told.filter((name) => name === 'records:changed')).toHaveLength(3);
});
