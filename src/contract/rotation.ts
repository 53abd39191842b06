import { z } from 'zod';
import { errorReportSchema } from './result.ts';
import { keyTypes, sshKeySchema } from './ssh-keys.ts';

/**
 * How far a rotation is, in the order of docs/service.md ("SSH-JWT": add the new key, keep the old
 * one until all clients have switched, then delete it). The last three are ends.
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

/** What comes next. `register`, `askOthers` and `deleteOld` are a person's; the others Claimdesk does itself. */
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
 * What a person says of their part. `keepOld` ends the rotation with both keys (from the switch on), `cancel`
 * takes the new key back (before the switch).
 */
export const rotationAnswers = ['registered', 'othersSwitched', 'oldDeleted', 'keepOld', 'cancel'] as const;
export type RotationAnswer = (typeof rotationAnswers)[number];

/** The state of the rotation of a workspace's key, and what is to be done next. */
export const rotationStateSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  step: z.enum(rotationSteps),
  nextTask: z.enum(rotationTasks),
  /** The next task is a person's. False at the end, and where `problem` keeps Claimdesk from going on. */
  needsPerson: z.boolean(),
  isOver: z.boolean(),
  /** What the service showed against what was said: the new key is not taken, the old one still is. */
  setback: z.enum(['newKeyRefused', 'oldKeyAccepted']).nullable(),
  /** Why Claimdesk could not do its own part; `rotation:resume` tries again. */
  problem: errorReportSchema.nullable(),
  newKeyType: z.enum(keyTypes),
  oldKeyId: z.string(),
  newKeyId: z.string(),
  /** null: not made yet, or removed, or its file cannot be read. */
  oldKey: sshKeySchema.nullable(),
  newKey: sshKeySchema.nullable(),
  startedAt: z.string(),
  changedAt: z.string(),
});
export type RotationState = z.infer<typeof rotationStateSchema>;
