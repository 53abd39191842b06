import { z } from 'zod';
import { type RotationState, type RotationStep, rotationSteps } from '../../contract/rotation.ts';
import { keyTypes } from '../../contract/ssh-keys.ts';
import { idPattern } from '../lib/paths.ts';

/**
 * One rotation as stored in the journal. `newKeyId` is recorded before the key is made, so that no key is left without
 * a rotation.
 */
export const rotationSchema = z.object({
  id: z.string(),
  workspaceId: z.string().regex(idPattern),
  oldKeyId: z.string().regex(idPattern),
  newKeyId: z.string().regex(idPattern),
  newKeyType: z.enum(keyTypes),
  step: z.enum(rotationSteps),
  startedAt: z.string(),
  changedAt: z.string(),
});
export type StoredRotation = z.infer<typeof rotationSchema>;

/** An event of a rotation. `oldStillAccepted`: the service still accepts the key that should be deleted. */
export type RotationEvent =
  | 'keyMade'
  | 'registered'
  | 'newRefused'
  | 'proven'
  | 'switched'
  | 'othersSwitched'
  | 'oldDeleted'
  | 'oldStillAccepted'
  | 'oldRefused'
  | 'oldRetired'
  | 'oldKept'
  | 'canceled';

const transitions: Readonly<Record<RotationStep, Partial<Record<RotationEvent, RotationStep>>>> = {
  started: { keyMade: 'made', canceled: 'canceled' },
  made: { registered: 'registered', proven: 'proven', canceled: 'canceled' },
  registered: { newRefused: 'made', proven: 'proven', canceled: 'canceled' },
  proven: { switched: 'switched', canceled: 'canceled' },
  // The workspace now signs with the new key: the rotation cannot be canceled, but both keys can be kept.
  switched: { othersSwitched: 'confirmed', oldKept: 'kept' },
  confirmed: { oldDeleted: 'deleted', oldKept: 'kept' },
  deleted: { oldRefused: 'refused', oldStillAccepted: 'confirmed', oldKept: 'kept' },
  refused: { oldRetired: 'retired', oldKept: 'kept' },
  retired: {},
  kept: {},
  canceled: {},
};

/** The step that an event leads to; null if it cannot happen at this step. */
export const nextStepAfter = (step: RotationStep, event: RotationEvent): RotationStep | null =>
  transitions[step][event] ?? null;

export const isRotationOver = (step: RotationStep): boolean => Object.keys(transitions[step]).length === 0;

/** The next task, and whether it needs the user. */
type RotationTask = { task: RotationState['nextTask']; needsPerson: boolean };

const tasks: Readonly<Record<RotationStep, RotationTask>> = {
  started: { task: 'makeKey', needsPerson: false },
  made: { task: 'register', needsPerson: true },
  registered: { task: 'prove', needsPerson: false },
  proven: { task: 'switch', needsPerson: false },
  switched: { task: 'askOthers', needsPerson: true },
  confirmed: { task: 'deleteOld', needsPerson: true },
  deleted: { task: 'proveRefused', needsPerson: false },
  refused: { task: 'retireOld', needsPerson: false },
  retired: { task: 'none', needsPerson: false },
  kept: { task: 'none', needsPerson: false },
  canceled: { task: 'none', needsPerson: false },
};

export const findNextTask = (step: RotationStep): RotationTask => tasks[step];

/** The facts that a journal is compared with after a crash. */
export type RotationFacts = {
  keyIds: readonly string[];
  /** undefined: the workspace was removed. */
  workspaceKeyId: string | null | undefined;
};

/** The actual step of a rotation, and a key that is no longer needed. */
type Reconciled = { step: RotationStep; orphanKeyId: string | null };

const beforeSwitch = new Set<RotationStep>(['started', 'made', 'registered', 'proven']);

/**
 * Decides the step of a rotation by the facts, not by the journal: an action may have been done but not
 * recorded, or the user may have changed something. Never returns a key as an orphan that a workspace uses.
 */
export function reconcileRotation(rotation: StoredRotation, facts: RotationFacts): Reconciled {
  const { step, oldKeyId, newKeyId } = rotation;
  const hasNew = facts.keyIds.includes(newKeyId);
  const hasOld = facts.keyIds.includes(oldKeyId);
  const unneeded = hasNew && facts.workspaceKeyId !== newKeyId ? newKeyId : null;
  const at = (reached: RotationStep): Reconciled => ({ step: reached, orphanKeyId: null });

  if (step === 'canceled') return { step, orphanKeyId: unneeded };
  if (isRotationOver(step)) return at(step);
  if (facts.workspaceKeyId === undefined) {
    // After the switch the new key is the workspace's own key, and stays when the workspace is removed.
    return beforeSwitch.has(step) ? { step: 'canceled', orphanKeyId: unneeded } : at('kept');
  }
  if (beforeSwitch.has(step)) {
    if (facts.workspaceKeyId === newKeyId) return at(hasOld ? 'switched' : 'retired');
    // The user assigned a third key to the workspace.
    if (facts.workspaceKeyId !== oldKeyId) return { step: 'canceled', orphanKeyId: unneeded };
    if (!hasNew) return at('started');
    return at(step === 'started' ? 'made' : step);
  }
  // After the switch was recorded no crash can undo it: the user chose another key, or the old one again.
  if (facts.workspaceKeyId !== newKeyId) return at('kept');
  return at(hasOld ? step : 'retired');
}
