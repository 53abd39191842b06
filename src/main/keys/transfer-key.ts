import { DeskError } from '../lib/errors.ts';
import { readKeyFacts } from './key-facts.ts';
import type { StoredKey } from './key-files.ts';
import type { KeyLabel, KeyRing } from './key-ring.ts';
import type { KeyWorker } from './key-worker.ts';

type TransferPorts = { keyRing: Pick<KeyRing, 'add' | 'get' | 'readPrivateJwk'>; keyWorker: KeyWorker };

/**
 * Adds a key file to the ring, under the given name or its comment. The file's passphrase is not kept: the key is
 * then protected by the wrapping key in the secret store.
 * @throws DeskError `key.*` (what the file is, `duplicate` with the existing key in `details`), `keychain.*`
 */
export async function importKeyFile(
  { keyRing, keyWorker }: TransferPorts,
  input: { bytes: Uint8Array; passphrase?: string | undefined } & Omit<KeyLabel, 'id'>,
): Promise<StoredKey> {
  try {
    const { jwk, comment } = await keyWorker.importKey(input.bytes, input.passphrase ?? null);
    return await keyRing.add({ jwk, name: input.name ?? comment, baseUrl: input.baseUrl });
  } finally {
    await keyWorker.close();
  }
}

/**
 * Returns a key as an OpenSSH file with a passphrase. It is read again with the passphrase first, since a backup that
 * does not open would be noticed too late.
 * @throws DeskError `key.unknown`, `key.damaged`, `key.weakPassphrase`, `key.backupUnproven`, `keychain.*`, `vault.*`
 */
export async function backUpKey(
  { keyRing, keyWorker }: TransferPorts,
  input: { keyId: string; passphrase: string },
): Promise<string> {
  try {
    const [{ publicKey, fingerprint }, jwk] = [
      await keyRing.get(input.keyId),
      await keyRing.readPrivateJwk(input.keyId),
    ];
    const comment = publicKey.split(' ')[2] ?? '';
    const text = await keyWorker.writeBackup(jwk, comment, input.passphrase);
    const again = await keyWorker.importKey(Buffer.from(text), input.passphrase).catch(() => null);
    if (again === null || readKeyFacts(again.jwk, comment).fingerprint !== fingerprint) {
      throw new DeskError('key.backupUnproven');
    }
    return text;
  } finally {
    await keyWorker.close();
  }
}
