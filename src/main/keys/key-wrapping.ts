import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DeskError } from '../lib/errors.ts';
import { type PrivateJwk, privateJwkSchema } from './private-jwk.ts';

const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

/**
 * A private key encrypted with the wrapping key: AES-256-GCM, with the key's ID and the services that it may sign for as
 * additional data, so that neither can be changed in the file.
 */
export const wrappedKeySchema = z.strictObject({
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
  tag: base64,
  data: base64,
});
type WrappedKey = z.infer<typeof wrappedKeySchema>;

/** The data that a private key is bound to; `origins` null: an older file that bound it to its ID only. */
interface WrapBinding {
  readonly keyId: string;
  readonly origins: readonly string[] | null;
}

const dataOf = ({ keyId, origins }: WrapBinding): Buffer =>
  Buffer.from(origins === null ? keyId : JSON.stringify([keyId, ...origins]));

/** Encrypts a private key with a fresh nonce. `wrappingKey` is 32 bytes from the secret store. */
export function wrapKey(jwk: PrivateJwk, binding: WrapBinding, wrappingKey: Buffer): WrappedKey {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', wrappingKey, iv);
  cipher.setAAD(dataOf(binding));
  const data = Buffer.concat([cipher.update(JSON.stringify(jwk), 'utf8'), cipher.final()]);
  return {
    cipher: 'aes-256-gcm',
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

/**
 * Decrypts a private key. Because its ID is authenticated, a blob copied into another key's file does not decrypt.
 * @throws DeskError `key.damaged` if the file was changed, or another wrapping key is given
 */
export function unwrapKey(wrapped: WrappedKey, binding: WrapBinding, wrappingKey: Buffer): PrivateJwk {
  try {
    const decipher = createDecipheriv('aes-256-gcm', wrappingKey, Buffer.from(wrapped.iv, 'base64'), {
      authTagLength: 16,
    });
    decipher.setAAD(dataOf(binding));
    decipher.setAuthTag(Buffer.from(wrapped.tag, 'base64'));
    const data = Buffer.concat([decipher.update(Buffer.from(wrapped.data, 'base64')), decipher.final()]);
    return privateJwkSchema.parse(JSON.parse(data.toString('utf8')));
  } catch (error) {
    // The cause's message is left out: a JSON error quotes what it could not parse.
    throw new DeskError('key.damaged', { details: { keyId: binding.keyId }, cause: (error as Error).name });
  }
}
