import { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { app, net } from 'electron';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChannelMessage } from '../../../../../src/main/lib/channel.ts';
import type { FakeApp } from '../../../../support/fake-electron/fake-app.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

test('the entry of main starts the shell', async () => {
  const electron = app as unknown as FakeApp;
  electron.isFirstInstance = false;
  await import('../../../../../src/main/index.ts');
  expect(electron.done).toContain('setName Claimdesk');
  expect(electron.exitCode).toBe(0);
});

test('the engine’s entry uses the parent port and Chromium’s network', async () => {
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-entry-'));
  onTestFinished(() => rm(profileDir, { recursive: true, force: true, maxRetries: 5 }));
  const heard: ChannelMessage[] = [];
  const port = Object.assign(new EventEmitter(), {
    postMessage: (message: ChannelMessage) => void heard.push(message),
  });
  // The entry answers for its whole process; here it must not answer for that of the tests.
  const handlers = new Map<string, (...given: unknown[]) => void>();
  vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    handlers.set(String(name), listener);
    return process;
  });
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const fetched = vi.spyOn(net, 'fetch');
  Object.assign(process, { parentPort: port });
  onTestFinished(() => {
    vi.restoreAllMocks();
    delete (process as { parentPort?: unknown }).parentPort;
  });

  await import('../../../../../src/main/engine/index.ts');
  const tell = (message: ChannelMessage) => port.emit('message', { data: message, ports: [] });
  tell({
    ...{ kind: 'call', id: 0, name: 'init' },
    input: {
      profileDir,
      anchorsBeginInKeychain: false,
      isReadOnly: false,
      policy: {},
      windowOrigin: null,
      opensFirst: null,
    },
  });
  await vi.waitFor(() => expect(heard).toEqual([{ kind: 'reply', id: 0, ok: true, value: null }]));

  tell({ kind: 'call', id: 1, name: 'probe', input: { workspaceId: 'w', keyId: 'k' } });
  const answers: Record<string, unknown> = {
    findWorkspace: {
      workspace: {
        baseUrl: 'https://service.example',
        header: 'Authorization',
        scheme: 'SSH-JWT',
        isSample: false,
      },
      folder: profileDir,
      databaseKeyAccount: 'a',
      connectSecretAccount: 'b',
    },
    getToken: 'token',
  };
  let answered = 0;
  await vi.waitFor(() => {
    for (const message of heard.slice(answered)) {
      answered += 1;
      if (message.kind === 'call' && message.id !== null)
        tell({ kind: 'reply', id: message.id, ok: true, value: answers[message.name] });
    }
    expect(fetched).toHaveBeenCalled();
  });
  expect(String(fetched.mock.calls[0]?.[0])).toMatch(/^https:\/\/service\.example\//);

  expect([...handlers.keys()].sort()).toEqual(['SIGINT', 'SIGTERM', 'uncaughtException']);
  handlers.get('SIGINT')?.();
  handlers.get('SIGTERM')?.();
  expect(exit).not.toHaveBeenCalled();
  handlers.get('uncaughtException')?.();
  await vi.waitFor(() => expect(exit).toHaveBeenCalledExactlyOnceWith(70));
});
