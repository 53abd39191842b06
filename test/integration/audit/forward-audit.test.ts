import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createUndiciTransport } from '../../../src/main/engine/service/undici-transport.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { opened, openTestAudit, revealed } from '../../support/audit-log.ts';
import { backUp, restoreFrom } from '../../support/backed-up-profile.ts';
import { callAs, startShellUnderTest } from '../../support/browser-shell.ts';
import { vaultPassphrase } from '../../support/cheap-secrets.ts';
import { certificates, collect, openReceiver, type Receiver } from '../../support/siem-receiver.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

let caPem = '';
const trustedBefore = getCACertificates('default');
beforeAll(async () => {
  ({ caPem } = await certificates);
  setDefaultCACertificates([...trustedBefore, caPem]);
});
afterAll(() => setDefaultCACertificates(trustedBefore));

const kinds = ['https', 'syslog+tls'] as const;

async function begin(kind: (typeof kinds)[number], token?: string) {
  const receiver = await openReceiver(kind);
  const { transport, close } = createUndiciTransport({});
  const audit = openTestAudit({
    ...{ address: receiver.address, transport, readTrusted: () => [caPem] },
    ...(token === undefined ? {} : { token }),
  });
  onTestFinished(async () => {
    await close();
    await receiver.stop().catch(() => undefined);
  });
  const append = async (from: number, to: number): Promise<void> => {
    for (let id = from; id <= to; id += 1) await audit.log.append(id % 2 === 0 ? revealed(id) : opened(id));
  };
  return { receiver, audit, append };
}

const arrived = (receiver: Receiver, seq: number): Promise<void> =>
  vi.waitFor(() => expect(receiver.received.at(-1)?.seq).toBe(seq), { interval: 20 });
const failing = (audit: ReturnType<typeof openTestAudit>): Promise<void> =>
  vi.waitFor(async () => expect((await audit.forwarder?.read())?.failing).not.toBeNull());
