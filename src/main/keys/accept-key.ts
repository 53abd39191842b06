import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';
import { DeskError } from '../lib/errors.ts';
import { kindOf } from './key-types.ts';
import { normalizeJwk, type PrivateJwk } from './private-jwk.ts';

const minRsaBits = 2048;
/** Above this size a signature takes seconds; such keys are made only by mistake. */
const maxRsaBits = 16_384;

/**
 * Checks by the name of an SSH key type, before anything private is read, whether the key can be imported.
 * @throws DeskError `key.dsaRefused`, `key.curveUnsupported`, `key.typeUnsupported`, `key.notAKey`
 */
export function requireAcceptedSshType(type: string): void {
  if (/^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521))$/.test(type)) return;
  if (type === 'ssh-dss') throw new DeskError('key.dsaRefused');
  if (/^(ecdsa-sha2-|ssh-ed448$)/.test(type)) throw new DeskError('key.curveUnsupported');
  // The file of a security key (sk-…) or a certificate does not contain the signing key.
  if (/^(sk-|webauthn-sk-)|-cert-v\d+@/.test(type)) throw new DeskError('key.typeUnsupported');
  throw new DeskError('key.notAKey');
}

/**
 * Normalizes an imported key and checks that its signatures verify with its public half, so that no key is imported
 * from a damaged file, which the service would never accept.
 * @throws DeskError `key.tooShort`, `key.typeUnsupported`, `key.notAKey`
 */
export function acceptPrivateJwk(parts: Readonly<Record<string, unknown>>): PrivateJwk {
  try {
    const jwk = normalizeJwk(parts);
    if (jwk.kty === 'RSA') requireRsaSize(jwk.n);
    requireConsistent(jwk);
    return jwk;
  } catch (error) {
    if (error instanceof DeskError) throw error;
    throw new DeskError('key.notAKey', { cause: (error as Error).name });
  }
}

function requireRsaSize(modulus: string): void {
  const bits = BigInt(`0x${Buffer.from(modulus, 'base64url').toString('hex')}`).toString(2).length;
  if (bits < minRsaBits) throw new DeskError('key.tooShort', { details: { bits } });
  if (bits > maxRsaBits) throw new DeskError('key.typeUnsupported', { details: { bits } });
}

function requireConsistent(jwk: PrivateJwk): void {
  const privateKey = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' });
  const publicKey = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  const { digest } = kindOf(jwk);
  const probe = Buffer.from('claimdesk');
  const isVerified = verify(digest, probe, publicKey, sign(digest, probe, privateKey));
  // Ed25519 derives the public half when it imports, so the one in the file must be compared.
  const derived = createPublicKey(privateKey).export({ format: 'jwk' });
  if (!isVerified || (jwk.kty === 'OKP' && derived.x !== jwk.x))
    throw new Error('The private and the public half are not of one key.');
}
