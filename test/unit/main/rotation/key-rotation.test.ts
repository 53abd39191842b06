import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RotationAnswer } from '../../../../src/contract/rotation.ts';
import type { SampleService } from '../../../../src/main/desk/desk-state.ts';
import { createEphemeralStore } from '../../../../src/main/keychain/secret-store.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';
import { nameSuccessor } from '../../../../src/main/rotation/rotation-ports.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk, type TestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();

async function openRotating(options: { type?: 'ed25519' | 'ecdsa-256' } = {}) {
  // The user who gives the key to another service confirms it.
  const desk = openTestDesk({ profileDir: profileDir(), ports: { confirm: async () => true } });
  const { id: workspaceId } = await desk.call('workspaces:add', {
    baseUrl: 'https://claims.example.com',
    email: 'ada@example.test',
  });
  const type = options.type ?? 'ed25519';
  const old = await desk.call('keys:generate', { type, name: 'Front desk', workspaceId });
  desk.service.accepted.add(old.id);
  return { desk, workspaceId, old };
}
const answer = (desk: TestDesk, workspaceId: string, given: RotationAnswer) =>
  desk.call('rotation:answer', { workspaceId, answer: given });
const keyIds = async (desk: TestDesk) => (await desk.call('keys:list', {})).keys.map(({ id }) => id);

describe('from the old key to the new', () => {
  test('each step waits for its user, and everything is recorded', async () => {
    const { desk, workspaceId, old } = await openRotating({ type: 'ecdsa-256' });
    expect(await desk.call('rotation:get', { workspaceId })).toBeNull();
    const made = await desk.call('rotation:begin', { workspaceId });
    expect(made).toMatchObject({ step: 'made', nextTask: 'register', needsPerson: true, isOver: false });
    expect(made).toMatchObject({ newKeyType: 'ecdsa-256', setback: null, problem: null });
    expect(made.newKey).toMatchObject({ name: 'Front desk 2026-11-20', provenAt: null });
    expect(await desk.call('rotation:get', { workspaceId })).toEqual(made);

    desk.service.accepted.add(made.newKeyId);
    const switched = await answer(desk, workspaceId, 'registered');
    expect(switched).toMatchObject({ step: 'switched', nextTask: 'askOthers' });
    expect(switched.newKey).toMatchObject({ workspaceIds: [workspaceId], provenAt: expect.any(String) });
    expect(switched.oldKey).toMatchObject({ id: old.id, workspaceIds: [] });

    expect(await answer(desk, workspaceId, 'othersSwitched')).toMatchObject({ nextTask: 'deleteOld' });
    desk.service.accepted.delete(old.id);
    const over = await answer(desk, workspaceId, 'oldDeleted');
    expect(over).toMatchObject({ step: 'retired', isOver: true, oldKey: null, nextTask: 'none' });
    expect(await keyIds(desk)).toEqual([made.newKeyId]);
    expect(await desk.call('rotation:get', { workspaceId })).toBeNull();
    expect(desk.actions().slice(2)).toEqual([
      'rotation.begun',
      'key.made',
      'key.proven',
      'key.chosen',
      'key.retired',
      'rotation.ended',
    ]);
    expect(desk.audit.at(-2)?.details).toMatchObject({ keyId: old.id });
    expect(desk.events.filter(({ name }) => name === 'rotation:changed')).toHaveLength(4);
  });

  test('a key that the service does not accept yet, or still accepts, is a setback and not an error', async () => {
    const { desk, workspaceId, old } = await openRotating();
    const { newKeyId } = await desk.call('rotation:begin', { workspaceId });
    expect(await answer(desk, workspaceId, 'registered')).toMatchObject({
      step: 'made',
      setback: 'newKeyRefused',
    });
    expect(await desk.call('rotation:get', { workspaceId })).toMatchObject({ setback: 'newKeyRefused' });
    desk.service.accepted.add(newKeyId);
    expect(await answer(desk, workspaceId, 'registered')).toMatchObject({ step: 'switched', setback: null });
    await answer(desk, workspaceId, 'othersSwitched');
    expect(await answer(desk, workspaceId, 'oldDeleted')).toMatchObject({
      step: 'confirmed',
      setback: 'oldKeyAccepted',
    });
    expect(await keyIds(desk)).toContain(old.id);
  });

  test('a service that takes neither key has not shown that the old one is gone', async () => {
    const { desk, workspaceId, old } = await openRotating();
    const { newKeyId } = await desk.call('rotation:begin', { workspaceId });
    desk.service.accepted.add(newKeyId);
    await answer(desk, workspaceId, 'registered');
    await answer(desk, workspaceId, 'othersSwitched');
    desk.service.accepted.clear();
    expect(await answer(desk, workspaceId, 'oldDeleted')).toMatchObject({
      step: 'deleted',
      needsPerson: false,
      problem: { code: 'service.unauthorized' },
    });
    expect(await keyIds(desk)).toContain(old.id);
  });

  test('another workspace of the same service has to switch first; one elsewhere keeps the key', async () => {
    const { desk, workspaceId, old } = await openRotating();
    const add = async (baseUrl: string, email: string): Promise<string> => {
      const { id } = await desk.call('workspaces:add', { baseUrl, email });
      await desk.call('keys:use', { workspaceId: id, keyId: old.id });
      return id;
    };
    const sameId = await add('https://claims.example.com', 'bea@example.test');
    await add('https://other.example.com', 'ada@example.test');
    const { newKeyId } = await desk.call('rotation:begin', { workspaceId });
    desk.service.accepted.add(newKeyId);
    await answer(desk, workspaceId, 'registered');
    expect(await desk.fail('rotation:answer', { workspaceId, answer: 'othersSwitched' })).toMatchObject({
      code: 'key.inUse',
      details: { workspaceId: sameId },
    });
    await desk.call('keys:use', { workspaceId: sameId, keyId: newKeyId });
    await answer(desk, workspaceId, 'othersSwitched');
    desk.service.accepted.delete(old.id);
    expect(await answer(desk, workspaceId, 'oldDeleted')).toMatchObject({ step: 'kept', isOver: true });
    expect(await keyIds(desk)).toContain(old.id);
  });

  test('what Claimdesk could not do itself it does when asked again', async () => {
    const { desk, workspaceId } = await openRotating();
    expect(await desk.call('rotation:resume', { workspaceId })).toBeNull();
    const { newKeyId } = await desk.call('rotation:begin', { workspaceId });
    desk.service.accepted.add(newKeyId);
    desk.service.fault = new DeskError('service.unreachable');
    const stopped = await answer(desk, workspaceId, 'registered');
    expect(stopped).toMatchObject({ step: 'registered', nextTask: 'prove', needsPerson: false });
    expect(stopped.problem).toMatchObject({ code: 'service.unreachable', nextStep: expect.any(String) });
    expect(await desk.call('rotation:get', { workspaceId })).toEqual(stopped);
    // The same answer again is no mistake: the user sees that nothing happened.
    expect(await answer(desk, workspaceId, 'registered')).toMatchObject({ step: 'registered' });
    desk.service.fault = null;
    expect(await desk.call('rotation:resume', { workspaceId })).toMatchObject({
      step: 'switched',
      problem: null,
    });
  });
});

