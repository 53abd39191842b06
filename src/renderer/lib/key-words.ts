import type { KeyType } from '../../contract/workspace.ts';

/** The types of key that the service takes, as they are offered. */
export const keyTypeChoices: { value: KeyType; label: string }[] = [
  { value: 'ed25519', label: 'Ed25519 (recommended)' },
  { value: 'rsa-4096', label: 'RSA, 4096 bits' },
  { value: 'rsa-3072', label: 'RSA, 3072 bits' },
  { value: 'ecdsa-521', label: 'ECDSA P-521' },
  { value: 'ecdsa-384', label: 'ECDSA P-384' },
  { value: 'ecdsa-256', label: 'ECDSA P-256' },
];
