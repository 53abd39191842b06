import { createHash, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import {
  type Certificate,
  certificateNamespace,
  readCertificateBody,
  writeCertificateBody,
} from '../../team-protocol/certificate.ts';
import { type DerivedKeys, deriveKeys, publicBytesOf } from '../../team-protocol/derive-keys.ts';
import { computerIdOf, protocolVersion, readHeader } from '../../team-protocol/entry.ts';
import { openGrant } from '../../team-protocol/grant.ts';
import { readRecoveryKey } from '../../team-protocol/recovery-key.ts';
import { toSignedBytes } from '../../team-protocol/sign-entry.ts';
import { getOrCreateSecret, type SecretStore } from '../keychain/secret-store.ts';
import { readFileSignature, signFileDigest } from '../keys/file-signature.ts';
import type { PrivateJwk } from '../keys/private-jwk.ts';
import { DeskError } from '../lib/errors.ts';

/**
 * The keys of this computer for one workspace, by one secret of 32 bytes in the secret store.
 * @throws DeskError `keychain.*`, `vault.*`
 */
export const openComputerKeys = async (secrets: SecretStore, account: string): Promise<DerivedKeys> =>
  deriveKeys(await getOrCreateSecret(secrets, account, { mayCreate: true }));

/** The ID of the computer that has these keys. */
export const computerOf = ({ signing }: DerivedKeys): string =>
  computerIdOf(Buffer.from(publicBytesOf(signing), 'base64url'));

const sha512 = (text: string): Buffer => createHash('sha512').update(text, 'utf8').digest();

/** Certifies with an SSH key that this computer's keys belong to its user. */
export function certify(
  { signing, sealing }: DerivedKeys,
  person: { readonly service: string; readonly email: string; readonly team: string | null },
  sshKey: PrivateJwk,
): Certificate {
  const body = writeCertificateBody({
    protocol: protocolVersion,
    ...person,
    signingKey: publicBytesOf(signing),
    sealingKey: publicBytesOf(sealing),
  });
  return { body, signature: signFileDigest(sshKey, sha512(body), certificateNamespace) };
}

/** Opens a team's recovery key as the user typed it. @throws DeskError `team.wrongRecoveryKey` */
export function openRecoveryKey(typed: string): DerivedKeys {
  const keys = readRecoveryKey(typed);
  if (keys === null) throw new DeskError('team.wrongRecoveryKey');
  return keys;
}

/** The fingerprint of the SSH key that signed a certificate; null where it did not, and for any other texts. */
export function checkCertificate({ body, signature }: Certificate): string | null {
  if (readCertificateBody(body) === null) return null;
  const read = readFileSignature(signature, certificateNamespace);
  const digests = { sha256: createHash('sha256').update(body, 'utf8').digest(), sha512: sha512(body) };
  return read?.isOf(digests) === true ? read.fingerprint : null;
}

const signInPool = promisify(
  (data: Buffer, key: KeyObject, done: (error: Error | null, signed: Buffer) => void) =>
    sign(null, data, key, done),
);

/**
 * Signs headers of entries, as base64url, on threads of Node's pool.
 * @throws DeskError `internal.fault` for other texts
 */
export async function signHeaders({ signing }: DerivedKeys, headers: readonly string[]): Promise<string[]> {
  if (headers.some((header) => readHeader(header) === null)) throw new DeskError('internal.fault');
  const signed = await Promise.all(headers.map((header) => signInPool(toSignedBytes(header), signing)));
  return signed.map((signature) => signature.toString('base64url'));
}

/** The team key in a grant for the computer that has these keys; null for any other text. */
export const openTeamKey = (
  keys: DerivedKeys,
  { team, generation, grant }: { readonly team: string; readonly generation: number; readonly grant: string },
): Buffer | null => openGrant(keys.sealing, { team, generation, computer: computerOf(keys) }, grant);