describe('leaving it', () => {
  test('before the switch the new key is removed; after it both can be kept', async () => {
    const { desk, workspaceId, old } = await openRotating();
    await desk.call('rotation:begin', { workspaceId });
    expect(await answer(desk, workspaceId, 'cancel')).toMatchObject({ step: 'canceled', isOver: true });
    expect(await keyIds(desk)).toEqual([old.id]);
    const { newKeyId } = await desk.call('rotation:begin', { workspaceId, type: 'ecdsa-384' });
    desk.service.accepted.add(newKeyId);
    await answer(desk, workspaceId, 'registered');
    const late = await desk.fail('rotation:answer', { workspaceId, answer: 'cancel' });
    expect(late).toMatchObject({ code: 'key.rotationOutOfStep', details: { step: 'switched' } });
    expect(await answer(desk, workspaceId, 'keepOld')).toMatchObject({ step: 'kept', isOver: true });
    expect((await keyIds(desk)).sort()).toEqual([newKeyId, old.id].sort());
  });

  test('canceling keeps a key that another workspace uses', async () => {
    const { desk, workspaceId } = await openRotating();
    const { newKeyId } = await desk.call('rotation:begin', { workspaceId });
    const { id: otherId } = await desk.call('workspaces:add', {
      baseUrl: 'https://other.example.com',
      email: 'ada@example.test',
    });
    await desk.call('keys:use', { workspaceId: otherId, keyId: newKeyId });
    await answer(desk, workspaceId, 'cancel');
    expect(await keyIds(desk)).toContain(newKeyId);
  });

  test('a key of a rotation is not removed separately', async () => {
    const { desk, workspaceId, old } = await openRotating();
    const { newKeyId } = await desk.call('rotation:begin', { workspaceId });
    for (const keyId of [old.id, newKeyId]) {
      expect(await desk.fail('keys:retire', { keyId })).toMatchObject({ code: 'key.rotationRunning' });
    }
  });

  test('removing a workspace removes its rotation, and the key that no one switched to', async () => {
    const { desk, workspaceId, old } = await openRotating();
    await desk.call('rotation:begin', { workspaceId });
    await desk.call('workspaces:remove', { workspaceId });
    expect(await keyIds(desk)).toEqual([old.id]);
    expect(desk.actions().at(-2)).toBe('rotation.ended');
  });
});