const numbers = (receiver: Receiver): number[] => collect(receiver.received).entries.map(({ seq }) => seq);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe.each(kinds)('%s', (kind) => {
  test('entries arrive as they come, in order, each with the hash before it', async () => {
    const { receiver, audit, append } = await begin(kind);
    await append(1, 3);
    await arrived(receiver, 3);
    await append(4, 450);
    await arrived(receiver, 450);
    expect(receiver.faults).toEqual([]);
    expect(numbers(receiver)).toEqual(upTo(450));
    expect(collect(receiver.received).again).toEqual([]);
    expect(receiver.received[0]?.follows).toBe('0'.repeat(64));
    const { entries } = await audit.log.list({ offset: 0, limit: 1 });
    expect(receiver.received.at(-1)?.hash).toBe(entries[0]?.hash);
    await vi.waitFor(async () =>
      expect(await audit.forwarder?.read()).toEqual({
        ...{ address: receiver.address, through: 450, newest: 450, failing: null },
      }),
    );
  });

  test('a target that is away for an hour gets everything, and where it failed is said', async () => {
    const { receiver, audit, append } = await begin(kind);
    await append(1, 5);
    await arrived(receiver, 5);
    await vi.waitFor(async () => expect(await audit.forwarder?.readThrough()).toBe(5));
    await receiver.stop();
    const stoppedMs = audit.now();
    await append(6, 6);
    await failing(audit);
    const failedMs = audit.now();
    for (let last = 7; audit.now() < stoppedMs + 3_600_000; last += 1) {
      await append(last, last);
      await wait(100);
    }
    const state = await audit.forwarder?.read();
    expect(state).toMatchObject({ through: 5, failing: { code: 'audit.targetUnreachable' } });
    const sinceMs = Date.parse(state?.failing?.since ?? '');
    expect(sinceMs).toBeGreaterThanOrEqual(stoppedMs);
    expect(sinceMs).toBeLessThanOrEqual(failedMs);
    expect(audit.troubles).toHaveLength(1);
    await receiver.start();
    await arrived(receiver, state?.newest ?? 0);
    expect(numbers(receiver)).toEqual(upTo(state?.newest ?? 0));
    expect(collect(receiver.received).again).toEqual([]);
    expect(receiver.faults).toEqual([]);
    await vi.waitFor(async () => expect((await audit.forwarder?.read())?.failing).toBeNull());
  });

  test('a batch whose acknowledgment is lost is sent again with the same numbers', async () => {
    const { receiver, audit, append } = await begin(kind);
    await append(1, 2);
    await arrived(receiver, 2);
    await vi.waitFor(async () => expect(await audit.forwarder?.readThrough()).toBe(2));
    receiver.status = 0;
    await append(3, 4);
    await failing(audit);
    receiver.status = 204;
    await append(5, 5);
    await arrived(receiver, 5);
    expect(numbers(receiver)).toEqual(upTo(5));
    const { again } = collect(receiver.received);
    expect(again).toContain(3);
    expect(again).not.toContain(2);
  });

  test('a certificate of an unknown authority, or for another host, receives nothing', async () => {
    for (const mode of ['unknown-authority', 'wrong-host', 'expired'] as const) {
      const receiver = await openReceiver(kind, await (await certificates).issue(mode));
      const { transport, close } = createUndiciTransport({});
      const audit = openTestAudit({ address: receiver.address, transport, readTrusted: () => [caPem] });
      await audit.log.append(opened(1));
      await expect(audit.forwarder?.check()).rejects.toMatchObject({ code: 'audit.targetUntrusted' });
      expect(receiver.received).toEqual([]);
      await audit.close();
      await close();
      await receiver.stop();
    }
  });

  test('a process that ends sends its last entries', async () => {
    const { receiver, audit, append } = await begin(kind);
    await append(1, 3);
    await audit.close();
    expect(numbers(receiver)).toEqual(upTo(3));
    await append(4, 4);
    await arrived(receiver, 4);
    expect(collect(receiver.received).again).toEqual([]);
  });

  test('the doctor sends the newest entry again', async () => {
    const { receiver, audit, append } = await begin(kind);
    expect(await audit.forwarder?.check()).toBe(false);
    await append(1, 3);
    await arrived(receiver, 3);
    await vi.waitFor(async () => expect(await audit.forwarder?.readThrough()).toBe(3));
    expect(await audit.forwarder?.check()).toBe(true);
    expect(collect(receiver.received)).toMatchObject({ again: [3] });
    expect(receiver.received.at(-1)?.follows).toBe(receiver.received[1]?.hash);
  });
});

test('the token is sent only to the address of the policy', async () => {
  const { receiver, audit, append } = await begin('https', 'Splunk 7f3c');
  await append(1, 1);
  await arrived(receiver, 1);
  expect(receiver.headers[0]).toMatchObject({
    'content-type': 'application/x-ndjson',
    authorization: 'Splunk 7f3c',
  });
  expect(receiver.headers[0]).not.toHaveProperty('cookie');
  for (const status of [307, 200, 401, 403, 413, 500]) {
    receiver.status = status;
    const checked = audit.forwarder?.check();
    if (status === 200) expect(await checked).toBe(true);
    else await expect(checked).rejects.toMatchObject({ code: 'audit.targetRefused' });
  }
});

