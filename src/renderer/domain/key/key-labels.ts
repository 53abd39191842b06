import type { KeyType, SshKey } from '../../../contract/ssh-keys.ts';
import { formatCountOf } from '../../../rules/count.ts';

/** The types of key that the service accepts, as they are offered. */
export const keyTypeChoices: { value: KeyType; label: string }[] = [
  { value: 'ed25519', label: 'Ed25519 (recommended)' },
  { value: 'rsa-4096', label: 'RSA, 4096 bits' },
  { value: 'rsa-3072', label: 'RSA, 3072 bits' },
  { value: 'ecdsa-521', label: 'ECDSA P-521' },
  { value: 'ecdsa-384', label: 'ECDSA P-384' },
  { value: 'ecdsa-256', label: 'ECDSA P-256' },
];

/** `rsa-2048` → `RSA, 2048 bits`; an imported key can have a size that is not offered. */
export function nameKeyType({ type, bits }: Pick<SshKey, 'type' | 'bits'>): string {
  if (type === 'ed25519') return 'Ed25519, 256 bits';
  if (type.startsWith('rsa-')) return `RSA, ${bits} bits`;
  return type.startsWith('ecdsa-') ? `ECDSA P-${bits}` : `${type}, ${bits} bits`;
}

const dayMs = 86_400_000;

/** The age of a key, and whether it exceeds the reminder in the settings; 0 days: no reminder. */
export function describeKeyAge(
  createdAt: string,
  reminderDays: number,
  now: Date,
): { days: number; label: string; isDue: boolean } {
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(createdAt)) / dayMs));
  const label = days === 0 ? 'made today' : `${formatCountOf(days, 'day')} old`;
  return { days, label, isDue: reminderDays > 0 && days >= reminderDays };
}

/** A file name from a key's name: letters, digits and dashes, never empty. */
export function suggestKeyFileName(name: string, ending: string): string {
  const base = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '');
  return `${base === '' ? 'claimdesk-key' : base}${ending}`;
}

/** Whether a key is used by a workspace or was accepted once: the same rule by which main requires a typed name. */
const isWorking = (key: SshKey): boolean => key.workspaceIds.length > 0 || key.provenAt !== null;

/** Whether retiring this key requires typing its name: it is in use, or it is the last working one. Main decides. */
export function wantsTypedName(key: SshKey, keys: readonly SshKey[]): boolean {
  if (key.workspaceIds.length > 0) return true;
  const others = keys.filter((other) => other.id !== key.id && other.isSample === key.isSample);
  return isWorking(key) && !others.some(isWorking);
}

/** Describes the clock difference, which the service does not tolerate; below two seconds network delay explains it. */
export function describeOffset(seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  if (whole < 2) return 'The clocks match.';
  return `This computer’s clock is ${whole} seconds ${seconds > 0 ? 'behind' : 'ahead of'} the service’s; Claimdesk adjusts for the difference.`;
}
