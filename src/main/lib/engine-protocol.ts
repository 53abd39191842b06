import type { AuditRecord } from '../../contract/audit.ts';
import type { DoctorFinding } from '../../contract/doctor.ts';
import type { Policy } from '../../contract/policy.ts';
import type { SamplePerson } from '../../contract/sample-person.ts';
import type { SavePurpose } from '../../contract/save-target.ts';
import type { Settings } from '../../contract/settings.ts';
import type { KeyProof } from '../../contract/ssh-keys.ts';
import type { TeamRemoval } from '../../contract/store.ts';
import type { Workspace } from '../../contract/workspace.ts';
import type { TeamSettings } from '../../rules/review/team-settings.ts';
import type { Certificate } from '../../team-protocol/certificate.ts';
import type { SampleConnect } from './sample-service.ts';

/** The engine's view of a workspace: its public facts and the folder of its records. */
export interface WorkspaceLocation {
  readonly workspace: Workspace;
  readonly folder: string;
  readonly databaseKeyAccount: string;
  readonly connectSecretAccount: string;
}

/**
 * The settings that apply in a workspace (`settingsOf`), the key of settings for its service (`serviceOf`), and the
 * settings of its team; absent or null: it has no team, or one without settings.
 */
export type SettingsOfService = Settings & { readonly service: string; readonly team?: TeamSettings | null };

