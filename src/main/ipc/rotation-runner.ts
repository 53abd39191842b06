import type { RotationAnswer, RotationState } from '../../contract/rotation.ts';
import { type KeyType, keyTypes } from '../../contract/ssh-keys.ts';
import {
  findNextTask,
  isRotationOver,
  nextStepAfter,
  type Rotation,
  type RotationEvent,
  reconcileRotation,
} from '../keys/rotation.ts';
import { type RotationPorts, readRotationFacts, runRotation } from '../keys/run-rotation.ts';
import { DeskError, toErrorReport } from '../lib/errors.ts';
import { logFailure } from '../lib/log-failure.ts';
import { createSerialQueue, type SerialQueue } from '../lib/serial-queue.ts';
import type { DeskState } from './desk-state.ts';
import { auditRotation } from './rotation-audit.ts';
import { createRotationPorts } from './rotation-ports.ts';
import type { Space } from './spaces.ts';

/** What the last run of a rotation met; a new one begins without. */
type Trouble = Pick<RotationState, 'setback' | 'problem'>;
const noTrouble: Trouble = { setback: null, problem: null };

const eventOf: Readonly<Record<RotationAnswer, RotationEvent>> = {
  registered: 'registered',
  othersSwitched: 'othersSwitched',
  oldDeleted: 'oldDeleted',
  keepOld: 'oldKept',
  cancel: 'canceled',
};
/** An answer that was noted before, and after which Claimdesk could not go on, may be given again. */
const recordedStep: Partial<Record<RotationAnswer, Rotation['step']>> = {
  registered: 'registered',
  othersSwitched: 'confirmed',
  oldDeleted: 'deleted',
};

