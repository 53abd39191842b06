import type { RotationState, RotationStep } from '../../../contract/rotation.ts';

/** The way of a rotation as it is shown; several steps of the journal are one to a person. */
export const rotationPlaces = [
  'New key',
  'Registration',
  'Switch',
  'Other programs',
  'Delete old key',
  'Retire old key',
] as const;

const placeOfStep = {
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

/** Which of the places a rotation is at; past the last: it is over. */
export function placeOf(step: RotationStep): number {
  return placeOfStep[step];
}

/** What Claimdesk does itself at each task, for when it could not. */
export const ownTasks = {
  makeKey: 'Make new key',
  prove: 'Verify that the service accepts the new key',
  switch: 'Switch the workspace to the new key',
  proveRefused: 'Verify that the service refuses the old key',
  retireOld: 'Remove old key from this computer',
} as const satisfies Partial<Record<RotationState['nextTask'], string>>;

export const setbackWords = {
  newKeyRefused: {
    title: 'The service doesn’t accept the new key yet',
    text: 'Check that the whole key was pasted and saved under this workspace’s account. The workspace still uses the old key.',
  },
  oldKeyAccepted: {
    title: 'The service still accepts the old key',
    text: 'It wasn’t deleted, or it was deleted under another account. Compare the fingerprint before you delete it.',
  },
} as const satisfies Record<NonNullable<RotationState['setback']>, { title: string; text: string }>;

export const endWords = {
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

/** Before the switch the new key can be taken back; after it both can be kept. */
export function wayOutOf(step: RotationStep): 'cancel' | 'keepOld' | null {
  if (step === 'started' || step === 'made' || step === 'registered' || step === 'proven') return 'cancel';
  if (step === 'switched' || step === 'confirmed' || step === 'deleted' || step === 'refused')
    return 'keepOld';
  return null;
}