/** The calls from the engine to main. It gets tokens and signatures, never a private key. */
export interface MainCalls {
  /** @throws DeskError `workspace.unknown` */
  findWorkspace(workspaceId: string): Promise<WorkspaceLocation>;
  /**
   * Called before each request, whichever key signs it: checks that the policy allows the service of this workspace.
   * @throws DeskError `policy.serviceNotAllowed`, `policy.passphraseNeeded`, `workspace.unknown`
   */
  requireService(workspaceId: string): Promise<void>;
  /** A token for one request, in the service's time. @throws DeskError `key.*`, `keychain.*` */
  getToken(request: {
    workspaceId: string;
    keyId?: string | undefined;
    offsetSeconds: number;
    isFresh: boolean;
  }): Promise<string>;
  /**
   * The text of a signature of an export by the workspace's key. `sha512`: of the whole file, in hexadecimal.
   * @throws DeskError `app.locked`, `key.*`, `keychain.*`, `vault.*`, `workspace.unknown`
   */
  signFile(request: { workspaceId: string; sha512: string }): Promise<string>;
  /**
   * The certificate of this computer for a workspace, by the workspace's key: the same as long as key, email, service
   * and team are. `team`: its ID; null or absent: for files.
   * @throws DeskError as `signFile`
   */
  certifyComputer(request: { workspaceId: string; team?: string | null }): Promise<Certificate>;
  /**
   * Signatures of headers of entries by this computer's key, as base64url. At most 500 at a time.
   * @throws DeskError `app.locked`, `keychain.*`, `vault.*`, `workspace.unknown`, `internal.fault` for other texts
   */
  signHeaders(request: { workspaceId: string; headers: readonly string[] }): Promise<string[]>;
  /** The fingerprint of the SSH key that signed a certificate; null where it did not, and for any other texts. */
  checkCertificate(certificate: Certificate): Promise<string | null>;
  /**
   * Stores the team of a workspace; unless the policy lists its server, the user confirms it outside the
   * page. `server`: an address, of which the origin is kept; `team`: its ID. Does nothing for the same team.
   * @throws DeskError `app.locked`, `app.notConfirmed`, `workspace.unknown`, `workspace.badUrl`,
   *   `workspace.insecureUrl`, `team.otherTeam`, `team.serverNotAllowed`, `policy.passphraseNeeded`
   */
  bindTeam(request: { workspaceId: string; server: string; team: string }): Promise<void>;
  /**
   * Removes the team of a workspace, and this computer's keys for it: it is another computer from then on.
   * @throws DeskError `app.locked`, `workspace.unknown`, `keychain.*`, `vault.*`
   */
  unbindTeam(request: { workspaceId: string }): Promise<void>;
  getVersion(): Promise<string>;
  /**
   * Makes a token of this computer for the server of the workspace's team, in the server's time; or of the
   * team's recovery key, as the user typed it.
   * @throws DeskError `app.locked`, `team.none`, `team.serverNotAllowed`, `policy.passphraseNeeded`,
   *   `keychain.*`, `vault.*`, `workspace.unknown`
   */
  getTeamToken(request: {
    workspaceId: string;
    offsetSeconds: number;
    recoveryKey?: string;
  }): Promise<string>;
  /**
   * The team key in a grant for this computer, as base64; null where it is for another one, or of another team or
   * generation. Over the private channel only.
   * @throws DeskError `app.locked`, `team.none`, `keychain.*`, `vault.*`, `workspace.unknown`
   */
  openGrant(request: { workspaceId: string; generation: number; grant: string }): Promise<string | null>;
  /**
   * The key under which the secrets of the real profile are sealed; null where it has none yet, unless `mayMake`. Over
   * the private channel only, never in argv or env.
   * @throws DeskError `app.locked`, `keychain.*`, `vault.*`
   */
  getProfileKey(request: { mayMake: boolean }): Promise<Uint8Array | null>;
  /**
   * Asks the user outside the page before records are removed permanently; `before`: all that are older than
   * that day. `team`: the removal for the whole team.
   * @throws DeskError `app.notConfirmed`, `app.locked`
   */
  confirmRemoval(request: { before: string | null; team?: TeamRemoval }): Promise<void>;
  /**
   * Asks the admin outside the page before they confirm a log that contradicts what this computer has read.
   * @throws DeskError `app.notConfirmed`, `app.locked`, `workspace.unknown`
   */
  confirmFollowedLog(request: { workspaceId: string }): Promise<void>;
  /**
   * Asks the user outside the page before a team gets another recovery key: otherwise a compromised page
   * could give it one that it knows.
   * @throws DeskError `app.notConfirmed`, `app.locked`, `workspace.unknown`
   */
  confirmRecoveryKey(request: { workspaceId: string }): Promise<void>;
  /** Returns the path of a target that the user chose for this purpose. @throws DeskError `app.forbidden` */
  resolveSaveTarget(request: { targetId: string; purpose: SavePurpose }): Promise<string>;
  /** A secret of the sample as base64; the sample's secrets are in main's memory only. */
  getSampleSecret(account: string): Promise<string>;
  /** The Connect integration that the sample service issued; null where no sample is open. */
  getSampleConnect(): Promise<SampleConnect | null>;
  /** The people that the sample shows as added through Connect; empty where no sample is open. */
  getSamplePeople(): Promise<readonly SamplePerson[]>;
  /**
   * Announces that the page puts a text of this digest (`digestForClipboard`) on the clipboard; main removes it later
   * where it can.
   */
  keepCopied(request: { digest: string }): Promise<void>;
  /** Stores that the service accepted this key just now, as a sync signed by it was complete. */
  keepKeyAccepted(request: { workspaceId: string; keyId: string }): Promise<void>;
  /** Stores how many records a page of this workspace's service has; null: no limit is known. */
  keepPageSize(request: { workspaceId: string; perPage: number | null }): Promise<void>;
  /**
   * The settings that affect which claims are reviewed and what is reimbursed.
   * @throws DeskError `workspace.unknown`
   */
  getSettings(workspaceId: string): Promise<SettingsOfService>;
  /**
   * Stores the settings of a workspace's team, so that `getSettings` and windows have them.
   * @throws DeskError `workspace.unknown`, `team.none`, `disk.full`, `profile.unwritable`
   */
  keepTeamSettings(request: { workspaceId: string; settings: TeamSettings }): Promise<void>;
  /** The folder of backups elsewhere (empty: none), and how many days keep their newest one. */
  getBackupRules(): Promise<{ folder: string; kept: number }>;
  /**
   * Stores another folder of backups, which the user confirms outside the page: a compromised page could otherwise copy
   * the profile somewhere.
   * @throws DeskError `app.notConfirmed`, `app.locked`, `policy.setByOrganization`, `disk.full`
   */
  setBackupFolder(request: { folder: string }): Promise<void>;
  /**
   * Has the user confirm outside the page what opens the backups: a compromised page could otherwise seal them under a
   * passphrase of its own.
   * @throws DeskError `app.notConfirmed`, `app.locked`
   */
  confirmBackupSeal(request: { isPassphrase: boolean }): Promise<void>;
  /** Opens a carrier's page in the system's browser where the shell can. @throws DeskError `connect.badCarrierUrl` */
  openUrl(url: string): Promise<boolean>;
}

