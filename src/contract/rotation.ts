import { z } from 'zod';
import { errorReportSchema } from './result.ts';
import { keyTypes, sshKeySchema } from './ssh-keys.ts';

/**
 * The steps of a rotation, in the order of docs/service.md, "SSH-JWT": add the new key, keep the old one until all
 * clients have switched, then delete it. The last three end it.
 */
export const rotationSteps = [
  'started',
  'made',
  'registered',
  'proven',
  'switched',
  'confirmed',
  'deleted',
  'refused',
  'retired',
  'kept',
  'canceled',
] as const;
export type RotationStep = (typeof rotationSteps)[number];

/** The next task. The user does `register`, `askOthers` and `deleteOld`; Claimdesk does the others. */
export const rotationTasks = [
  'makeKey',
  'register',
  'prove',
  'switch',
  'askOthers',
  'deleteOld',
  'proveRefused',
  'retireOld',
  'none',
] as const;

/**
 * The user's answers. `keepOld` ends the rotation with both keys (after the switch), `cancel` removes the new
 * key (before it).
 */
export const rotationAnswers = ['registered', 'othersSwitched', 'oldDeleted', 'keepOld', 'cancel'] as const;
export type RotationAnswer = (typeof rotationAnswers)[number];

/** The rotation of a workspace's key, and its next task. */
export const rotationStateSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  step: z.enum(rotationSteps),
  nextTask: z.enum(rotationTasks),
  /** The user must do the next task. False at the end, and where `problem` prevents Claimdesk's own task. */
  needsPerson: z.boolean(),
  isOver: z.boolean(),
  /** How the service contradicts the user's answer: it refuses the new key, or still accepts the old one. */
  setback: z.enum(['newKeyRefused', 'oldKeyAccepted']).nullable(),
  /** Why Claimdesk could not do its own task; `rotation:resume` tries again. */
  problem: errorReportSchema.nullable(),
  newKeyType: z.enum(keyTypes),
  oldKeyId: z.string(),
  newKeyId: z.string(),
  /** Null: the key was not made yet, was removed, or its file cannot be read. */
  oldKey: sshKeySchema.nullable(),
  newKey: sshKeySchema.nullable(),
  startedAt: z.string(),
  changedAt: z.string(),
});
export type RotationState = z.infer<typeof rotationStateSchema>;
