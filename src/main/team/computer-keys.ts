import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import {
  type Certificate,
  certificateNamespace,
  readCertificateBody,
  writeCertificateBody,
} from '../../team-protocol/certificate.ts';
import { protocolVersion, readHeader } from '../../team-protocol/entry.ts';
import { toSignedBytes } from '../../team-protocol/sign-entry.ts';
import { getOrCreateSecret, type SecretStore } from '../keychain/secret-store.ts';
import { readFileSignature, signFileDigest } from '../keys/file-signature.ts';
import type { PrivateJwk } from '../keys/private-jwk.ts';
import { DeskError } from '../lib/errors.ts';

/**
 * The keys of this computer for one workspace: `signing` (Ed25519) signs entries, `sealing` (X25519) receives keys of a
 * team. Both follow from one secret of 32 bytes in the secret store.
 */
export interface ComputerKeys {
  readonly signing: KeyObject;
  readonly sealing: KeyObject;
}

/** What comes before the 32 bytes of a private key in PKCS #8 (RFC 8410, section 7). */
const pkcs8Head = { Ed25519: '302e020100300506032b657004220420', X25519: '302e020100300506032b656e04220420' };

function deriveKey(secret: Uint8Array, type: keyof typeof pkcs8Head): KeyObject {
  const bytes = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `claimdesk computer ${type}`, 32));
  const key = Buffer.concat([Buffer.from(pkcs8Head[type], 'hex'), bytes]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** @throws DeskError `keychain.*`, `vault.*` */
export async function openComputerKeys(secrets: SecretStore, account: string): Promise<ComputerKeys> {
  const secret = await getOrCreateSecret(secrets, account, { mayCreate: true });
  return { signing: deriveKey(secret, 'Ed25519'), sealing: deriveKey(secret, 'X25519') };
}

const publicBytes = (key: KeyObject): string => createPublicKey(key).export({ format: 'jwk' }).x as string;

const sha512 = (text: string): Buffer => createHash('sha512').update(text, 'utf8').digest();

/** Has an SSH key say that this computer's keys belong to a person. */
export function certify(
  { signing, sealing }: ComputerKeys,
  person: { readonly service: string; readonly email: string; readonly team: string | null },
  sshKey: PrivateJwk,
): Certificate {
  const body = writeCertificateBody({
    protocol: protocolVersion,
    ...person,
    signingKey: publicBytes(signing),
    sealingKey: publicBytes(sealing),
  });
  return { body, signature: signFileDigest(sshKey, sha512(body), certificateNamespace) };
}

/** The fingerprint of the SSH key that signed a certificate; null where it did not, and for any other texts. */
export function checkCertificate({ body, signature }: Certificate): string | null {
  if (readCertificateBody(body) === null) return null;
  const read = readFileSignature(signature, certificateNamespace);
  const digests = { sha256: createHash('sha256').update(body, 'utf8').digest(), sha512: sha512(body) };
  return read?.isOf(digests) === true ? read.fingerprint : null;
}

/** Signs headers of entries, as base64url. @throws DeskError `internal.fault` for other texts */
export function signHeaders({ signing }: ComputerKeys, headers: readonly string[]): string[] {
  return headers.map((header) => {
    if (readHeader(header) === null) throw new DeskError('internal.fault');
    return sign(null, toSignedBytes(header), signing).toString('base64url');
  });
}
