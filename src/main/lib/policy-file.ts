import { readFileSync } from 'node:fs';
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

/**
 * Reads the policy; empty where there is no file.
 * @throws DeskError `policy.damaged` for one that cannot be read or understood: what it was to forbid is not known
 */
export function readPolicy(path: string = policyFilePath(process.platform)): Policy {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new DeskError('policy.damaged', { details: { path }, cause });
  }
  try {
    return policySchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DeskError('policy.damaged', { details: { path }, cause });
  }
}

/** Pure: whether this claims service may be used; its origin counts. */
export function isServiceAllowed({ allowedServices }: Policy, baseUrl: string): boolean {
  if (allowedServices === undefined) return true;
  const origin = URL.parse(baseUrl)?.origin;
  return origin !== undefined && allowedServices.some((one) => URL.parse(one)?.origin === origin);
}
