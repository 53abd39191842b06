import { randomBytes } from 'node:crypto';
import { type DerivedKeys, deriveKeys, publicBytesOf } from './derive-keys.ts';
import { type PrintedKind, readPrinted, writePrinted } from './printed-secret.ts';

const kind: PrintedKind = { name: 'claimdesk team recovery key', secretBytes: 32 };

/**
 * Makes a team's recovery key: `text` to print, fourteen groups of four characters (256 random bits and a checksum), and
 * its public halves as base64url.
 */
export function makeRecoveryKey(): { text: string; signingKey: string; sealingKey: string } {
  const secret = randomBytes(kind.secretBytes);
  const { signing, sealing } = deriveKeys(secret);
  return {
    text: writePrinted(kind, secret),
    signingKey: publicBytesOf(signing),
    sealingKey: publicBytesOf(sealing),
  };
}

/** The keys of a typed recovery key; null for a typing error, by the checksum. */
export function readRecoveryKey(typed: string): DerivedKeys | null {
  const secret = readPrinted(kind, typed);
  return secret === null ? null : deriveKeys(secret);
}
