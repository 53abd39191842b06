import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utilityProcess } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { startUtilityEngine } from '../../../../../src/main/shells/electron/utility-engine.ts';
import { launchSampleProcess } from '../../../../../src/main/shells/electron/utility-sample.ts';
import type {
  FakeUtilityProcess,
  FakeUtilityProcesses,
} from '../../../../support/fake-electron/fake-processes.ts';
import { FakeSession } from '../../../../support/fake-electron/fake-session.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

const processes = utilityProcess as unknown as FakeUtilityProcesses;
const last = (): FakeUtilityProcess => {
  const made = processes.made.at(-1);
  if (made === undefined) throw new Error('Nothing was started.');
  return made;
};

beforeEach(() => {
  process.env.CLAIMDESK_VAULT_PASSPHRASE = 'correct horse';
  return () => {
    delete process.env.CLAIMDESK_VAULT_PASSPHRASE;
  };
});

test('the engine is a utility process on the given session, without our variables', () => {
  const session = new FakeSession('claimdesk-engine') as unknown as Electron.Session;
  startUtilityEngine(session);
  expect(last().modulePath).toMatch(/engine[/.](index\.)?[jt]s$/);
  expect(last().options).toMatchObject({
    session,
    serviceName: 'Claimdesk Engine',
    respondToAuthRequestsFromMainProcess: true,
  });
  expect(last().options.env).not.toHaveProperty('CLAIMDESK_VAULT_PASSPHRASE');
});

test('messages pass both ways, ports of windows are sent to it, and its end is reported', async () => {
  const engine = startUtilityEngine(new FakeSession('s') as unknown as Electron.Session);
  const heard = vi.fn();
  const ended = vi.fn();
  engine.pipe.onMessage(heard);
  engine.onEnded(ended);
  const message = { kind: 'reply', id: 0, ok: true, value: null } as const;
  engine.pipe.post(message);
  last().emit('message', message);
  expect(heard).toHaveBeenCalledExactlyOnceWith(message);
  const port = {} as Electron.MessagePortMain;
  engine.handWindow(port);
  expect(last().posted).toEqual([
    { message, ports: [] },
    { message: null, ports: [port] },
  ]);
  engine.kill();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
});

test('an engine that no longer answers is ended by a signal that it can’t ignore', async () => {
  const ignoring = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('ready')";
  const stuck = spawn(process.execPath, ['-e', ignoring], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(stuck.stdout, 'data');
  const engine = startUtilityEngine(new FakeSession('s') as unknown as Electron.Session);
  Object.assign(last(), { pid: stuck.pid });
  engine.kill();
  expect(await once(stuck, 'exit')).toEqual([null, 'SIGKILL']);
  expect(last().isKilled).toBe(true);
});

test('the sample service is a utility process whose first line can be read', async () => {
  const sample = launchSampleProcess(new URL('file:///app/sandbox.js'), ['--port', '0']);
  expect(last()).toMatchObject({ modulePath: '/app/sandbox.js', args: ['--port', '0'] });
  expect(last().options.env).not.toHaveProperty('CLAIMDESK_VAULT_PASSPHRASE');
  const line = new Promise((resolve) => sample.stdout.once('data', (chunk) => resolve(String(chunk))));
  last().stdout.write('{"event":"listening"}\n');
  expect(await line).toBe('{"event":"listening"}\n');
  const ended = vi.fn();
  sample.onEnded(ended);
  sample.end();
  await vi.waitFor(() => expect(ended).toHaveBeenCalledOnce());
  const late = vi.fn();
  sample.onEnded(late);
  expect(late).toHaveBeenCalledOnce();
  sample.kill();
});
