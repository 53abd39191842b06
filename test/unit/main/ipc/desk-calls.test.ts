import { expect, onTestFinished, test } from 'vitest';
import type { AnyEvent } from '../../../../src/contract/events.ts';
import { procedures } from '../../../../src/contract/procedures.ts';
import { errorReportSchema } from '../../../../src/contract/result.ts';
import type { DeskPorts } from '../../../../src/main/desk/desk-state.ts';
import { createDesk, type Desk } from '../../../../src/main/desk.ts';
import { createEphemeralStore } from '../../../../src/main/keychain/secret-store.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';
import { createLog } from '../../../../src/main/lib/log.ts';
import { createFakeClock } from '../../../support/engine-service.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const profileDir = givenTempProfile();

/** A desk on ports that answer at once; no engine is started by what is tried here. */
function openDesk(
  options: { watchesIdle?: boolean } = {},
  ports: Partial<DeskPorts> = {},
): { desk: Desk; events: AnyEvent[] } {
  const clock = createFakeClock();
  const events: AnyEvent[] = [];
  const desk = createDesk(
    {
      shell: 'cli',
      version: '0.0.0',
      profileDir: profileDir(),
      environment: {},
      clock,
      log: createLog({ filePath: null, clock }),
      startEngine: () => Promise.reject(new DeskError('engine.stopped')),
      startSampleService: () => Promise.reject(new DeskError('sandbox.failed')),
      openUrl: async () => false,
      writeClipboard: async () => true,
      clearClipboard: async () => undefined,
      chooseSavePath: async () => null,
      policy: {},
      isReadOnly: false,
      ...ports,
    },
    { secrets: createEphemeralStore(), ...options },
  );
  desk.subscribe((event) => events.push(event));
  onTestFinished(() => desk.close());
  return { desk, events };
}

const add = { baseUrl: 'https://claims.example.com', email: 'a@example.com' };

test.each<[string, unknown]>([
  ['records:open', { workspaceId: 'x', query: { entity: 'claims' } }],
  ['workspaces:destroy', {}],
  ['__proto__', {}],
  ['constructor', {}],
  ['workspaces:add', {}],
  ['workspaces:add', { baseUrl: 5, email: 'a@example.com' }],
  ['workspaces:list', { surprise: 1 }],
  ['settings:set', { lockAfterMinutes: 0 }],
  ['workspaces:list', undefined],
  ['workspaces:list', null],
])('%s with %j is usage.invalid, and never an exception', async (name, input) => {
  const result = await openDesk().desk.call(name, input);
  expect(result.ok).toBe(false);
  if (!result.ok) expect(errorReportSchema.parse(result.error).code).toBe('usage.invalid');
});

test('the window is notified of an ignored setting and policy file of this computer', async () => {
  const told = async (value: string) => {
    const { desk } = openDesk({}, { environment: { NODE_TLS_REJECT_UNAUTHORIZED: value } });
    return desk.call('app:getInfo', {});
  };
  expect(await told('0')).toMatchObject({ value: { notices: ['tlsSettingIgnored'] } });
  expect(await told('1')).toMatchObject({ value: { notices: [] } });
  const { desk } = openDesk({}, { environment: {}, isPolicyFileIgnored: true });
  expect(await desk.call('app:getInfo', {})).toMatchObject({ value: { notices: ['policyIgnored'] } });
});

test('answers match the contract, and what happened is reported', async () => {
  const { desk, events } = openDesk();
  const call = async (name: keyof typeof procedures, input: unknown): Promise<unknown> => {
    const result = await desk.call(name, input);
    if (!result.ok) throw new Error(`${name}: ${result.error.code}`);
    return procedures[name].output.parse(result.value);
  };
  await call('app:getInfo', {});
  await call('settings:get', {});
  await call('settings:set', { theme: 'dark' });
  const { id: workspaceId } = (await call('workspaces:add', add)) as { id: string };
  const { id: keyId } = (await call('keys:generate', { type: 'ed25519', workspaceId })) as { id: string };
  expect(await call('workspaces:list', {})).toMatchObject({
    workspaces: [{ id: workspaceId, keyId }],
    activeId: workspaceId,
  });
  await call('keys:list', {});
  expect(await call('keys:openRegistration', { workspaceId })).toEqual({
    url: 'https://claims.example.com/settings/ssh',
    isOpened: false,
  });
  expect(await call('keys:copyPublic', { keyId })).toEqual({ isCopied: true });
  expect(await call('files:chooseSaveTarget', { purpose: 'records', suggestedName: 'x.csv' })).toBeNull();
  expect(events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['settings:changed', 'workspaces:changed', 'keys:changed']),
  );
});

test.each<[string, unknown, string]>([
  ['workspaces:add', { ...add, baseUrl: 'http://claims.example.com' }, 'workspace.insecureUrl'],
  ['workspaces:activate', { workspaceId: 'nobody' }, 'workspace.unknown'],
  ['keys:copyPublic', { keyId: 'nobody' }, 'key.unknown'],
  ['keys:use', { workspaceId: 'nobody', keyId: 'x' }, 'workspace.unknown'],
  ['sample:open', {}, 'sandbox.failed'],
])('%s with %j is %s', async (name, input, code) => {
  expect(await openDesk().desk.call(name, input)).toMatchObject({ ok: false, error: { code } });
});

test('while locked, it reports its state and answers nothing else', async () => {
  const { desk, events } = openDesk({ watchesIdle: true });
  await desk.lockNow();
  expect(desk.isLocked).toBe(true);
  expect(events).toContainEqual({ name: 'lock:changed', payload: { isLocked: true } });
  const open = [
    'app:getInfo',
    'settings:get',
    'lock:getState',
    'lock:lock',
    'lock:unlock',
    'lock:noteActivity',
    'unlock:recover',
  ];
  for (const [name, { answeredBy }] of Object.entries(procedures)) {
    if (answeredBy !== 'main' || open.includes(name)) continue;
    expect(await desk.call(name, {}), name).toMatchObject({ ok: false, error: { code: 'app.locked' } });
  }
  expect(await desk.call('app:getInfo', {})).toMatchObject({ ok: true, value: { isLocked: true } });
  await expect(desk.getEngine()).rejects.toMatchObject({ code: 'app.locked' });
});
