import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Validation } from '../../../src/contract/carrier-connections.ts';
import type { ProcedureName } from '../../../src/contract/procedures.ts';
import {
  callAs,
  type OpenPage,
  type ShellUnderTest,
  startShellUnderTest,
} from '../../support/browser-shell.ts';
import { recordEngineMessages } from '../../support/engine-messages.ts';
import { openStream } from '../../support/loopback-client.ts';
import { valueAs } from '../../support/shell-calls.ts';

const email = 'dana@newco.example';
const canary = 'Window-Canary-0815!';
let under: ShellUnderTest;
let page: OpenPage;
let workspaceId: string;

const value = <T>(to: 'main' | 'engine', procedure: ProcedureName, input: unknown): Promise<T> =>
  valueAs<T>(under, page, to, procedure, input);

const { messages, startEngineProcess } = recordEngineMessages();

beforeAll(async () => {
  under = await startShellUnderTest({ startEngineProcess });
  page = await under.loadPage(await under.enter());
  ({ id: workspaceId } = await value<{ id: string }>('main', 'sample:open', {}));
});
afterAll(async () => {
  await under?.close();
});

const until = async (
  policyHolderId: number,
  isWanted: (view: Validation) => boolean,
): Promise<Validation> => {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const view = await value<Validation>('engine', 'connect:watch', { workspaceId, policyHolderId });
    if (isWanted(view)) return view;
    if (Date.now() > deadline) throw new Error(JSON.stringify(view));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

test('the sample is set up for Connect; a login is processed in the engine, survives a lock, and never reaches main', async () => {
  const settings = await value<{ hasSecret: boolean; publicToken: string }>('engine', 'connect:getSettings', {
    workspaceId,
  });
  expect(settings).toMatchObject({ hasSecret: true, publicToken: expect.stringMatching(/^pk_/) });
  const { member } = await value<{ member: { tenant: { id: number } } }>('engine', 'connect:addMember', {
    workspaceId,
    email,
    firstName: 'Dana',
    lastName: 'Reyes',
    systemKey: 'NEWCO-1',
    vendor: 'northwind-benefits',
    employer: { kind: 'new', name: 'Newly Founded, Inc.' },
  });
  const stream = await openStream(page.engineUrl, {
    origin: under.shell.origin,
    'x-claimdesk-window': page.token,
  });
  const { policyHolderId } = await value<Validation>('engine', 'connect:submit', {
    workspaceId,
    email,
    payerId: 16,
    fields: { username: 'dana-single', password: canary },
    consents: { terms: true, tenantIds: [member.tenant.id] },
  });
  // Told of without being asked, and nothing of the member in it.
  const changed = await stream.next('connect:changed');
  expect(changed.payload).toEqual({
    workspaceId,
    what: expect.any(String),
    policyHolderId: expect.anything(),
  });
  await until(policyHolderId, ({ phase }) => phase === 'enterCode');
  stream.close();

  await value('main', 'lock:lock', {});
  expect(
    await callAs(under, page, 'engine', 'connect:listValidations', { workspaceId }).catch(() => 'gone'),
  ).not.toMatchObject({ ok: true });
  await value('main', 'lock:unlock', {});
  page = await under.loadPage(page.token);
  const { validations } = await value<{ validations: Validation[] }>('engine', 'connect:listValidations', {
    workspaceId,
  });
  expect(validations).toMatchObject([{ policyHolderId, phase: expect.any(String) }]);
  await until(policyHolderId, ({ phase }) => phase === 'enterCode');
  await value('engine', 'connect:sendCode', { workspaceId, policyHolderId, code: '123456' });
  expect((await until(policyHolderId, ({ phase }) => phase === 'ended')).outcome).toBe('connected');

  expect(messages.length).toBeGreaterThan(3);
  for (const word of [canary, 'dana-single', email, 'Reyes']) expect(messages.join('')).not.toContain(word);
});
