import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Policy } from '../../contract/policy.ts';

/**
 * Returns the path of the computer's policy, set by an administrator. No environment variable can change it:
 * users could otherwise name a file of their own.
 */
export function policyFilePath(platform: NodeJS.Platform): string {
  if (platform === 'win32') return String.raw`C:\ProgramData\Claimdesk\policy.json`;
  if (platform === 'darwin') return '/Library/Application Support/Claimdesk/policy.json';
  return '/etc/claimdesk/policy.json';
}

/** The user and groups of this process, where the system has numbers for them. */
export interface SystemUser {
  readonly uid: number;
  readonly groups: readonly number[];
}

export function thisUser(): SystemUser | null {
  const uid = process.getuid?.();
  return uid === undefined ? null : { uid, groups: process.getgroups?.() ?? [] };
}

/** Why rules can't be read, as a sentence for an administrator. */
export class PolicyProblem extends Error {}

/**
 * Reads a file of rules; null where there is none. It counts only if `person` can change neither the file nor its
 * folder; null: not checked, as on Windows, where the administrator sets the permissions.
 * @throws PolicyProblem
 */
export function readRulesFile(path: string, person: SystemUser | null): Buffer | null {
  try {
    return readProtected(path, person);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (cause instanceof PolicyProblem) throw cause;
    throw new PolicyProblem('The file can’t be read.', { cause });
  }
}

/** Parses the policy file. @throws PolicyProblem */
export function parseRulesFile(bytes: Buffer): unknown {
  try {
    return JSON.parse(decode(bytes));
  } catch (cause) {
    throw new PolicyProblem('The file isn’t valid JSON.', { cause });
  }
}

/** Reads a file that this user cannot change. root, who can change any file, is not checked. */
function readProtected(path: string, person: SystemUser | null): Buffer {
  const requireOwned = (stats: Stats): void => {
    if (person !== null && person.uid !== 0 && canChange(stats, person))
      throw new PolicyProblem('Someone who isn’t an administrator can change this file or its folder.');
  };
  // The folder is checked also where there is no file: a user who may write to it may have removed the file.
  requireOwned(statSync(dirname(path)));
  const file = openSync(path, 'r');
  try {
    requireOwned(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Pure: whether a user can change a file, by its owner and mode; an owner can change the mode at any time. */
const canChange = ({ uid, gid, mode }: Stats, person: SystemUser): boolean =>
  uid === person.uid || (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && person.groups.includes(gid));

/** Decodes a file by its byte order mark: PowerShell writes UTF-16 with one, or UTF-8 with one. */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[mark] ?? 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

/** Pure: whether the policy allows this address as a claims service or as a team's server, by its origin. */
export function isAddressAllowed(
  policy: Policy,
  rule: 'allowedServices' | 'teamServers',
  address: string,
): boolean {
  const allowed = policy[rule];
  if (allowed === undefined) return true;
  const origin = URL.parse(address)?.origin;
  return (
    origin !== undefined && allowed.some((allowedAddress) => URL.parse(allowedAddress)?.origin === origin)
  );
}
