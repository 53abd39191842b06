import type { MainHandlers } from '../../contract/procedures.ts';
import type { Workspace } from '../../contract/workspace.ts';
import { requireConfirmed } from '../desk/confirm.ts';
import {
  type DeskState,
  emitWorkspaces,
  listWorkspaces,
  requireAllowed,
  spaceOf,
} from '../desk/desk-state.ts';
import { listKeys, removeWorkspace, type Space } from '../desk/spaces.ts';
import { isTypedName, needsTypedName } from '../keys/last-key.ts';
import { DeskError } from '../lib/errors.ts';
import { endRotation, type Rotations } from '../rotation/rotation-runner.ts';
import { normalizeBaseUrl } from './workspace-address.ts';

/** Answers the procedures about workspaces: those of the profile, and the sample's while it is open. */
export function createWorkspaceHandlers(state: DeskState, rotations: Rotations) {
  const { real } = state;

  const notify = async (workspace: Workspace): Promise<Workspace> => {
    await emitWorkspaces(state);
    return workspace;
  };

  return {
    'workspaces:list': () => listWorkspaces(state),
    'workspaces:add': async (input) => {
      const baseUrl = normalizeBaseUrl(input.baseUrl);
      requireAllowed(state, real, baseUrl);
      await requireKnownService(state, baseUrl);
      const workspace = await real.book.add(input);
      state.activeSampleId = null;
      return notify(await real.book.activate(workspace.id));
    },
    'workspaces:activate': async ({ workspaceId }) => {
      const space = await spaceOf(state, workspaceId);
      state.activeSampleId = space.isSample ? workspaceId : null;
      return notify({ ...(await space.book.activate(workspaceId)), isSample: space.isSample });
    },
    'workspaces:update': async ({ workspaceId, ...changes }) => {
      const space = await spaceOf(state, workspaceId);
      return notify({ ...(await space.book.update(workspaceId, changes)), isSample: space.isSample });
    },
    'workspaces:acceptClock': async ({ workspaceId, offsetSeconds }) => {
      const space = await spaceOf(state, workspaceId);
      const { baseUrl } = await space.book.get(workspaceId);
      // A dialog outside the page must confirm: otherwise a page could have tokens signed for any year.
      if (state.ports.confirm === undefined) throw new DeskError('service.clockSkew');
      await requireConfirmed(state, {
        message: `Sign in to ${new URL(baseUrl).host} by its own clock for a day?`,
        detail: `It says ${new Date(state.ports.clock.now() + offsetSeconds * 1000).toUTCString()}. Accept this only if it’s right and this computer’s clock can’t be set.`,
        action: 'Use its clock',
      });
      return notify({
        ...(await space.book.acceptClock(workspaceId, offsetSeconds)),
        isSample: space.isSample,
      });
    },
    'workspaces:remove': async ({ workspaceId, alsoRemovesKeys = false, typedKeyName }) => {
      const space = await spaceOf(state, workspaceId);
      const keyId = alsoRemovesKeys ? await findOwnKey(space, workspaceId, typedKeyName) : null;
      if (keyId !== null && !space.isSample)
        await requireConfirmed(state, {
          message: `Permanently remove the workspace “${(await space.book.get(workspaceId)).name}” with its SSH key?`,
          detail: 'Its records, reviews, and notes on this computer are deleted, and the key.',
          action: 'Remove workspace',
        });
      const engine = await state.getEngine();
      await removeWorkspace(space, workspaceId, {
        close: () => engine.closeWorkspace(workspaceId),
        forgetWritten: async () => {
          if (!space.isSample) await engine.forgetWorkspace(workspaceId);
        },
      });
      // Ends a running rotation and removes a key that was made for it and is not used yet.
      await endRotation(rotations, space, workspaceId);
      const removedKeyIds: string[] = [];
      if (keyId !== null && (await space.book.list()).every((other) => other.keyId !== keyId)) {
        space.signer.forget(keyId);
        await space.keyRing.remove(keyId);
        removedKeyIds.push(keyId);
        const entry = { action: 'key.retired', workspaceId, details: { keyId } } as const;
        if (!space.isSample) await state.audit(entry);
        state.emit({ name: 'keys:changed', payload: {} });
      }
      if (state.activeSampleId === workspaceId) state.activeSampleId = null;
      await emitWorkspaces(state);
      return { isDone: true, removedKeyIds };
    },
  } satisfies MainHandlers;
}

/**
 * Asks before a service is called for the first time: otherwise a compromised page could make main call any address. It
 * does not ask about services that the policy lists or a workspace has, nor on the command line, where the address is
 * typed outside any page.
 *
 * @throws DeskError `app.notConfirmed`, `app.locked`
 */
async function requireKnownService(state: DeskState, baseUrl: string): Promise<void> {
  const { policy, shell } = state.ports;
  if (policy.allowedServices !== undefined || shell === 'cli') return;
  const { origin, host } = new URL(baseUrl);
  const workspaces = await state.real.book.list();
  if (workspaces.some((workspace) => new URL(workspace.baseUrl).origin === origin)) return;
  await requireConfirmed(state, {
    message: `Connect to ${host}?`,
    detail: 'Claimdesk hasn’t used this service before. Check the address with your claims vendor or IT.',
    action: 'Connect',
  });
}

/**
 * The key that signs for this workspace and for no other; null if there is none, or its file is missing.
 * @throws DeskError `key.nameNeeded` if it is the last working one and its name was not typed
 */
async function findOwnKey(
  space: Space,
  workspaceId: string,
  typedName: string | undefined,
): Promise<string | null> {
  const { keyId } = await space.book.get(workspaceId);
  if (keyId === null) return null;
  const keys = (await listKeys(space)).map((key) => ({
    ...key,
    workspaceIds: key.workspaceIds.filter((id) => id !== workspaceId),
  }));
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) return (await space.keyRing.listDamaged()).includes(keyId) ? keyId : null;
  if (key.workspaceIds.length > 0) return null;
  // After the workspace is removed, the key is like any other; its name is needed only if it is the last working key.
  if (needsTypedName(keyId, keys) && !isTypedName(typedName, key.name))
    throw new DeskError('key.nameNeeded', { details: { keyId, name: key.name } });
  return keyId;
}
