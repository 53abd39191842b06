import type { RotationState, RotationStep } from '../../../contract/rotation.ts';

/** The steps of a rotation on screen; several steps of its journal are one step on screen. */
export const stepTitles = [
  'New key',
  'Registration',
  'Switch',
  'Other programs',
  'Delete old key',
  'Retire old key',
] as const;

const indexOfStep = {
  started: 0,
  made: 1,
  registered: 1,
  proven: 2,
  switched: 3,
  confirmed: 4,
  deleted: 4,
  refused: 5,
  retired: 6,
  kept: 6,
  canceled: 6,
} as const satisfies Record<RotationStep, number>;

/** The index of a rotation's step on screen; past the last one: it is over. */
export const stepIndexOf = (step: RotationStep): number => indexOfStep[step];

/** The labels of the tasks that Claimdesk does itself, shown where one failed. */
export const ownTasks = {
  makeKey: 'Make new key',
  prove: 'Verify that the service accepts the new key',
  switch: 'Switch the workspace to the new key',
  proveRefused: 'Verify that the service refuses the old key',
  retireOld: 'Remove old key from this computer',
} as const satisfies Partial<Record<RotationState['nextTask'], string>>;

export const setbackText = {
  newKeyRefused: {
    title: 'The service doesn’t accept the new key yet',
    text: 'Check that the whole key was pasted and saved under this workspace’s account. The workspace still uses the old key.',
  },
  oldKeyAccepted: {
    title: 'The service still accepts the old key',
    text: 'It wasn’t deleted, or it was deleted under another account. Compare the fingerprint before you delete it.',
  },
} as const satisfies Record<NonNullable<RotationState['setback']>, { title: string; text: string }>;

export const endText = {
  retired: {
    title: 'Key rotated',
    text: 'The service accepts the new key and refuses the old one, which was removed from this computer.',
  },
  kept: {
    title: 'Rotation finished; both keys kept',
    text: 'The workspace uses the new key. The old key is still here and at the service. Retire it when nothing uses it.',
  },
  canceled: {
    title: 'Rotation canceled',
    text: 'The workspace uses its old key. If the new key was registered, delete it on the service’s SSH keys page.',
  },
} as const satisfies Partial<Record<RotationStep, { title: string; text: string }>>;

/** How a rotation can be stopped: before the switch the new key can be removed; after it both can be kept. */
export function stopOf(step: RotationStep): 'cancel' | 'keepOld' | null {
  if (step === 'started' || step === 'made' || step === 'registered' || step === 'proven') return 'cancel';
  if (step === 'switched' || step === 'confirmed' || step === 'deleted' || step === 'refused')
    return 'keepOld';
  return null;
}
