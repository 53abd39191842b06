import type { Handlers } from '../../contract/procedures.ts';
import { isTypedName, needsTypedName } from '../keys/last-key.ts';
import { isRotationOver } from '../keys/rotation.ts';
import { DeskError } from '../lib/errors.ts';
import { type DeskState, spaceOfKey } from './desk-state.ts';
import type { Space } from './spaces.ts';

/** Removes keys, for good. One that signs, or the last working one, only when its name is typed. */
export function createKeyRemovalHandlers(state: DeskState): Handlers<'keys:retire'> {
  return {
    'keys:retire': async ({ keyId, typedName }) => {
      const space = await spaceOfKey(state, keyId);
      await requireNotRotating(space, keyId);
      await requireTypedName(space, keyId, typedName);
      // First, so that a workspace never names a key that is not there.
      for (const workspace of await space.book.list()) {
        if (workspace.keyId === keyId) await space.book.setKey(workspace.id, null);
      }
      space.signer.forget(keyId);
      await space.keyRing.remove(keyId);
      state.emit({ name: 'keys:changed', payload: {} });
      return { isDone: true };
    },
  };
}

/** @throws DeskError `key.rotationRunning` while a rotation needs the key: it ends by its own rules */
async function requireNotRotating(space: Space, keyId: string): Promise<void> {
  const rotation = (await space.journal.list()).find(
    ({ oldKeyId, newKeyId, step }) => !isRotationOver(step) && (oldKeyId === keyId || newKeyId === keyId),
  );
  if (rotation === undefined) return;
  throw new DeskError('key.rotationRunning', {
    details: { workspaceId: rotation.workspaceId, step: rotation.step },
  });
}

/** @throws DeskError `key.nameNeeded`, the name in `details`; of a damaged key its id stands for the name */
async function requireTypedName(space: Space, keyId: string, typed: string | undefined): Promise<void> {
  const keys = await space.listKeys();
  const name = keys.find(({ id }) => id === keyId)?.name ?? keyId;
  const isDamaged = !keys.some(({ id }) => id === keyId);
  const isUsed = (await space.book.list()).some((workspace) => workspace.keyId === keyId);
  const isNeeded = isDamaged ? isUsed : needsTypedName(keyId, keys);
  if (isNeeded && !isTypedName(typed, name)) {
    throw new DeskError('key.nameNeeded', { details: { keyId, name } });
  }
}
