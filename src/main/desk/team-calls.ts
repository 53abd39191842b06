import { isDeepStrictEqual } from 'node:util';
import { isLoopbackHost } from '../../contract/service-address.ts';
import { type Workspace, type WorkspaceTeam, workspaceTeamSchema } from '../../contract/workspace.ts';
import { toOwn } from '../../contract/workspace-settings.ts';
import { serviceOf } from '../../rules/money/reimbursement.ts';
import type { MainCalls } from '../lib/engine-protocol.ts';
import { DeskError } from '../lib/errors.ts';
import {
  certify,
  checkCertificate,
  computerOf,
  openComputerKeys,
  openRecoveryKey,
  openTeamKey,
  signHeaders,
} from '../team/computer-keys.ts';
import { normalizeBaseUrl } from '../workspaces/workspace-address.ts';
import { requireConfirmed } from './confirm.ts';
import { type DeskState, emitWorkspaces, requireAllowed, spaceOf } from './desk-state.ts';
import { accountsOf, type Space } from './spaces.ts';

type TeamCalls = Pick<
  MainCalls,
  | 'certifyComputer'
  | 'signHeaders'
  | 'checkCertificate'
  | 'bindTeam'
  | 'unbindTeam'
  | 'getTeamToken'
  | 'confirmFollowedLog'
  | 'confirmRecoveryKey'
  | 'openGrant'
  | 'keepTeamSettings'
>;

