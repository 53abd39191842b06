import { posix, resolve, win32 } from 'node:path';
import { DeskError } from './errors.ts';

/** The part of the environment that determines where folders are. */
type PathEnvironment = Readonly<Record<string, string | undefined>>;

const folderName = 'Claimdesk';

/**
 * The folder of the desktop app's profile, the same for the command line and the app. On Windows it is below Local and
 * not Roaming, whose content is copied to servers and other computers. Relative values of the variables are ignored,
 * as the XDG specification asks.
 * @throws DeskError `profile.noHome` where the environment names no home folder
 */
export function defaultProfileDir(environment: PathEnvironment, platform: NodeJS.Platform): string {
  if (platform === 'win32') {
    const local = absolute(environment.LOCALAPPDATA, win32);
    if (local !== null) return win32.join(local, folderName);
    return win32.join(requireHome(absolute(environment.USERPROFILE, win32)), 'AppData', 'Local', folderName);
  }
  const home = absolute(environment.HOME, posix);
  if (platform === 'darwin')
    return posix.join(requireHome(home), 'Library', 'Application Support', folderName);
  const configHome = absolute(environment.XDG_CONFIG_HOME, posix);
  return posix.join(configHome ?? posix.join(requireHome(home), '.config'), folderName);
}

/**
 * The profile folder that an option or the variable CLAIMDESK_PROFILE names, else the default one.
 * @throws DeskError `profile.noHome`
 */
export function findProfileDir(
  named: string | undefined,
  environment: PathEnvironment,
  platform: NodeJS.Platform,
): string {
  const chosen = [named, environment.CLAIMDESK_PROFILE].find((path) => path !== undefined && path !== '');
  return resolve(chosen ?? defaultProfileDir(environment, platform));
}

export type ProfilePaths = {
  /** The random ID of this profile; part of the names of its keychain entries. */
  readonly identity: string;
  readonly keysDir: string;
  readonly rotations: string;
  readonly workspaces: string;
  readonly workspacesDir: string;
  /** The secrets of the profile, sealed under the profile key. */
  readonly secrets: string;
  /** A second copy of them, used where the first is damaged. */
  readonly secretsCopy: string;
  /** The count of failed attempts to unlock. */
  readonly unlockTries: string;
  readonly settings: string;
  readonly logsDir: string;
  readonly log: string;
  readonly writeLockDir: string;
  /** Room that is freed where the disk is full. */
  readonly spare: string;
  /** Browser shell: pages that redirect the system's browser to an address; each is kept for a minute. */
  readonly redirectsDir: string;
  /** The second encrypted file: what people did and wrote in Claimdesk. */
  readonly userData: string;
  readonly auditAnchor: string;
  /** Exists while a backup is being restored into this profile. */
  readonly restoring: string;
  /** Where backups elsewhere were made, and what was removed since. */
  readonly backups: string;
  /** How far the audit log was sent to the address of the policy. */
  readonly auditForwarded: string;
  workspaceDir(workspaceId: string): string;
  keyFile(keyId: string): string;
};

/** The paths of everything in a profile. IDs are checked by pattern, because they become parts of paths. */
export function profilePaths(
  profileDir: string,
  join: (...parts: string[]) => string = process.platform === 'win32' ? win32.join : posix.join,
): ProfilePaths {
  const at = (...parts: string[]) => join(profileDir, ...parts);
  return {
    identity: at('profile.json'),
    keysDir: at('keys'),
    rotations: at('rotations.json'),
    workspaces: at('workspaces.json'),
    workspacesDir: at('workspaces'),
    secrets: at('secrets.json'),
    secretsCopy: at('secrets-copy.json'),
    unlockTries: at('unlock-tries.json'),
    settings: at('settings.json'),
    logsDir: at('logs'),
    log: at('logs', 'claimdesk.log'),
    writeLockDir: at('lease'),
    spare: at('spare'),
    redirectsDir: at('redirects'),
    userData: at('ours.db'),
    auditAnchor: at('audit-anchor.json'),
    backups: at('backup.json'),
    restoring: at('restoring'),
    auditForwarded: at('audit-forwarded.json'),
    workspaceDir: (workspaceId) => at('workspaces', checkedId(workspaceId)),
    keyFile: (keyId) => at('keys', `${checkedId(keyId)}.json`),
  };
}

/** IDs of keys and workspaces: safe as a file name on every system. */
export const idPattern = /^[a-z0-9][a-z0-9-]{0,39}$/;

function checkedId(id: string): string {
  if (!idPattern.test(id)) throw new Error('An id that is part of a path has characters it must not have.');
  return id;
}

const absolute = (value: string | undefined, style: typeof posix): string | null =>
  value !== undefined && value !== '' && style.isAbsolute(value) ? value : null;

function requireHome(home: string | null): string {
  if (home === null) throw new DeskError('profile.noHome');
  return home;
}
