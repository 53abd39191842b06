import { DeskError } from '../lib/errors.ts';
import { readKeyFacts } from './key-facts.ts';
import type { StoredKey } from './key-files.ts';
import type { KeyLabel, KeyRing } from './key-ring.ts';
import type { KeyWorker } from './key-worker.ts';

type TransferPorts = { keyRing: Pick<KeyRing, 'add' | 'get' | 'readPrivateJwk'>; keyWorker: KeyWorker };

/**
 * Takes a key file into the ring, under the name given or the comment it carried. The file's passphrase is
 * not kept: from here on the key is protected by the wrapping key in the secret store.
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
 * Gives a key as an OpenSSH file under a passphrase, for whoever writes it where the person chose. It is read
 * again with the passphrase before it is given: a backup that does not open is found out too late.
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
