import { isSecureAddress } from '../../contract/service-address.ts';
import type { TeamRemoval } from '../../contract/store.ts';
import { settingsOf, teamSettingsOf } from '../../contract/workspace-settings.ts';
import { serviceOf } from '../../rules/money/reimbursement.ts';
import { getProfileKey } from '../keychain/profile-key.ts';
import { getOrCreateSecret } from '../keychain/secret-store.ts';
import { signFileDigest } from '../keys/file-signature.ts';
import type { MainCalls } from '../lib/engine-protocol.ts';
import { DeskError } from '../lib/errors.ts';
import { readAcceptedOffset } from '../workspaces/workspace-book.ts';
import { requireConfirmed } from './confirm.ts';
import { type DeskState, requireAllowed, spaceOf } from './desk-state.ts';
import { findExportFolders, requireInside } from './export-folders.ts';
import { findSaveTarget } from './save-file.ts';
import { findLocation } from './spaces.ts';
import { createTeamCalls } from './team-calls.ts';

/** Names what is removed, so that the user reads outside the page what it requested. */
const nameRemoval = (rule: TeamRemoval): string =>
  rule.kind === 'member'
    ? `the member with record no. ${rule.memberId}`
    : rule.kind === 'employer'
      ? `employer ${rule.employerId}`
      : rule.kind === 'claimsBefore'
        ? `every claim before ${rule.date}`
        : 'everything';

/** Answers the engine's calls: places, tokens, signatures, an export's target, the sample's own secret. */
export function createMainCalls(state: DeskState): MainCalls {
  return {
    ...createTeamCalls(state),
    findWorkspace: async (workspaceId) => findLocation(await spaceOf(state, workspaceId), workspaceId),
    getVersion: async () => state.ports.version,
    async requireService(workspaceId) {
      const space = await spaceOf(state, workspaceId);
      requireAllowed(state, space, (await space.book.get(workspaceId)).baseUrl);
    },
    async getToken({ workspaceId, keyId, offsetSeconds, isFresh }) {
      if (state.isLocked) throw new DeskError('app.locked');
      const space = await spaceOf(state, workspaceId);
      const workspace = await space.book.get(workspaceId);
      requireAllowed(state, space, workspace.baseUrl);
      const signingKeyId = keyId ?? workspace.keyId;
      if (signingKeyId === null) throw new DeskError('key.missing');
      const { token } = await space.signer.getToken({
        keyId: signingKeyId,
        email: workspace.email,
        baseUrl: workspace.baseUrl,
        offsetSeconds,
        acceptedOffsetSeconds: readAcceptedOffset(workspace, state.ports.clock.now()),
        isFresh,
      });
      return token;
    },
    async signFile({ workspaceId, sha512 }) {
      if (state.isLocked) throw new DeskError('app.locked');
      const { book, keyRing } = await spaceOf(state, workspaceId);
      const { keyId } = await book.get(workspaceId);
      if (keyId === null) throw new DeskError('key.missing');
      const signature = signFileDigest(await keyRing.readPrivateJwk(keyId), Buffer.from(sha512, 'hex'));
      // A time of use that cannot be stored is no reason to refuse the signature, just as with a token.
      await keyRing.recordSigned(keyId, state.ports.clock.now()).catch(() => undefined);
      return signature;
    },
    async getProfileKey(request) {
      if (state.isLocked) throw new DeskError('app.locked');
      return getProfileKey(state.secrets.key, request);
    },
    confirmRemoval: ({ before, team }) =>
      requireConfirmed(
        state,
        team === undefined
          ? {
              message:
                before === null
                  ? 'Permanently remove this member?'
                  : 'Permanently remove every claim before this day?',
              detail: `${before === null ? 'The member, the dependents, calls, and claims that belong to no one else' : `All claims before ${before}`} are removed with their reviews and backups.`,
              action: 'Remove',
            }
          : {
              message: `Permanently remove ${nameRemoval(team)} for the whole team?`,
              detail: `Records, reviews, and backups are removed from every computer of the team, and reviews from the team’s server. This can’t be undone, not even from a backup.`,
              action: 'Remove for the team',
            },
      ),
    async resolveSaveTarget({ targetId, purpose }) {
      const path = findSaveTarget(state, targetId, purpose);
      state.saveTargets.delete(targetId);
      // Links may have changed since the file was chosen.
      await requireInside(await findExportFolders(state.ports.policy, purpose), path);
      return path;
    },
    async getSampleSecret(account) {
      const { sample } = state;
      if (sample === null) throw new DeskError('workspace.unknown');
      const secret = await getOrCreateSecret(sample.space.secrets, account, { mayCreate: true });
      return secret.toString('base64');
    },
    getSampleConnect: async () => state.sample?.service.getConnect() ?? null,
    getSamplePeople: async () => state.sample?.service.getPeople() ?? [],
    async keepCopied({ digest }) {
      state.ports.expectOnClipboard?.(digest);
    },
    async keepKeyAccepted({ workspaceId, keyId }) {
      const { keyRing } = await spaceOf(state, workspaceId);
      await keyRing.recordProven(keyId, state.ports.clock.now());
      state.emit({ name: 'keys:changed', payload: {} });
    },
    async keepPageSize({ workspaceId, perPage }) {
      await (await spaceOf(state, workspaceId)).book.keepPageSize(workspaceId, perPage);
    },
    async getSettings(workspaceId) {
      const workspace = await (await spaceOf(state, workspaceId)).book.get(workspaceId);
      const all = await state.settings.get();
      const service = serviceOf(workspace);
      return { ...settingsOf(all, workspace), service, team: teamSettingsOf(all, workspace) };
    },
    async getBackupRules() {
      const { backupFolder: folder, backupsKept: kept } = await state.settings.get();
      return { folder, kept };
    },
    async setBackupFolder({ folder }) {
      if (folder !== '')
        await requireConfirmed(state, {
          message: 'Make backups in this folder?',
          detail: `What was reviewed and written here is copied to ${folder} every day, sealed under your recovery code or your passphrase for backups.`,
          action: 'Use this folder',
        });
      await state.settings.set({ backupFolder: folder });
      state.emit({ name: 'settings:changed', payload: {} });
    },
    confirmBackupSeal: ({ isPassphrase }) =>
      requireConfirmed(state, {
        message: `Seal backups under ${isPassphrase ? 'this passphrase' : 'your recovery code'}?`,
        detail: `From now on, ${isPassphrase ? 'only the passphrase that you just typed' : 'only your recovery code'} opens the backups elsewhere. What opened them before no longer does.`,
        action: 'Seal backups',
      }),
    async openUrl(address) {
      const url = URL.parse(address);
      if (url === null || !isSecureAddress(url)) throw new DeskError('connect.badCarrierUrl');
      return state.ports.openUrl(url);
    },
  };
}