test('what can’t begin has a code', async () => {
  const { desk, workspaceId, old } = await openRotating();
  expect(await desk.fail('rotation:begin', { workspaceId: 'none' })).toMatchObject({
    code: 'workspace.unknown',
  });
  expect(await desk.fail('rotation:answer', { workspaceId, answer: 'registered' })).toMatchObject({
    code: 'key.rotationOutOfStep',
  });
  await desk.call('rotation:begin', { workspaceId });
  expect(await desk.fail('rotation:begin', { workspaceId })).toMatchObject({ code: 'key.rotationRunning' });
  await answer(desk, workspaceId, 'cancel');
  await desk.call('keys:retire', { keyId: old.id, typedName: 'Front desk' });
  expect(await desk.fail('rotation:begin', { workspaceId })).toMatchObject({ code: 'key.missing' });
});

describe('at the start of a window', () => {
  test('a rotation in progress continues by itself', async () => {
    const secrets = createEphemeralStore();
    const first = openTestDesk({ profileDir: profileDir(), secrets });
    const { id: workspaceId } = await first.call('workspaces:add', {
      baseUrl: 'https://claims.example.com',
      email: 'ada@example.test',
    });
    await first.call('keys:generate', { type: 'ed25519', workspaceId });
    const { newKeyId } = await first.call('rotation:begin', { workspaceId });
    first.service.fault = new DeskError('service.unreachable');
    await answer(first, workspaceId, 'registered');
    await first.desk.close();

    const second = openTestDesk({ profileDir: profileDir(), secrets, watchesIdle: true });
    second.service.accepted.add(newKeyId);
    await expect
      .poll(async () => (await second.call('rotation:get', { workspaceId }))?.step)
      .toBe('switched');
    await expect.poll(() => second.actions()).toContain('key.chosen');
    await second.desk.close();
  });

  test('nothing continues after the desk was closed', async () => {
    const { desk, workspaceId } = await openRotating();
    await desk.call('rotation:begin', { workspaceId });
    await desk.desk.close();
    const asked = desk.service.asked.length;
    expect(await answer(desk, workspaceId, 'registered')).toMatchObject({
      problem: { code: 'engine.stopped' },
    });
    await wait(20);
    expect(desk.service.asked).toHaveLength(asked);
  });
});

test('in the sample Claimdesk does the user’s part on the page, and the audit log has no trace of it', async () => {
  const page = new Map<string, string>();
  const sample: SampleService = {
    baseUrl: 'http://127.0.0.1:4999',
    email: 'sample@example.test',
    register: async (name, publicKey) => void page.set(publicKey.split(' ')[1] ?? '', name),
    deleteKey: async (publicKey) => void page.delete(publicKey.split(' ')[1] ?? ''),
    stop: async () => undefined,
    getConnect: () => null,
    getPeople: () => [],
    nextDay: async () => undefined,
    countDaysLeft: () => 0,
    startTeam: async () => Promise.reject(new Error('not asked')),
    addColleague: async () => Promise.reject(new Error('not asked')),
    start: async () => undefined,
    close: async () => undefined,
  };
  const desk = openTestDesk({ profileDir: profileDir(), sample });
  const { id: workspaceId, keyId } = await desk.call('sample:open', {});
  // The service accepts what the page has.
  desk.service.takes = async (id) => {
    const key = (await desk.call('keys:list', {})).keys.find((candidate) => candidate.id === id);
    return page.has(key?.publicKey.split(' ')[1] ?? '');
  };
  const state = await desk.call('rotation:begin', { workspaceId });
  expect(state).toMatchObject({ step: 'switched', nextTask: 'askOthers' });
  expect(page.size).toBe(2);
  const over = await answer(desk, workspaceId, 'othersSwitched');
  expect(over).toMatchObject({ step: 'retired', isOver: true });
  expect(page.size).toBe(1);
  expect(await keyIds(desk)).toEqual([over.newKeyId]);
  expect(over.oldKeyId).toBe(keyId);
  expect(desk.actions()).toEqual([]);
  await desk.desk.close();
});

test.each([
  ['Front desk', 'Front desk 2026-11-20'],
  ['Front desk 2025-03-01', 'Front desk 2026-11-20'],
  [undefined, 'Claimdesk 2026-11-20'],
  ['x'.repeat(80), `${'x'.repeat(69)} 2026-11-20`],
])('the successor of %s is %s', (name, successor) => {
  expect(nameSuccessor(name, Date.UTC(2026, 10, 20))).toBe(successor);
});