test('a log that went back, and a damaged record of what was sent, are sent from the start', async () => {
  const { receiver, audit, append } = await begin('https');
  await append(1, 4);
  await arrived(receiver, 4);
  await audit.close();
  const path = join(audit.folder, 'audit-forwarded.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ seq: 4, failing: null });
  writeFileSync(path, '{"seq":4');
  await append(5, 5);
  await arrived(receiver, 5);
  expect(collect(receiver.received).again).toEqual([1, 2, 3, 4]);
  // An older copy of the profile: the same numbers get other entries, which the receiver sees.
  await audit.close();
  audit.tamper('DELETE FROM audit WHERE seq>3');
  await append(41, 42);
  await vi.waitFor(() => expect(() => collect(receiver.received)).toThrow('entry 4 was changed'));
});

test('a removed entry is visible as a gap', async () => {
  const { receiver, audit, append } = await begin('https');
  await append(1, 2);
  await arrived(receiver, 2);
  await audit.close();
  await receiver.stop();
  await append(3, 5);
  await failing(audit);
  await audit.close();
  audit.tamper('DELETE FROM audit WHERE seq=4');
  await receiver.start();
  expect(await audit.forwarder?.check()).toBe(true);
  expect(() => collect(receiver.received)).toThrow('entry 5 does not follow entry 3');
});

test('entries stay until they are forwarded, for at most one more year', async () => {
  const { receiver, audit, append } = await begin('https');
  await append(1, 2);
  await arrived(receiver, 2);
  await vi.waitFor(async () => expect(await audit.forwarder?.readThrough()).toBe(2));
  await receiver.stop();
  await append(3, 4);
  const trim = async (before: string): Promise<number> => {
    const announced = await audit.log.trim(before);
    audit.passDays(4);
    return announced + (await audit.log.trim(before));
  };
  expect(await trim('2027-01-01T00:00:00.000Z')).toBe(2);
  audit.passDays(300);
  expect(await trim('2027-11-01T00:00:00.000Z')).toBe(0);
  audit.passDays(300);
  expect(await trim('2027-12-01T00:00:00.000Z')).toBeGreaterThanOrEqual(2);
  await receiver.start();
  await vi.waitFor(() => expect(receiver.received.at(-1)?.action).toBe('audit.trimmed'));
  expect(() => collect(receiver.received)).toThrow('does not follow entry 2');
});

test('a command sends what it recorded to the address of the policy, without names or texts', async () => {
  const receiver = await openReceiver('https');
  onTestFinished(() => receiver.stop());
  const folder = makeTempFolder();
  const policyFile = join(folder, 'policy.json');
  writeFileSync(policyFile, JSON.stringify({ auditTarget: receiver.address }));
  const secrets = createEphemeralStore();
  const open = (writes: boolean) =>
    openSession({ options: {}, writes, profileDir: join(folder, 'profile'), secrets, policyFile });
  const session = await open(true);
  await (await session.getEngine()).setAuditToken('Bearer 7f3c');
  const { id: workspaceId } = await session.call('workspaces:add', {
    ...{ baseUrl: 'http://127.0.0.1:9', email: 'amelia@sandbox.example', name: 'Amelia’s claims' },
  });
  const source = { kind: 'list', query: { entity: 'claims' } } as const;
  const listed = { workspaceId, source, rows: 1, reason: 'Amelia asked for it' };
  await (await session.getEngine()).auditListed(listed);
  await session.close();
  const { entries } = collect(receiver.received);
  expect(entries.map(({ action }) => action)).toEqual(['workspace.added', 'records.listed']);
  expect(entries[1]?.details).toEqual({ list: 'claims', rows: 1, columns: 'all', isSsnShown: false });
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(`Amelia|sandbox|${userInfo().username}"`, 'i'));
  expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer 7f3c' });

  // Another process that does not write knows how far it is, and its doctor tries the target.
  const reader = await open(false);
  const forwarding = { address: receiver.address, through: 2, newest: 2, failing: null };
  expect(await reader.call('audit:readForwarding', {})).toEqual({ forwarding });
  const tried = async () =>
    (await reader.call('doctor:run', { workspaceId })).steps.find(({ id }) => id === 'auditTarget');
  expect(await tried()).toMatchObject({ status: 'ok', code: 'auditTarget.accepted' });
  expect(collect(receiver.received).again).toEqual([2]);
  receiver.status = 403;
  expect(await tried()).toMatchObject({ status: 'warning', code: 'auditTarget.refused' });
  await receiver.stop();
  expect(await tried()).toMatchObject({ code: 'auditTarget.unreachable' });
  expect(await reader.call('audit:readForwarding', {})).toEqual({ forwarding });
  await reader.close();
  await receiver.start();
});

