import type { RotationState, RotationStep } from '../../../contract/rotation.ts';

/** The way of a rotation as it is shown; several steps of the journal are one to a person. */
export const rotationPlaces = [
  'New key',
  'Registration',
  'Switch',
  'Other programs',
  'Delete the old key',
  'Retire it here',
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
  makeKey: 'Make the new key',
  prove: 'Prove that the service accepts the new key',
  switch: 'Let the workspace sign with the new key',
  proveRefused: 'Prove that the service refuses the old key',
  retireOld: 'Remove the old key here',
} as const satisfies Partial<Record<RotationState['nextTask'], string>>;

export const setbackWords = {
  newKeyRefused: {
    title: 'The service does not accept the new key yet',
    text: 'Check that the whole line was pasted, that it was saved, and that the page is that of the account of this workspace. The old key signs as before.',
  },
  oldKeyAccepted: {
    title: 'The service still accepts the old key',
    text: 'It was not deleted there, or not on the page of this account. Compare the fingerprint before you delete it.',
  },
} as const satisfies Record<NonNullable<RotationState['setback']>, { title: string; text: string }>;

export const endWords = {
  retired: {
    title: 'The key was rotated',
    text: 'The service accepts the new key and refuses the old one, which was removed here.',
  },
  kept: {
    title: 'The rotation is over, and both keys are kept',
    text: 'The workspace signs with the new key. The old one is still here and at the service; retire it when nothing uses it any more.',
  },
  canceled: {
    title: 'The rotation was canceled',
    text: 'The workspace signs with its old key. If the new one was registered, delete it on the service’s page.',
  },
} as const satisfies Partial<Record<RotationStep, { title: string; text: string }>>;

/** Before the switch the new key can be taken back; after it both can be kept. */
export function wayOutOf(step: RotationStep): 'cancel' | 'keepOld' | null {
  if (step === 'started' || step === 'made' || step === 'registered' || step === 'proven') return 'cancel';
  if (step === 'switched' || step === 'confirmed' || step === 'deleted' || step === 'refused')
    return 'keepOld';
  return null;
}
