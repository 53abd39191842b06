import { createHash } from 'node:crypto';
import { z } from 'zod';
import { bytesSchema, computerIdOf, protocolVersion } from './entry.ts';
import { sealingKeySchema, signingKeySchema } from './public-keys.ts';
import { readSshSignature } from './ssh-signature.ts';

/** The namespace of a certificate's signature (OpenSSH, PROTOCOL.sshsig). */
export const certificateNamespace = 'computer@claimdesk';

/** The largest length of a certificate's signature as text: SSHSIG of an RSA key of 16,384 bits. */
const maxSignatureLength = 10_000;

/**
 * The statement of a user's SSH key that a computer's keys belong to that user. `team` is null where it was
 * made without a team, for files. `service` is the origin of the claims service.
 */
const certificateBodySchema = z.strictObject({
  protocol: z.literal(protocolVersion),
  team: bytesSchema(16).nullable(),
  // Control characters are refused, because these texts are shown and recorded, and PostgreSQL stores no NUL.
  service: z.string().regex(/^\P{C}{1,300}$/u),
  email: z.string().regex(/^\P{C}{1,320}$/u),
  /** The computer's public keys, 32 bytes each: Ed25519 signs its entries, X25519 receives keys of the team. */
  signingKey: signingKeySchema,
  sealingKey: sealingKeySchema,
});
export type CertificateBody = z.infer<typeof certificateBodySchema>;

/** A certificate, as sent and stored: its body's text, and the armored SSHSIG signature of that text. */
export const certificateSchema = z.strictObject({
  body: z.string().regex(/^\P{C}{0,2000}$/u),
  signature: z
    .string()
    .max(maxSignatureLength)
    .regex(/^[\P{C}\r\n]*$/u),
});
export type Certificate = z.infer<typeof certificateSchema>;

/** The text of a body, in the order of the schema: what the SSH key signs. */
export function writeCertificateBody(body: CertificateBody): string {
  const { protocol, team, service, email, signingKey, sealingKey } = body;
  return JSON.stringify({ protocol, team, service, email, signingKey, sealingKey });
}

/** Reads the text of a body; null for any other text, also for one that `writeCertificateBody` writes differently. */
export function readCertificateBody(text: string): CertificateBody | null {
  try {
    const body = certificateBodySchema.parse(JSON.parse(text));
    return writeCertificateBody(body) === text ? body : null;
  } catch {
    return null;
  }
}

/** The ID of the computer that a certificate is about. */
export const certifiedComputer = ({ signingKey }: CertificateBody): string =>
  computerIdOf(Buffer.from(signingKey, 'base64url'));

/** The bytes of an SSHSIG signature; none for any other text. */
function readArmor(signature: string): Buffer {
  const [, armored] =
    /-----BEGIN SSH SIGNATURE-----([\s\S]+)-----END SSH SIGNATURE-----/.exec(signature) ?? [];
  return Buffer.from(armored ?? '', 'base64');
}

/** Returns whether the SSH key in a certificate's signature made that signature. */
export function isCertified({ body, signature }: Certificate): boolean {
  const read = readSshSignature(readArmor(signature), certificateNamespace);
  const digestBy = (name: 'sha256' | 'sha512'): Buffer => createHash(name).update(body, 'utf8').digest();
  return read?.isOf({ sha256: digestBy('sha256'), sha512: digestBy('sha512') }) === true;
}

/** Returns the SSH key in an SSHSIG signature as a line of `authorized_keys`; null for any other text. */
export function readSshKey(signature: string): string | null {
  // `SSHSIG`, the version and the length of the key in four bytes each, the key: its type with its length, and the rest.
  const bytes = readArmor(signature);
  if (bytes.length < 18) return null;
  const key = bytes.subarray(14, 14 + bytes.readUInt32BE(10));
  const type = key.length < 4 ? '' : key.toString('latin1', 4, 4 + key.readUInt32BE(0));
  return /^[a-z0-9-]+$/.test(type) ? `${type} ${key.toString('base64')}` : null;
}
