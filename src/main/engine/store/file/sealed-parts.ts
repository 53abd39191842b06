import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const mark = Buffer.from('cdd1');
const nonceBytes = 12;
const tagBytes = 16;
/** How many bytes longer a sealed file is than its content. */
export const addedBytes = mark.length + nonceBytes + tagBytes;

/**
 * Names and seals files with keys that are derived from `key`, 32 bytes, for these uses. A name is a keyed hash, so
 * that it does not reveal what the file contains; a file is sealed together with its name.
 */
export function createSealing(key: Uint8Array, uses: { readonly parts: string; readonly names: string }) {
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `claimdesk ${use}`, 32));
  const [sealKey, nameKey] = [derive(uses.parts), derive(uses.names)];
  const nameOf = (text: string): string => createHmac('sha256', nameKey).update(text).digest('hex');
  const seal = (bytes: Uint8Array, name: string): Buffer => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(name));
    return Buffer.concat([mark, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  };
  const unseal = (sealed: Buffer, name: string): Buffer => {
    const from = mark.length + nonceBytes;
    const end = sealed.length - tagBytes;
    if (end < from || !sealed.subarray(0, mark.length).equals(mark))
      throw new Error('This is no sealed file.');
    const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(mark.length, from), {
      authTagLength: tagBytes,
    }).setAAD(Buffer.from(name));
    decipher.setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(from, end)), decipher.final()]);
  };
  return { nameOf, seal, unseal };
}