/** Runs the rotations of a desk: one thing at a time in each workspace, for windows and at the start. */
export function createRotationRunner(state: DeskState) {
  const queues = new Map<string, SerialQueue>();
  const troubles = new Map<string, Trouble>();
  const alone = <T>(workspaceId: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(workspaceId) ?? createSerialQueue();
    queues.set(workspaceId, queue);
    return queue(task);
  };

  const toState = async (space: Space, rotation: Rotation): Promise<RotationState> => {
    const { id, workspaceId, step, newKeyType, oldKeyId, newKeyId, startedAt, changedAt } = rotation;
    const keys = await space.listKeys();
    const { task, needsPerson } = findNextTask(step);
    return {
      ...{ id, workspaceId, step, newKeyType, oldKeyId, newKeyId, startedAt, changedAt },
      ...(troubles.get(workspaceId) ?? noTrouble),
      nextTask: task,
      needsPerson,
      isOver: isRotationOver(step),
      oldKey: keys.find((key) => key.id === oldKeyId) ?? null,
      newKey: keys.find((key) => key.id === newKeyId) ?? null,
    };
  };

  const portsOf = (space: Space): RotationPorts & { readonly events: readonly RotationEvent[] } => {
    const journal = space.isSample ? space.journal : auditRotation(space.journal, state.note);
    return createRotationPorts(state, space, journal);
  };

  /** Goes as far as it can; what stops it is told in the state, not thrown: the rotation is there all the same. */
  const goOn = async (space: Space, rotation: Rotation): Promise<RotationState> => {
    const { workspaceId } = rotation;
    const ports = portsOf(space);
    let reached = rotation;
    troubles.delete(workspaceId);
    try {
      reached = (await runRotation(ports, rotation.id)) ?? rotation;
      if (space.isSample) reached = await serveSample(space, ports, reached);
    } catch (thrown) {
      reached = (await space.journal.find(workspaceId)) ?? reached;
      logFailure(state.ports.log, 'app.failed', thrown);
      troubles.set(workspaceId, { setback: null, problem: toErrorReport(thrown) });
    }
    const last = ports.events.at(-1);
    if (last === 'newRefused') troubles.set(workspaceId, { setback: 'newKeyRefused', problem: null });
    if (last === 'oldStillAccepted') troubles.set(workspaceId, { setback: 'oldKeyAccepted', problem: null });
    const described = await toState(space, reached);
    if (described.isOver) troubles.delete(workspaceId);
    state.emit({ name: 'keys:changed', payload: {} });
    state.emit({ name: 'rotation:changed', payload: { workspaceId } });
    return described;
  };

  /** The sample's page for SSH keys is local: Claimdesk does there what a person would do. */
  const serveSample = async (space: Space, ports: RotationPorts, rotation: Rotation): Promise<Rotation> => {
    const service = state.sample?.service;
    const { task } = findNextTask(rotation.step);
    if (service === undefined || (task !== 'register' && task !== 'deleteOld')) return rotation;
    const { name, publicKey } = await space.keyRing.get(
      task === 'register' ? rotation.newKeyId : rotation.oldKeyId,
    );
    await (task === 'register' ? service.register(name, publicKey) : service.deleteKey(publicKey));
    await ports.journal.record(rotation.id, task === 'register' ? 'registered' : 'oldDeleted');
    return (await runRotation(ports, rotation.id)) ?? rotation;
  };

  return {
    begin: (space: Space, workspaceId: string, type: KeyType | undefined): Promise<RotationState> =>
      alone(workspaceId, async () => {
        const { keyId } = await space.book.get(workspaceId);
        if (keyId === null) throw new DeskError('key.missing');
        const old = await space.keyRing.get(keyId);
        const newKeyType = type ?? findSameType(old.type);
        const { journal } = portsOf(space);
        return goOn(space, await journal.begin({ workspaceId, oldKeyId: keyId, newKeyType }));
      }),

    /** Where it stands by what is there, with nothing done. */
    async get(space: Space, workspaceId: string): Promise<RotationState | null> {
      const recorded = await space.journal.find(workspaceId);
      if (recorded === null) return null;
      const { step } = reconcileRotation(recorded, await readRotationFacts(portsOf(space), recorded));
      return toState(space, { ...recorded, step });
    },

    answer: (space: Space, workspaceId: string, answer: RotationAnswer): Promise<RotationState> =>
      alone(workspaceId, async () => {
        const rotation = await space.journal.find(workspaceId);
        if (rotation === null) throw new DeskError('key.rotationOutOfStep');
        if (recordedStep[answer] !== rotation.step) {
          const event = eventOf[answer];
          if (nextStepAfter(rotation.step, event) === null) {
            throw new DeskError('key.rotationOutOfStep', { details: { step: rotation.step } });
          }
          if (event === 'othersSwitched') await requireNoneLeft(space, rotation);
          if (event === 'canceled') await unregisterInSample(state, space, rotation);
          await portsOf(space).journal.record(rotation.id, event);
        }
        return goOn(space, rotation);
      }),

    resume: (space: Space, workspaceId: string): Promise<RotationState | null> =>
      alone(workspaceId, async () => {
        const rotation = await space.journal.find(workspaceId);
        return rotation === null ? null : goOn(space, rotation);
      }),

    /** Ends the rotation of a removed workspace. */
    async settle(space: Space, workspaceId: string): Promise<void> {
      await alone(workspaceId, async () => {
        const rotation = await space.journal.find(workspaceId);
        if (rotation !== null) await runRotation(portsOf(space), rotation.id);
      });
      troubles.delete(workspaceId);
    },

    /** At the start and after unlocking: what was under way goes on. */
    async resumeAll(space: Space): Promise<void> {
      for (const { workspaceId } of await space.journal.list()) await this.resume(space, workspaceId);
    },

    /** Resolves when nothing runs any more. */
    async whenIdle(): Promise<void> {
      await Promise.all([...queues.values()].map((queue) => queue(async () => undefined)));
    },
  };
}

export type RotationRunner = ReturnType<typeof createRotationRunner>;

/** A key of the same type, where it is one that we make; else our own default. */
function findSameType(type: string): KeyType {
  return keyTypes.find((known) => known === type) ?? 'ed25519';
}

/**
 * Other workspaces here are clients too: one of the same service would be locked out with the old key.
 * @throws DeskError `key.inUse` with the workspace in `details`
 */
async function requireNoneLeft(space: Space, rotation: Rotation): Promise<void> {
  const workspaces = await space.book.list();
  const own = workspaces.find(({ id }) => id === rotation.workspaceId);
  const left = workspaces.find(
    (other) => other !== own && other.keyId === rotation.oldKeyId && other.baseUrl === own?.baseUrl,
  );
  if (left === undefined) return;
  throw new DeskError('key.inUse', { details: { workspaceId: left.id, name: left.name } });
}

/** What was put on the sample's page by us is taken away by us; a service that is out of reach keeps it. */
async function unregisterInSample(state: DeskState, space: Space, rotation: Rotation): Promise<void> {
  if (!space.isSample) return;
  const key = await space.keyRing.get(rotation.newKeyId).catch(() => null);
  if (key !== null) await state.sample?.service.deleteKey(key.publicKey).catch(() => undefined);
}