test('a lock is sent before the engine ends, and waiting entries are sent after the next unlock', async () => {
  const receiver = await openReceiver('http');
  const policyFile = join(makeTempFolder(), 'policy.json');
  writeFileSync(policyFile, JSON.stringify({ auditTarget: receiver.address }));
  const under = await startShellUnderTest({ policyFile });
  onTestFinished(async () => {
    await under.close();
    await receiver.stop();
  });
  const page = await under.loadPage(await under.enter());
  const add = { baseUrl: 'http://127.0.0.1:9', email: 'admin@sandbox.example' };
  expect(await callAs(under, page, 'main', 'workspaces:add', add)).toMatchObject({ ok: true });
  await under.shell.desk.lockNow();
  const actions = () => collect(receiver.received).entries.map(({ action }) => action);
  expect(actions()).toEqual(['workspace.added', 'desk.locked']);

  const unlock = () => callAs(under, page, 'main', 'lock:unlock', { passphrase: vaultPassphrase });
  expect(await unlock()).toMatchObject({ ok: true });
  await arrived(receiver, 3);
  await receiver.stop();
  await under.shell.desk.lockNow();
  await receiver.start();
  expect(await unlock()).toMatchObject({ ok: true });
  await arrived(receiver, 5);
  expect(actions().slice(2)).toEqual(['desk.unlocked', 'desk.locked', 'desk.unlocked']);
});

test('with a backlog, the doctor gets its answer after the first batch', async () => {
  const { receiver, audit, append } = await begin('syslog+tls');
  await append(1, 1);
  await arrived(receiver, 1);
  await receiver.stop();
  await append(2, 900);
  await failing(audit);
  await receiver.start();
  expect(await audit.forwarder?.check()).toBe(true);
  expect(receiver.received.length).toBeLessThan(899);
  await arrived(receiver, 900);
});

test('another target gets the log from its first entry, and not the token of the earlier one', async () => {
  const receivers = [await openReceiver('https'), await openReceiver('https')] as const;
  const policyFile = join(makeTempFolder(), 'policy.json');
  const secrets = createEphemeralStore();
  const profileDir = makeTempFolder();
  const open = ({ address }: Receiver) => {
    writeFileSync(policyFile, JSON.stringify({ auditTarget: address }));
    return openSession({ options: {}, writes: true, profileDir, secrets, policyFile });
  };
  for (const [index, receiver] of receivers.entries()) {
    onTestFinished(() => receiver.stop());
    const session = await open(receiver);
    if (index === 0) await (await session.getEngine()).setAuditToken('Bearer 7f3c');
    await session.call('workspaces:add', {
      ...{ baseUrl: `http://127.0.0.1:${index + 1}`, email: 'admin@sandbox.example' },
    });
    await session.close();
  }
  const [first, second] = receivers;
  expect(first.headers[0]).toMatchObject({ authorization: 'Bearer 7f3c' });
  expect(second.headers[0]).not.toHaveProperty('authorization');
  expect([numbers(first), numbers(second)]).toEqual([[1], [1, 2]]);
});

test('a restored profile continues after what the target had, with its own number', async () => {
  const receiver = await openReceiver('https');
  onTestFinished(() => receiver.stop());
  const policyFile = join(makeTempFolder(), 'policy.json');
  writeFileSync(policyFile, JSON.stringify({ auditTarget: receiver.address }));
  const folder = makeTempFolder();
  const open = (profileDir: string) =>
    openSession({
      ...{ options: { yes: true }, writes: true, profileDir, policyFile },
      secrets: createEphemeralStore(),
    });
  const earlier = await open(join(makeTempFolder(), 'earlier'));
  await earlier.call('workspaces:add', { baseUrl: 'http://127.0.0.1:9', email: 'admin@sandbox.example' });
  await arrived(receiver, 1);
  await backUp(earlier, folder);
  await earlier.close();
  const sent = receiver.received.length;
  const restored = await open(join(makeTempFolder(), 'later'));
  await restoreFrom(restored, folder);
  await restored.close();
  const later = receiver.received.slice(sent);
  expect(later[0]?.seq).toBeGreaterThan(1);
  expect(later.at(-1)?.action).toBe('backup.restored');
  expect(later[0]?.follows).toBe(receiver.received.find(({ seq }) => seq === (later[0]?.seq ?? 0) - 1)?.hash);
  expect(later[0]?.computer).not.toBe(receiver.received[0]?.computer);
});
