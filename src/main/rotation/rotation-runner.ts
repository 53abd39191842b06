import type { MainHandlers } from '../../contract/procedures.ts';
import type { RotationAnswer, RotationState } from '../../contract/rotation.ts';
import { type KeyType, keyTypes } from '../../contract/ssh-keys.ts';
import { type DeskState, spaceOf } from '../desk/desk-state.ts';
import { listKeys, type Space } from '../desk/spaces.ts';
import { type RotationPorts, readRotationFacts, runRotation } from '../keys/run-rotation.ts';
import {
  findNextTask,
  isRotationOver,
  nextStepAfter,
  type RotationEvent,
  reconcileRotation,
  type StoredRotation,
} from '../keys/stored-rotation.ts';
import { DeskError, toErrorReport } from '../lib/errors.ts';
import { logFailure } from '../lib/log-failure.ts';
import { queueOf, type SerialQueue } from '../lib/serial-queue.ts';
import { auditRotation } from './rotation-audit.ts';
import { createRotationPorts } from './rotation-ports.ts';

/** The problem that stopped the last run of a rotation. */
type Trouble = Pick<RotationState, 'setback' | 'problem'>;
const noTrouble: Trouble = { setback: null, problem: null };

const eventOf: Readonly<Record<RotationAnswer, RotationEvent>> = {
  registered: 'registered',
  othersSwitched: 'othersSwitched',
  oldDeleted: 'oldDeleted',
  keepOld: 'oldKept',
  cancel: 'canceled',
};
/**
 * The step that an answer leads to. The same answer may be given again where Claimdesk could not continue from there.
 */
const recordedStep: Partial<Record<RotationAnswer, StoredRotation['step']>> = {
  registered: 'registered',
  othersSwitched: 'confirmed',
  oldDeleted: 'deleted',
};

/** The rotations of a profile. In each workspace one operation runs at a time. */
export interface Rotations {
  readonly desk: DeskState;
  readonly queues: Map<string, SerialQueue>;
  readonly troubles: Map<string, Trouble>;
}

export const createRotations = (desk: DeskState): Rotations => ({
  desk,
  queues: new Map(),
  troubles: new Map(),
});

/** Answers the procedures about key rotation, for windows and the command line. */
export function createRotationHandlers(rotations: Rotations) {
  const { desk } = rotations;
  return {
    'rotation:begin': async ({ workspaceId, type }) =>
      beginRotation(rotations, await spaceOf(desk, workspaceId), workspaceId, type),
    'rotation:get': async ({ workspaceId }) =>
      getRotation(rotations, await spaceOf(desk, workspaceId), workspaceId),
    'rotation:answer': async ({ workspaceId, answer }) =>
      answerRotation(rotations, await spaceOf(desk, workspaceId), workspaceId, answer),
    'rotation:resume': async ({ workspaceId }) =>
      resumeRotation(rotations, await spaceOf(desk, workspaceId), workspaceId),
  } satisfies MainHandlers;
}

const alone = <T>({ queues }: Rotations, workspaceId: string, task: () => Promise<T>): Promise<T> =>
  queueOf(queues, workspaceId)(task);

/** @throws DeskError `key.missing`, `key.rotationRunning` */
export const beginRotation = (
  rotations: Rotations,
  space: Space,
  workspaceId: string,
  type: KeyType | undefined,
): Promise<RotationState> =>
  alone(rotations, workspaceId, async () => {
    const { keyId } = await space.book.get(workspaceId);
    if (keyId === null) throw new DeskError('key.missing');
    const old = await space.keyRing.get(keyId);
    const newKeyType = type ?? findSameType(old.type);
    const { journal } = portsOf(rotations, space);
    const rotation = await journal.begin({ workspaceId, oldKeyId: keyId, newKeyType });
    return continueRotation(rotations, space, rotation);
  });

/** The current step of a rotation, compared with the facts; changes nothing. */
async function getRotation(
  rotations: Rotations,
  space: Space,
  workspaceId: string,
): Promise<RotationState | null> {
  const recorded = await space.journal.find(workspaceId);
  if (recorded === null) return null;
  const facts = await readRotationFacts(portsOf(rotations, space), recorded);
  return describe(rotations, space, { ...recorded, step: reconcileRotation(recorded, facts).step });
}

/** @throws DeskError `key.rotationOutOfStep`, `key.inUse` */
export const answerRotation = (
  rotations: Rotations,
  space: Space,
  workspaceId: string,
  answer: RotationAnswer,
): Promise<RotationState> =>
  alone(rotations, workspaceId, async () => {
    const rotation = await space.journal.find(workspaceId);
    if (rotation === null) throw new DeskError('key.rotationOutOfStep');
    if (recordedStep[answer] !== rotation.step) {
      const event = eventOf[answer];
      if (nextStepAfter(rotation.step, event) === null)
        throw new DeskError('key.rotationOutOfStep', { details: { step: rotation.step } });
      if (event === 'othersSwitched') await requireNoneLeft(space, rotation);
      if (event === 'canceled') await unregisterInSample(rotations.desk, space, rotation);
      await portsOf(rotations, space).journal.record(rotation.id, event);
    }
    return continueRotation(rotations, space, rotation);
  });