/** Serves the engine's calls about this computer's keys and the team of a workspace. */
export function createTeamCalls(state: DeskState): TeamCalls {
  const find = async (workspaceId: string) => {
    if (state.isLocked) throw new DeskError('app.locked');
    const space = await spaceOf(state, workspaceId);
    // Its keys would be made again after they were deleted.
    if (space.leaving.has(workspaceId)) throw new DeskError('workspace.unknown');
    return { space, workspace: await space.book.get(workspaceId) };
  };
  const findTeam = async (workspaceId: string) => {
    const { space, workspace } = await find(workspaceId);
    if (workspace.team === undefined) throw new DeskError('team.none');
    return { space, team: workspace.team };
  };
  const openKeys = async (space: Space, workspaceId: string) =>
    openComputerKeys(space.secrets, (await accountsOf(space, workspaceId)).computerAccount);

  const changed = async (
    space: Space,
    action: 'team.joined' | 'team.left',
    workspaceId: string,
    { server, id }: WorkspaceTeam,
  ): Promise<void> => {
    await emitWorkspaces(state);
    const details = { server: new URL(server).host, team: id };
    if (!space.isSample) await state.audit({ action, workspaceId, details });
  };

  return {
    async certifyComputer({ workspaceId, team = null }) {
      const { space, workspace } = await find(workspaceId);
      const { keyId, email, baseUrl } = workspace;
      if (keyId === null) throw new DeskError('key.missing');
      const service = serviceOf({ baseUrl, isSample: space.isSample });
      const sshKey = await space.keyRing.readPrivateJwk(keyId);
      return certify(await openKeys(space, workspaceId), { service, email, team }, sshKey);
    },
    async signHeaders({ workspaceId, headers }) {
      const { space } = await find(workspaceId);
      return signHeaders(await openKeys(space, workspaceId), headers);
    },
    checkCertificate: async (certificate) => checkCertificate(certificate),
    async bindTeam({ workspaceId, server, team }) {
      const { space, workspace } = await find(workspaceId);
      const url = new URL(normalizeBaseUrl(server));
      requireAllowed(state, space, url.origin, 'teamServers');
      const before = workspace.team;
      if (before !== undefined && before.id !== team) throw new DeskError('team.otherTeam');
      if (before?.server === url.origin) return;
      const bound = workspaceTeamSchema.parse({ server: url.origin, id: team });
      await requireKnownTeam(state, space, workspace, url);
      await space.book.setTeam(workspaceId, bound);
      await changed(space, 'team.joined', workspaceId, bound);
    },
    async unbindTeam({ workspaceId }) {
      const { space, workspace } = await find(workspaceId);
      if (workspace.team === undefined) return;
      // A computer is a member once at most (`applyMembership`): to join again, it needs new keys.
      await space.secrets.delete((await accountsOf(space, workspaceId)).computerAccount);
      space.teamTokens.forget();
      await keepAsOwn(state, workspace);
      await space.book.setTeam(workspaceId, null);
      await changed(space, 'team.left', workspaceId, workspace.team);
    },
    async getTeamToken({ workspaceId, offsetSeconds, recoveryKey }) {
      const { space, team } = await findTeam(workspaceId);
      requireAllowed(state, space, team.server, 'teamServers');
      const openKey = async () => {
        const keys =
          recoveryKey === undefined ? await openKeys(space, workspaceId) : openRecoveryKey(recoveryKey);
        return { computer: computerOf(keys), signing: keys.signing };
      };
      const tokenOwner = recoveryKey === undefined ? workspaceId : `${workspaceId} recovery`;
      return space.teamTokens.getToken({
        workspaceId: tokenOwner,
        server: team.server,
        offsetSeconds,
        openKey,
      });
    },
    async confirmFollowedLog({ workspaceId }) {
      const { space, workspace } = await find(workspaceId);
      if (space.isSample) return;
      await requireConfirmed(state, {
        message: `Use the log that the server of the team of “${workspace.name}” has now?`,
        detail:
          'In it, someone acts who was removed from the team or has a lower role. Confirm this only after you asked the other admins and whoever runs the server why it went back.',
        action: 'Use this log',
      });
    },
    async confirmRecoveryKey({ workspaceId }) {
      const { space, workspace } = await find(workspaceId);
      if (space.isSample) return;
      await requireConfirmed(state, {
        message: `Replace the recovery key of the team of “${workspace.name}”?`,
        detail:
          'From now on only the new key admits a computer. Confirm this only if you printed the new key yourself and typed it from the page.',
        action: 'Replace recovery key',
      });
    },
    async openGrant({ workspaceId, generation, grant }) {
      const { space, team } = await findTeam(workspaceId);
      const keys = await openKeys(space, workspaceId);
      return openTeamKey(keys, { team: team.id, generation, grant })?.toString('base64') ?? null;
    },
    async keepTeamSettings({ workspaceId, settings }) {
      await findTeam(workspaceId);
      const { ofTeams } = await state.settings.get();
      if (isDeepStrictEqual(ofTeams[workspaceId], settings)) return;
      await state.settings.set({ ofTeams: { ...ofTeams, [workspaceId]: settings } });
      state.emit({ name: 'settings:changed', payload: {} });
    },
  };
}

/** A workspace keeps the settings of its team when it leaves. */
async function keepAsOwn(state: DeskState, workspace: Workspace): Promise<void> {
  const settings = await state.settings.get();
  const { [workspace.id]: held, ...ofTeams } = settings.ofTeams;
  if (held === undefined) return;
  await state.settings.set({ ...toOwn(settings, workspace, held), ofTeams });
  state.emit({ name: 'settings:changed', payload: {} });
}

/**
 * Asks before reviews of a workspace go to a team: otherwise a compromised page could send them to a server of its
 * choice. Not asked for servers that the policy lists, for the sample's own, nor on the command line.
 *
 * @throws DeskError `app.notConfirmed`, `app.locked`
 */
async function requireKnownTeam(
  state: DeskState,
  { isSample }: Space,
  { name }: Workspace,
  { host, hostname }: URL,
): Promise<void> {
  const { policy, shell } = state.ports;
  if (policy.teamServers !== undefined || shell === 'cli') return;
  if (isSample && isLoopbackHost(hostname)) return;
  await requireConfirmed(state, {
    message: `Share the reviews of “${name}” with the team at ${host}?`,
    detail:
      'Members of the team see what is decided, noted, and paid in this workspace. Check the address with whoever runs the team server.',
    action: 'Share reviews',
  });
}
