import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EnginePorts } from '../../../src/main/engine/engine-ports.ts';
import { createWorkspaceFiles } from '../../../src/main/engine/state/workspace-files.ts';
import { readMarks } from '../../../src/main/engine/store/file/side-files.ts';
import { DeskError } from '../../../src/main/lib/errors.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const workspaceId = 'w';

/** The files of a profile with one workspace, whose keys lie in a map. */
async function givenFiles() {
  const profileDir = makeTempFolder();
  const folder = join(profileDir, 'workspaces', workspaceId);
  await mkdir(folder, { recursive: true });
  const held = new Map<string, Buffer>();
  const findWorkspace = vi.fn(async (id: string) => {
    if (id !== workspaceId) throw new DeskError('workspace.unknown');
    return { workspace: { id, isSample: false }, folder, databaseKeyAccount: 'database-key/w' };
  });
  const get = vi.fn(async (account: string) => held.get(account) ?? null);
  const ports = {
    profileDir,
    main: { findWorkspace },
    secrets: { get, set: async (account: string, secret: Buffer) => void held.set(account, secret) },
    isReadOnly: false,
  } as unknown as EnginePorts;
  const open = () => {
    const files = createWorkspaceFiles(ports, {
      changed: () => undefined,
      progress: () => undefined,
      opening: () => undefined,
      opened: async () => undefined,
    });
    onTestFinished(() => files.closeAll());
    return files;
  };
  return { open, held, get, path: join(folder, 'records.db') };
}

test('the records that a window will show are opened before it requests them', async () => {
  const { open, path } = await givenFiles();
  const first = open();
  await (await first.getStore(workspaceId)).write('writeSyncState', null);
  await first.closeAll();
  expect(readMarks(path).isOpen).toBe(false);

  const files = open();
  expect(await files.openAhead(workspaceId)).toBe(true);
  expect(readMarks(path).isOpen).toBe(true);
  expect(await (await files.getStore(workspaceId)).read('countRecords', null)).toMatchObject({ claims: 0 });
});

test('if nothing was synced yet, neither a file nor a key is made', async () => {
  const { open, get, path } = await givenFiles();
  expect(await open().openAhead(workspaceId)).toBe(false);
  expect(existsSync(path)).toBe(false);
  expect(get).not.toHaveBeenCalled();
});

test('a failure ahead of time is reported to the call that needs the records', async () => {
  const { open, held, path } = await givenFiles();
  await writeFile(path, testBytes(8192));
  held.set('database-key/w', testBytes(32));
  const files = open();
  await expect(files.openAhead('another')).rejects.toMatchObject({ code: 'workspace.unknown' });
  await expect(files.openAhead(workspaceId)).rejects.toMatchObject({ code: 'store.wrongKey' });
  await expect(files.getStore(workspaceId)).rejects.toMatchObject({ code: 'store.wrongKey' });
});
