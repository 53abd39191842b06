import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type RotationStep, rotationSteps } from '../../../../src/contract/rotation.ts';
import { createRotationJournal } from '../../../../src/main/keys/rotation-journal.ts';
import {
  findNextTask,
  isRotationOver,
  nextStepAfter,
  type RotationEvent,
  reconcileRotation,
  type StoredRotation,
} from '../../../../src/main/keys/stored-rotation.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const straight: [RotationStep, RotationEvent, RotationStep][] = [
  ['started', 'keyMade', 'made'],
  ['made', 'registered', 'registered'],
  ['registered', 'proven', 'proven'],
  ['proven', 'switched', 'switched'],
  ['switched', 'othersSwitched', 'confirmed'],
  ['confirmed', 'oldDeleted', 'deleted'],
  ['deleted', 'oldRefused', 'refused'],
  ['refused', 'oldRetired', 'retired'],
];

describe('steps', () => {
  test.each(straight)('%s, %s: %s', (step, event, next) => {
    expect(nextStepAfter(step, event)).toBe(next);
  });

  test('go back if the service says otherwise', () => {
    expect(nextStepAfter('registered', 'newRefused')).toBe('made');
    expect(nextStepAfter('deleted', 'oldStillAccepted')).toBe('confirmed');
  });

  test('none skips verification: no unverified switch, nothing retired that was not refused', () => {
    for (const step of rotationSteps) {
      if (step !== 'proven') expect(nextStepAfter(step, 'switched')).toBeNull();
      if (step !== 'refused') expect(nextStepAfter(step, 'oldRetired')).toBeNull();
      if (step !== 'deleted') expect(nextStepAfter(step, 'oldRefused')).toBeNull();
    }
  });

  test('can be canceled until the switch, and be left with both keys after it', () => {
    const cancelable = rotationSteps.filter((step) => nextStepAfter(step, 'canceled') !== null);
    expect(cancelable).toEqual(['started', 'made', 'registered', 'proven']);
    const keepable = rotationSteps.filter((step) => nextStepAfter(step, 'oldKept') !== null);
    expect(keepable).toEqual(['switched', 'confirmed', 'deleted', 'refused']);
  });

  test('end when nothing is left to do', () => {
    for (const step of rotationSteps) {
      expect(findNextTask(step).task === 'none').toBe(isRotationOver(step));
    }
  });
});

describe('after a crash', () => {
  const rotation = (step: RotationStep): StoredRotation => ({
    id: 'r',
    workspaceId: 'w',
    oldKeyId: 'old',
    newKeyId: 'new',
    newKeyType: 'ed25519',
    step,
    startedAt: '',
    changedAt: '',
  });
  const at = (step: RotationStep, keyIds: string[], workspaceKeyId: string | null | undefined) =>
    reconcileRotation(rotation(step), { keyIds, workspaceKeyId });
  const both = ['old', 'new'];

  test.each([
    ['the key was made and not noted', at('started', both, 'old'), 'made', null],
    ['nothing was made yet', at('started', ['old'], 'old'), 'started', null],
    ['the switch was made and not noted', at('proven', both, 'new'), 'switched', null],
    ['the switch was not made', at('proven', both, 'old'), 'proven', null],
    ['the old key was removed and that not noted', at('refused', ['new'], 'new'), 'retired', null],
    ['the new key was removed by someone', at('registered', ['old'], 'old'), 'started', null],
    ['the workspace got a third key', at('made', both, 'third'), 'canceled', 'new'],
    ['the workspace lost its key', at('made', both, null), 'canceled', 'new'],
    ['the workspace is gone', at('made', both, undefined), 'canceled', 'new'],
    ['the workspace is gone after the switch', at('confirmed', both, undefined), 'kept', null],
    ['it was canceled and the key not removed', at('canceled', both, 'old'), 'canceled', 'new'],
    ['it was canceled and the key removed', at('canceled', ['old'], 'old'), 'canceled', null],
    ['someone switched back', at('confirmed', both, 'old'), 'kept', null],
    ['someone chose the new key by hand', at('made', both, 'new'), 'switched', null],
    ['all is as noted', at('confirmed', both, 'new'), 'confirmed', null],
  ] as const)('%s', (_, reconciled, step, orphanKeyId) => {
    expect(reconciled).toEqual({ step, orphanKeyId });
  });

  test('the key that a workspace signs with is never an orphan', () => {
    for (const step of rotationSteps) {
      for (const workspaceKeyId of ['old', 'new', 'third', null, undefined]) {
        expect(at(step, both, workspaceKeyId).orphanKeyId ?? 'none').not.toBe(workspaceKeyId);
      }
    }
  });

  test('looking twice changes nothing more', () => {
    for (const step of rotationSteps) {
      for (const workspaceKeyId of ['old', 'new', 'third', null, undefined]) {
        for (const keyIds of [both, ['old'], ['new'], []]) {
          const once = at(step, keyIds, workspaceKeyId);
          const left = keyIds.filter((id) => id !== once.orphanKeyId);
          expect(at(once.step, left, workspaceKeyId)).toEqual({ step: once.step, orphanKeyId: null });
        }
      }
    }
  });
});

describe('the journal', () => {
  const getProfileDir = givenTempProfile();
  const open = () =>
    createRotationJournal({ profileDir: getProfileDir(), clock: { now: () => Date.UTC(2026, 2, 3) } });
  const input = { workspaceId: 'w', oldKeyId: 'old', newKeyType: 'ecdsa-384' } as const;

  test('keeps a rotation over several runs, one per workspace', async () => {
    const begun = await open().begin(input);
    expect(begun).toMatchObject({ step: 'started', newKeyId: expect.stringMatching(/^ecdsa-384-/) });
    expect(await open().find('w')).toEqual(begun);
    expect(await open().find('other')).toBeNull();
    await expect(open().begin(input)).rejects.toMatchObject({ code: 'key.rotationRunning' });
    await open().begin({ ...input, workspaceId: 'other' });
    expect(await open().list()).toHaveLength(2);
  });

  test('accepts only what can have happened', async () => {
    const { id } = await open().begin(input);
    await expect(open().record(id, 'switched')).rejects.toMatchObject({ code: 'key.rotationOutOfStep' });
    await expect(open().record('none', 'keyMade')).rejects.toMatchObject({ code: 'key.rotationOutOfStep' });
    expect(await open().record(id, 'keyMade')).toMatchObject({ step: 'made' });
    await open().record(id, 'canceled');
    expect(await open().begin(input)).toMatchObject({ step: 'started' });
    expect(await open().list()).toHaveLength(1);
  });

  test('that is damaged is reported', async () => {
    await writeFile(join(getProfileDir(), 'rotations.json'), '{"version":1,"rotations":[{}]}');
    await expect(open().list()).rejects.toMatchObject({ code: 'profile.damaged' });
    await expect(open().begin(input)).rejects.toMatchObject({ code: 'profile.damaged' });
  });
});
