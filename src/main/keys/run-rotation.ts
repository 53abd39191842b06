import { DeskError } from '../lib/errors.ts';
import type { KeyRing } from './key-ring.ts';
import type { RotationJournal } from './rotation-journal.ts';
import {
  findNextTask,
  isRotationOver,
  type RotationEvent,
  type RotationFacts,
  reconcileRotation,
  type StoredRotation,
} from './stored-rotation.ts';

/** The actions of a rotation. Each can be repeated, because after a crash it is unknown whether it was done. */
export type RotationPorts = {
  journal: RotationJournal;
  keyRing: Pick<KeyRing, 'list' | 'listDamaged' | 'generate' | 'remove'>;
  /** undefined: the workspace was removed. */
  getWorkspaceKeyId(workspaceId: string): Promise<string | null | undefined>;
  setWorkspaceKey(workspaceId: string, keyId: string): Promise<void>;
  /** Workspaces other than this one that sign with the key. */
  isUsedElsewhere(workspaceId: string, keyId: string): Promise<boolean>;
  /** Whether the service accepts a request signed with the key. Rejects if it cannot be asked. */
  isAccepted(workspaceId: string, keyId: string): Promise<boolean>;
};

/**
 * Runs a rotation as far as possible without the user: compares it with the facts, then makes the key, checks that it
 * is accepted, switches, checks that the old key is refused, retires it. Resolves to its state; call it after each of
 * the user's answers (`registered`, `othersSwitched`, `oldDeleted` recorded in the journal) and at every start of
 * Claimdesk. Every action is done before it is recorded in the journal, and can be repeated, so the process may be
 * killed at any point.
 */
export async function runRotation(ports: RotationPorts, rotationId: string): Promise<StoredRotation | null> {
  for (;;) {
    const recorded = (await ports.journal.list()).find(({ id }) => id === rotationId);
    if (recorded === undefined) return null;
    const { step, orphanKeyId } = reconcileRotation(recorded, await readRotationFacts(ports, recorded));
    if (orphanKeyId !== null) await removeOrphan(ports, recorded.workspaceId, orphanKeyId);
    const rotation = step === recorded.step ? recorded : await ports.journal.correct(rotationId, step);
    if (isRotationOver(step)) {
      await ports.journal.close(rotationId);
      return rotation;
    }
    if (findNextTask(step).needsPerson) return rotation;
    const event = await act(ports, rotation);
    await ports.journal.record(rotationId, event);
    if (event === 'newRefused' || event === 'oldStillAccepted')
      return (await ports.journal.list()).find(({ id }) => id === rotationId) ?? null;
  }
}

/** Removes a key that is no longer needed, unless another workspace uses it now. */
async function removeOrphan(ports: RotationPorts, workspaceId: string, keyId: string): Promise<void> {
  if (!(await ports.isUsedElsewhere(workspaceId, keyId))) await ports.keyRing.remove(keyId);
}

/** The current keys of the profile, readable or not, and the one that the workspace uses. */
export async function readRotationFacts(
  ports: RotationPorts,
  rotation: StoredRotation,
): Promise<RotationFacts> {
  const readable = (await ports.keyRing.list()).map(({ id }) => id);
  const damaged = await ports.keyRing.listDamaged();
  return {
    keyIds: [...readable, ...damaged],
    workspaceKeyId: await ports.getWorkspaceKeyId(rotation.workspaceId),
  };
}

async function act(ports: RotationPorts, rotation: StoredRotation): Promise<RotationEvent> {
  const { workspaceId, oldKeyId, newKeyId } = rotation;
  switch (findNextTask(rotation.step).task) {
    case 'makeKey':
      await ports.keyRing.generate({ type: rotation.newKeyType, id: newKeyId });
      return 'keyMade';
    case 'prove':
      return (await ports.isAccepted(workspaceId, newKeyId)) ? 'proven' : 'newRefused';
    case 'switch':
      await ports.setWorkspaceKey(workspaceId, newKeyId);
      return 'switched';
    case 'proveRefused':
      if (await ports.isAccepted(workspaceId, oldKeyId)) return 'oldStillAccepted';
      // A service that accepts neither key (for example for a disabled account) has not shown that the old one is
      // deleted.
      if (!(await ports.isAccepted(workspaceId, newKeyId))) throw new DeskError('service.unauthorized');
      return 'oldRefused';
    case 'retireOld':
      if (await ports.isUsedElsewhere(workspaceId, oldKeyId)) return 'oldKept';
      await ports.keyRing.remove(oldKeyId);
      return 'oldRetired';
    default:
      throw new Error('This step of a rotation needs an answer.');
  }
}