/** Null where there is none. */
export const resumeRotation = (
  rotations: Rotations,
  space: Space,
  workspaceId: string,
): Promise<RotationState | null> =>
  alone(rotations, workspaceId, async () => {
    const rotation = await space.journal.find(workspaceId);
    return rotation === null ? null : continueRotation(rotations, space, rotation);
  });

/** Continues every rotation of a space, at the start and after unlocking. */
export async function resumeRotations(rotations: Rotations, space: Space): Promise<void> {
  for (const { workspaceId } of await space.journal.list())
    await resumeRotation(rotations, space, workspaceId);
}

/** Ends the rotation of a removed workspace. */
export async function endRotation(rotations: Rotations, space: Space, workspaceId: string): Promise<void> {
  await alone(rotations, workspaceId, async () => {
    const rotation = await space.journal.find(workspaceId);
    if (rotation !== null) await runRotation(portsOf(rotations, space), rotation.id);
  });
  rotations.troubles.delete(workspaceId);
}

/** Resolves when no more rotations run. */
export async function whenIdle({ queues }: Rotations): Promise<void> {
  await Promise.all([...queues.values()].map((queue) => queue(async () => undefined)));
}

const portsOf = ({ desk }: Rotations, space: Space) =>
  createRotationPorts(desk, space, space.isSample ? space.journal : auditRotation(space.journal, desk.audit));

/**
 * Runs a rotation as far as possible. A problem is returned in its state and not thrown, because the rotation still
 * exists.
 */
async function continueRotation(
  rotations: Rotations,
  space: Space,
  rotation: StoredRotation,
): Promise<RotationState> {
  const { desk, troubles } = rotations;
  const { workspaceId } = rotation;
  const ports = portsOf(rotations, space);
  let reached = rotation;
  troubles.delete(workspaceId);
  try {
    reached = (await runRotation(ports, rotation.id)) ?? rotation;
    if (space.isSample) reached = await serveSample(desk, space, ports, reached);
  } catch (thrown) {
    reached = (await space.journal.find(workspaceId)) ?? reached;
    logFailure(desk.ports.log, 'app.failed', thrown);
    troubles.set(workspaceId, { setback: null, problem: toErrorReport(thrown) });
  }
  const last = ports.events.at(-1);
  if (last === 'newRefused') troubles.set(workspaceId, { setback: 'newKeyRefused', problem: null });
  if (last === 'oldStillAccepted') troubles.set(workspaceId, { setback: 'oldKeyAccepted', problem: null });
  const described = await describe(rotations, space, reached);
  if (described.isOver) troubles.delete(workspaceId);
  desk.emit({ name: 'keys:changed', payload: {} });
  desk.emit({ name: 'rotation:changed', payload: { workspaceId } });
  return described;
}

async function describe(
  { troubles }: Rotations,
  space: Space,
  rotation: StoredRotation,
): Promise<RotationState> {
  const { workspaceId, step, oldKeyId, newKeyId } = rotation;
  const keys = await listKeys(space);
  const { task, needsPerson } = findNextTask(step);
  return {
    ...rotation,
    ...(troubles.get(workspaceId) ?? noTrouble),
    nextTask: task,
    needsPerson,
    isOver: isRotationOver(step),
    oldKey: keys.find((key) => key.id === oldKeyId) ?? null,
    newKey: keys.find((key) => key.id === newKeyId) ?? null,
  };
}

/** Registers and deletes keys on the sample's page, as a user would. */
async function serveSample(
  desk: DeskState,
  space: Space,
  ports: RotationPorts,
  rotation: StoredRotation,
): Promise<StoredRotation> {
  const service = desk.sample?.service;
  const { task } = findNextTask(rotation.step);
  if (service === undefined || (task !== 'register' && task !== 'deleteOld')) return rotation;
  const { name, publicKey } = await space.keyRing.get(
    task === 'register' ? rotation.newKeyId : rotation.oldKeyId,
  );
  await (task === 'register' ? service.register(name, publicKey) : service.deleteKey(publicKey));
  await ports.journal.record(rotation.id, task === 'register' ? 'registered' : 'oldDeleted');
  return (await runRotation(ports, rotation.id)) ?? rotation;
}

/** The same type of key where Claimdesk can generate it; otherwise the default type. */
const findSameType = (type: string): KeyType => keyTypes.find((keyType) => keyType === type) ?? 'ed25519';

/**
 * Refuses to delete the old key while another workspace of the same service signs with it.
 * @throws DeskError `key.inUse` with the workspace in `details`
 */
async function requireNoneLeft(space: Space, rotation: StoredRotation): Promise<void> {
  const workspaces = await space.book.list();
  const ownWorkspace = workspaces.find(({ id }) => id === rotation.workspaceId);
  const left = workspaces.find(
    (other) =>
      other !== ownWorkspace && other.keyId === rotation.oldKeyId && other.baseUrl === ownWorkspace?.baseUrl,
  );
  if (left === undefined) return;
  throw new DeskError('key.inUse', { details: { workspaceId: left.id, name: left.name } });
}

/**
 * Deletes the new key from the sample's page, where Claimdesk registered it. If the sample is stopped, the key stays
 * there.
 */
async function unregisterInSample(state: DeskState, space: Space, rotation: StoredRotation): Promise<void> {
  if (!space.isSample) return;
  const key = await space.keyRing.get(rotation.newKeyId).catch(() => null);
  if (key !== null) await state.sample?.service.deleteKey(key.publicKey).catch(() => undefined);
}