/**
 * The engine's findings about the network, one per step. `isAnswerTheSame`: the service answered equally with a token
 * and without one.
 */
export interface NetworkDiagnosis {
  readonly findings: readonly DoctorFinding[];
  readonly offsetSeconds: number;
  readonly isAnswerTheSame: boolean;
}

/** The calls from main to the engine. No record is among the answers. */
export interface EngineControl {
  /** Sends one signed request. @throws DeskError `service.*`, `key.*` */
  probe(request: { workspaceId: string; keyId?: string | undefined }): Promise<Omit<KeyProof, 'keyId'>>;
  /** Checks the connection to the service step by step; takes at most four seconds. @throws DeskError `workspace.unknown` */
  diagnose(request: { workspaceId: string }): Promise<NetworkDiagnosis>;
  /** Records in the audit log what main did: keys, lock, settings. @throws DeskError `store.*`, `keychain.*` */
  appendAudit(record: AuditRecord): Promise<void>;
  /**
   * Removes audit entries from before a moment. Returns how many were removed.
   * @throws DeskError `store.*`, `keychain.*`
   */
  trimAudit(request: { before: string }): Promise<number>;
  /** Refreshes a workspace whose last sync is older than this; false where nothing is due or one is running. */
  refreshIfDue(request: { workspaceId: string; minutes: number }): Promise<boolean>;
  /** Makes a backup elsewhere where a folder is set and the last one is a day old; false: none is due. @throws DeskError `backup.*` */
  backUpIfDue(): Promise<boolean>;
  /** Closes the records of a workspace, so that its files can be deleted. */
  closeWorkspace(workspaceId: string): Promise<void>;
  /** Permanently deletes what people wrote in a workspace. @throws DeskError `store.*`, `keychain.*` */
  forgetWorkspace(workspaceId: string): Promise<void>;
  /** Ends the engine; a running sync stops and is continued later. */
  close(): Promise<void>;
}

export interface EngineInit {
  readonly profileDir: string;
  /** Whether the first audit entry is noted in the system's keychain, see `createAnchorStore`. */
  readonly anchorsBeginInKeychain: boolean;
  readonly isReadOnly: boolean;
  readonly policy: Policy;
  /** Browser shell only: the origin whose windows may call the engine, and the tokens of these windows. */
  readonly windowOrigin: string | null;
  /** The workspace that a window will show first; null where unknown. */
  readonly opensFirst: string | null;
}

/** Makes a function for each of these names that passes its input on. */
export const forward = <Names extends string>(
  names: readonly Names[],
  call: (name: Names, input: unknown) => unknown,
): Record<Names, (input: unknown) => unknown> =>
  Object.fromEntries(names.map((name) => [name, (input: unknown = null) => call(name, input)])) as Record<
    Names,
    (input: unknown) => unknown
  >;

/** The calls that main makes to the engine, each passed on unchanged; `close` is not. */
export const engineCalls = [
  'probe',
  'diagnose',
  'appendAudit',
  'trimAudit',
  'refreshIfDue',
  'backUpIfDue',
  'closeWorkspace',
  'forgetWorkspace',
] as const satisfies readonly (keyof EngineControl)[];
