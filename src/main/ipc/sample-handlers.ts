import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Handlers } from '../../contract/procedures.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { createEphemeralStore } from '../keychain/secret-store.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import type { DeskState } from './desk-state.ts';
import { openSpace } from './spaces.ts';

type Names =
  | 'sample:open'
  | 'sample:setServiceRunning'
  | 'sample:getState'
  | 'sample:nextDay'
  | 'sample:registerKey'
  | 'sample:close';

/**
 * Sample data: our own service as a child, a space of its own in a temporary folder, secrets in memory only.
 * The same path as with a real service, from key to sync; nothing of it touches the real profile.
 */
export function createSampleHandlers(state: DeskState) {
  let opening: Promise<Workspace> | null = null;

  const open = async (): Promise<Workspace> => {
    const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-sample-'));
    const service = await state.ports.startSampleService().catch(async (thrown) => {
      await rm(profileDir, { recursive: true, force: true });
      throw toDeskError(thrown);
    });
    try {
      const secrets = createEphemeralStore();
      const space = openSpace({
        profileDir,
        secrets,
        anchors: secrets,
        clock: state.ports.clock,
        isSample: true,
      });
      const added = await space.book.add({
        baseUrl: service.baseUrl,
        email: service.email,
        name: 'Sample data',
        color: 'orange',
        isSample: true,
      });
      const key = await space.keyRing.generate({
        type: 'ed25519',
        name: 'Sample key',
        baseUrl: service.baseUrl,
      });
      await service.register('Sample key', key.publicKey);
      const workspace = await space.book.setKey(added.id, key.id);
      state.sample = { space, service, isRunning: true };
      state.activeSampleId = workspace.id;
      return { ...workspace, isSample: true };
    } catch (thrown) {
      await service.close();
      await rm(profileDir, { recursive: true, force: true });
      throw thrown;
    }
  };

  const close = async (): Promise<void> => {
    const { sample } = state;
    if (sample === null) return;
    if (!state.isLocked) {
      const engine = await state.getEngine();
      for (const { id } of await sample.space.book.list())
        await engine.closeWorkspace(id).catch(() => undefined);
    }
    state.sample = null;
    state.activeSampleId = null;
    await sample.service.close();
    await rm(sample.space.profileDir, { recursive: true, force: true, maxRetries: 5 });
    state.emit({ name: 'sample:changed', payload: { isRunning: false } });
  };

  const handlers: Handlers<Names> = {
    'sample:open': async () => {
      if (state.sample === null) {
        opening ??= open().finally(() => {
          opening = null;
        });
        const workspace = await opening;
        state.emit({ name: 'workspaces:changed', payload: { activeId: workspace.id } });
        state.emit({ name: 'sample:changed', payload: { isRunning: true } });
        return workspace;
      }
      const [workspace] = await state.sample.space.book.list();
      state.activeSampleId = (workspace as Workspace).id;
      state.emit({ name: 'workspaces:changed', payload: { activeId: state.activeSampleId } });
      return { ...(workspace as Workspace), isSample: true };
    },
    'sample:setServiceRunning': async ({ isRunning }) => {
      const { sample } = state;
      if (sample === null) return { isRunning: false };
      if (isRunning !== sample.isRunning) await (isRunning ? sample.service.start() : sample.service.stop());
      sample.isRunning = isRunning;
      state.emit({ name: 'sample:changed', payload: { isRunning } });
      return { isRunning };
    },
    'sample:nextDay': async () => {
      if (state.sample === null) throw new DeskError('sandbox.failed');
      await state.sample.service.nextDay();
      return { isDone: true };
    },
    'sample:getState': () => ({ isOpen: state.sample !== null, isRunning: state.sample?.isRunning ?? false }),
    'sample:registerKey': async ({ keyId }) => {
      const { sample } = state;
      if (sample === null) throw new DeskError('key.unknown');
      // Only its own: a real key has no business on the sample's page.
      const { name, publicKey } = await sample.space.keyRing.get(keyId);
      await sample.service.register(name, publicKey);
      return { isDone: true };
    },
    'sample:close': async () => {
      await close();
      state.emit({ name: 'workspaces:changed', payload: { activeId: await state.real.book.getActiveId() } });
      return { isDone: true };
    },
  };
  return { handlers, close };
}
