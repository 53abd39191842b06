import { generateKeyPairSync } from 'node:crypto';
import type { EntrySigner } from '../../src/main/engine/review/write-entries.ts';
import type { PrivateJwk } from '../../src/main/keys/private-jwk.ts';
import { certify, checkCertificate, signHeaders } from '../../src/main/team/computer-keys.ts';
import type { DerivedKeys } from '../../src/team-protocol/derive-keys.ts';

const makeKey = (type: 'ed25519' | 'x25519') => generateKeyPairSync(type as 'ed25519').privateKey;

export const makeComputerKeys = (): DerivedKeys => ({
  signing: makeKey('ed25519'),
  sealing: makeKey('x25519'),
});
export const makeSshKey = () => makeKey('ed25519').export({ format: 'jwk' }) as PrivateJwk;

/** Signs entries as main does, by a user's SSH key and a computer's keys. */
export function makeEntrySigner(
  email: string,
  keys: { computer?: DerivedKeys; ssh?: PrivateJwk; service?: string } = {},
): EntrySigner {
  const { computer = makeComputerKeys(), ssh = makeSshKey(), service = 'https://claims.example.com' } = keys;
  return {
    certifyComputer: async () => certify(computer, { service, email, team: null }, ssh),
    signHeaders: async ({ headers }) => signHeaders(computer, headers),
    checkCertificate: async (certificate) => checkCertificate(certificate),
  };
}
