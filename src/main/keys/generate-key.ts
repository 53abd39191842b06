import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyType } from '../../contract/ssh-keys.ts';
import { normalizeJwk, type PrivateJwk } from './private-jwk.ts';

const generate = promisify(generateKeyPair);

/**
 * Makes a private key, in a thread of Node's pool (RSA 4096 takes seconds). The curves and sizes are those in
 * docs/service.md, "SSH-JWT", that Electron's BoringSSL supports as well.
 */
export async function generatePrivateJwk(type: KeyType): Promise<PrivateJwk> {
  const { privateKey } = await generatePair(type);
  return normalizeJwk(privateKey.export({ format: 'jwk' }));
}

function generatePair(type: KeyType): Promise<{ privateKey: KeyObject }> {
  switch (type) {
    case 'ed25519':
      return generate('ed25519');
    case 'rsa-3072':
      return generate('rsa', { modulusLength: 3072, publicExponent: 65537 });
    case 'rsa-4096':
      return generate('rsa', { modulusLength: 4096, publicExponent: 65537 });
    case 'ecdsa-256':
      return generate('ec', { namedCurve: 'P-256' });
    case 'ecdsa-384':
      return generate('ec', { namedCurve: 'P-384' });
    case 'ecdsa-521':
      return generate('ec', { namedCurve: 'P-521' });
  }
}
