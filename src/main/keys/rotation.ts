import { z } from 'zod';
import { type RotationState, type RotationStep, rotationSteps } from '../../contract/rotation.ts';
import { keyTypes } from '../../contract/workspace.ts';
import { idPattern } from '../lib/paths.ts';

/** One rotation, as it is journalled. `newKeyId` is decided before the key is made, so that none is orphaned. */
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
export type Rotation = z.infer<typeof rotationSchema>;

/** What happened. `oldStillAccepted`: the key was to be deleted at the service, and still signs there. */
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
  // From here on the workspace signs with the new key: it can no longer be canceled, only left with both.
  switched: { othersSwitched: 'confirmed', oldKept: 'kept' },
  confirmed: { oldDeleted: 'deleted', oldKept: 'kept' },
  deleted: { oldRefused: 'refused', oldStillAccepted: 'confirmed', oldKept: 'kept' },
  refused: { oldRetired: 'retired', oldKept: 'kept' },
  retired: {},
  kept: {},
  canceled: {},
};

/** The step that an event leads to; null if it cannot happen at this step. */
export function nextStepAfter(step: RotationStep, event: RotationEvent): RotationStep | null {
  return transitions[step][event] ?? null;
}

export function isRotationOver(step: RotationStep): boolean {
  return Object.keys(transitions[step]).length === 0;
}

/** What is to be done next, and whether Claimdesk can do it without asking anyone. */
export type RotationTask = { task: RotationState['nextTask']; needsPerson: boolean };

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

export function findNextTask(step: RotationStep): RotationTask {
  return tasks[step];
}

/** What is really there: the truth that a journal is compared with after a crash. */
export type RotationFacts = {
  keyIds: readonly string[];
  /** undefined: the workspace is gone. */
  workspaceKeyId: string | null | undefined;
};

/** Where a rotation really is, and the key that nothing needs any more. */
export type Reconciled = { step: RotationStep; orphanKeyId: string | null };

const beforeSwitch = new Set<RotationStep>(['started', 'made', 'registered', 'proven']);

/**
 * Decides where a rotation stands by what is there rather than by what was last written: an act may have been
 * done and not noted any more, or a person may have done something else meanwhile. Never names a key that a
 * workspace signs with as an orphan.
 */
export function reconcileRotation(rotation: Rotation, facts: RotationFacts): Reconciled {
  const { step, oldKeyId, newKeyId } = rotation;
  const hasNew = facts.keyIds.includes(newKeyId);
  const hasOld = facts.keyIds.includes(oldKeyId);
  const unneeded = hasNew && facts.workspaceKeyId !== newKeyId ? newKeyId : null;
  const at = (reached: RotationStep): Reconciled => ({ step: reached, orphanKeyId: null });

  if (step === 'canceled') return { step, orphanKeyId: unneeded };
  if (isRotationOver(step)) return at(step);
  if (facts.workspaceKeyId === undefined) {
    // After the switch the new key was the workspace's own, and a workspace's key outlives it.
    return beforeSwitch.has(step) ? { step: 'canceled', orphanKeyId: unneeded } : at('kept');
  }
  if (beforeSwitch.has(step)) {
    if (facts.workspaceKeyId === newKeyId) return at(hasOld ? 'switched' : 'retired');
    // Somebody gave the workspace a third key.
    if (facts.workspaceKeyId !== oldKeyId) return { step: 'canceled', orphanKeyId: unneeded };
    if (!hasNew) return at('started');
    return at(step === 'started' ? 'made' : step);
  }
  // After the switch was noted no crash can undo it: a person chose another key, or the old one again.
  if (facts.workspaceKeyId !== newKeyId) return at('kept');
  return at(hasOld ? step : 'retired');
}
