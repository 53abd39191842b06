import type { MainHandlers } from '../../contract/procedures.ts';
import { bindKey } from '../desk/bind-key.ts';
import { type DeskState, spaceOf, spaceOfKey } from '../desk/desk-state.ts';
import { listKeys, type Space, toSshKey } from '../desk/spaces.ts';
import { DeskError } from '../lib/errors.ts';
import { isTypedName, needsTypedName } from './last-key.ts';
import { isRotationOver } from './stored-rotation.ts';

const dayMs = 86_400_000;

/** Answers the procedures about SSH keys: generate, show the public part, check with a signed request, retire. */
export function createKeyHandlers(state: DeskState) {
  const emitChanged = (): void => state.emit({ name: 'keys:changed', payload: {} });

  return {
    'keys:list': async () => {
      const spaces = [state.sample?.space, state.real].filter((space) => space !== undefined);
      return { keys: (await Promise.all(spaces.map(listKeys))).flat() };
    },
    'keys:generate': async ({ type, name, workspaceId }) => {
      const space = workspaceId === undefined ? state.real : await spaceOf(state, workspaceId);
      const workspace = workspaceId === undefined ? null : await space.book.get(workspaceId);
      const key = await space.keyRing.generate({ type, name, baseUrl: workspace?.baseUrl });
      if (workspace?.keyId === null) await space.book.setKey(workspace.id, key.id);
      emitChanged();
      return toSshKey(key, await space.book.list(), space.isSample);
    },
    'keys:use': async ({ workspaceId, keyId }) => {
      const space = await spaceOf(state, workspaceId);
      const { baseUrl } = await space.book.get(workspaceId);
      await bindKey(state, space, { keyId, baseUrl });
      const workspace = await space.book.setKey(workspaceId, keyId);
      emitChanged();
      return { ...workspace, isSample: space.isSample };
    },
    'keys:copyPublic': async ({ keyId }) => {
      const space = await spaceOfKey(state, keyId);
      const { publicKey } = await space.keyRing.get(keyId);
      return { isCopied: await state.ports.writeClipboard(publicKey) };
    },
    'keys:openRegistration': async ({ workspaceId }) => {
      const { baseUrl } = await (await spaceOf(state, workspaceId)).book.get(workspaceId);
      const url = new URL(`${baseUrl.replace(/\/$/, '')}/settings/ssh`);
      return { url: url.href, isOpened: await state.ports.openUrl(url) };
    },
    'keys:check': async ({ workspaceId, keyId }) => {
      const space = await spaceOf(state, workspaceId);
      const workspace = await space.book.get(workspaceId);
      const checked = keyId ?? workspace.keyId;
      if (checked === null) throw new DeskError('key.missing');
      await bindKey(state, space, { keyId: checked, baseUrl: workspace.baseUrl });
      const proof = await (await state.getEngine()).probe({ workspaceId, keyId: checked });
      await space.keyRing.recordProven(checked, Date.parse(proof.provenAt));
      emitChanged();
      return { keyId: checked, ...proof };
    },
    'keys:describe': async ({ keyId }) => {
      const key = await (await spaceOfKey(state, keyId)).keyRing.get(keyId);
      const { keyReminderDays } = await state.settings.get();
      const ageMs = Math.max(0, state.ports.clock.now() - Date.parse(key.createdAt));
      const ageDays = Math.floor(ageMs / dayMs);
      return {
        keyId,
        ageDays,
        reminderDays: keyReminderDays === 0 ? null : keyReminderDays,
        isReminderDue: keyReminderDays > 0 && ageDays >= keyReminderDays,
      };
    },
    'keys:rename': async ({ keyId, name }) => {
      const space = await spaceOfKey(state, keyId);
      const key = await space.keyRing.rename(keyId, name);
      emitChanged();
      return toSshKey(key, await space.book.list(), space.isSample);
    },
    'keys:listDamaged': async () => {
      const spaces = [state.sample?.space, state.real].filter((space) => space !== undefined);
      const damaged = await Promise.all(
        spaces.map(async (space) => {
          const workspaces = await space.book.list();
          return (await space.keyRing.listDamaged()).map((id) => ({
            id,
            workspaceIds: workspaces.filter(({ keyId }) => keyId === id).map((workspace) => workspace.id),
          }));
        }),
      );
      return { keys: damaged.flat() };
    },
    /**
     * Permanently removes a key. A key that a workspace uses, or the last working one, is removed only when its name is
     * typed.
     */
    'keys:retire': async ({ keyId, typedName }) => {
      const space = await spaceOfKey(state, keyId);
      await requireNotRotating(space, keyId);
      await requireTypedName(space, keyId, typedName);
      // Workspaces first, so that none refers to a key that no longer exists.
      for (const workspace of await space.book.list()) {
        if (workspace.keyId === keyId) await space.book.setKey(workspace.id, null);
      }
      space.signer.forget(keyId);
      await space.keyRing.remove(keyId);
      emitChanged();
      return { isDone: true };
    },
  } satisfies MainHandlers;
}

/** @throws DeskError `key.rotationRunning` while a rotation uses the key */
async function requireNotRotating(space: Space, keyId: string): Promise<void> {
  const rotation = (await space.journal.list()).find(
    ({ oldKeyId, newKeyId, step }) => !isRotationOver(step) && (oldKeyId === keyId || newKeyId === keyId),
  );
  if (rotation === undefined) return;
  throw new DeskError('key.rotationRunning', {
    details: { workspaceId: rotation.workspaceId, step: rotation.step },
  });
}

/** @throws DeskError `key.nameNeeded` with the name in `details`; a damaged key has its ID as its name */
async function requireTypedName(space: Space, keyId: string, typed: string | undefined): Promise<void> {
  const keys = await listKeys(space);
  const name = keys.find(({ id }) => id === keyId)?.name ?? keyId;
  const isDamaged = !keys.some(({ id }) => id === keyId);
  const isUsed = (await space.book.list()).some((workspace) => workspace.keyId === keyId);
  const isNeeded = isDamaged ? isUsed : needsTypedName(keyId, keys);
  if (isNeeded && !isTypedName(typed, name))
    throw new DeskError('key.nameNeeded', { details: { keyId, name } });
}
