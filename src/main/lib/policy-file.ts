import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { core } from 'zod';
import { type Policy, policySchema } from '../../contract/policy.ts';
import { DeskError } from './errors.ts';

/**
 * Where an administrator puts the policy of a computer. No variable of the environment is asked: a person could point
 * it to a file of their own.
 */
export function policyFilePath(platform: NodeJS.Platform): string {
  if (platform === 'win32') return String.raw`C:\ProgramData\Claimdesk\policy.json`;
  if (platform === 'darwin') return '/Library/Application Support/Claimdesk/policy.json';
  return '/etc/claimdesk/policy.json';
}

/** Who runs this process, where the system numbers people. */
interface Person {
  readonly uid: number;
  readonly groups: readonly number[];
}

function thisPerson(): Person | null {
  const uid = process.getuid?.();
  return uid === undefined ? null : { uid, groups: process.getgroups?.() ?? [] };
}

/**
 * Reads the policy; empty where there is no file. A file of the system's own place counts only if the person who runs
 * this can change neither it nor its folder; on Windows their rights are the administrator's task.
 * @throws DeskError `policy.damaged` with `path` and `problem`, a sentence, for one that cannot be read or understood,
 * or that anyone could have written: what it was to forbid is not known
 */
export function readPolicy(
  path: string = policyFilePath(process.platform),
  person: Person | null = path === policyFilePath(process.platform) ? thisPerson() : null,
): Policy {
  const damaged = (problem: string, cause?: unknown): DeskError =>
    new DeskError('policy.damaged', { details: { path, problem }, cause });
  let bytes: Buffer;
  try {
    bytes = readProtected(path, person);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    if (cause instanceof WritableError)
      throw damaged('Someone who isn’t an administrator can change this file or its folder.', cause);
    throw damaged('The file can’t be read.', cause);
  }
  let rules: unknown;
  try {
    rules = JSON.parse(decode(bytes));
  } catch (cause) {
    throw damaged('The file isn’t valid JSON.', cause);
  }
  const parsed = policySchema.safeParse(rules);
  if (!parsed.success) throw damaged(describeIssue(parsed.error.issues[0]), parsed.error);
  return parsed.data;
}

class WritableError extends Error {}

/** The bytes of a file that this person cannot change; root, who can change any, is not asked. */
function readProtected(path: string, person: Person | null): Buffer {
  const judge = (stats: Stats): void => {
    if (person !== null && person.uid !== 0 && canChange(stats, person)) throw new WritableError();
  };
  // Also where there is no file: whoever may write here may have removed it.
  judge(statSync(dirname(path)));
  const file = openSync(path, 'r');
  try {
    judge(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Pure: by owner and mode; an owner can change the mode at any time. */
function canChange({ uid, gid, mode }: Stats, person: Person): boolean {
  return uid === person.uid || (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && person.groups.includes(gid));
}

/** The text after its byte order mark: PowerShell writes UTF-16 with one, or UTF-8 with one. */
function decode(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex');
  const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[mark] ?? 'utf-8';
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}

function describeIssue(issue: core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `There is no rule named “${issue.keys[0]}”.`;
  const [rule] = issue?.path ?? [];
  return rule === undefined ? 'The file doesn’t hold rules.' : `The value of “${String(rule)}” isn’t valid.`;
}

/** Pure: whether this claims service may be used; its origin counts. */
export function isServiceAllowed({ allowedServices }: Policy, baseUrl: string): boolean {
  if (allowedServices === undefined) return true;
  const origin = URL.parse(baseUrl)?.origin;
  return origin !== undefined && allowedServices.some((one) => URL.parse(one)?.origin === origin);
}
