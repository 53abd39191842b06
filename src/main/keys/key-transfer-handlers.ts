import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { MainHandlers } from '../../contract/procedures.ts';
import type { KeySource } from '../../contract/ssh-keys.ts';
import { requireConfirmed } from '../desk/confirm.ts';
import { type DeskState, spaceOf, spaceOfKey } from '../desk/desk-state.ts';
import { saveToTarget } from '../desk/save-file.ts';
import { toSshKey } from '../desk/spaces.ts';
import { DeskError } from '../lib/errors.ts';
import { readKeyFacts } from './key-facts.ts';
import type { StoredKey } from './key-files.ts';
import type { KeyLabel, KeyRing } from './key-ring.ts';
import { createKeyWorker, type KeyWorker } from './key-worker.ts';
import { readKeyFile } from './read-key-file.ts';

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
    if (again === null || readKeyFacts(again.jwk, comment).fingerprint !== fingerprint)
      throw new DeskError('key.backupUnproven');
    return text;
  } finally {
    await keyWorker.close();
  }
}

/** How long a key file is held in memory until its passphrase is typed. */
const heldMs = 5 * 60_000;
const modes = { private: 0o600, public: 0o644 } as const;

/** Import, backup and saving of keys. A private key leaves Claimdesk only as a file with a passphrase. */
export function createKeyTransferHandlers(state: DeskState) {
  const { ports, heldKeyFiles } = state;

  return {
    'keys:import': async ({ source, passphrase, name, workspaceId }) => {
      const space = workspaceId === undefined ? state.real : await spaceOf(state, workspaceId);
      const workspace = workspaceId === undefined ? null : await space.book.get(workspaceId);
      const bytes = await readSource(state, source);
      if (bytes === null) return null;
      const ring = { keyRing: space.keyRing, keyWorker: createKeyWorker() };
      const key = await importKeyFile(ring, { bytes, passphrase, name, baseUrl: workspace?.baseUrl }).catch(
        (thrown: unknown) => {
          const isMissing =
            thrown instanceof DeskError &&
            (thrown.code === 'key.passphraseNeeded' || thrown.code === 'key.wrongPassphrase');
          // The command line gets the passphrase once and cannot ask again.
          if (!isMissing || ports.shell === 'cli') throw thrown;
          throw new DeskError(thrown.code, { details: { ...thrown.details, sourceId: hold(state, bytes) } });
        },
      );
      heldKeyFiles.clear();
      // Removed from the clipboard, where other programs could read it.
      await ports.dropFromClipboard?.(Buffer.from(bytes).toString('utf8')).catch(() => undefined);
      if (workspace?.keyId === null) await space.book.setKey(workspace.id, key.id);
      state.emit({ name: 'keys:changed', payload: {} });
      return toSshKey(key, await space.book.list(), space.isSample);
    },
    'keys:backUp': async ({ keyId, passphrase, targetId }) => {
      const { keyRing, isSample } = await spaceOfKey(state, keyId);
      const { displayPath } = await saveToTarget(state, targetId, {
        purpose: 'keyBackup',
        mode: modes.private,
        async make(path) {
          if (await isInside(ports.profileDir, path)) throw new DeskError('key.backupInProfile');
          const text = await backUpKey({ keyRing, keyWorker: createKeyWorker() }, { keyId, passphrase });
          // The sample's key signs in to nothing outside this computer.
          if (isSample) return text;
          await requireConfirmed(state, {
            message: `Save a backup of the private key “${(await keyRing.get(keyId)).name}”?`,
            detail: `It’s saved as ${path}, encrypted with the passphrase you chose. Whoever has both can sign in with it.`,
            action: 'Save backup',
          });
          await state.recordFirst({ action: 'key.backedUp', workspaceId: null, details: { keyId } });
          return text;
        },
      });
      return { keyId, displayPath, fingerprint: (await keyRing.get(keyId)).fingerprint };
    },
    'keys:savePublic': async ({ keyId, targetId }) => {
      const { keyRing } = await spaceOfKey(state, keyId);
      return saveToTarget(state, targetId, {
        purpose: 'publicKey',
        mode: modes.public,
        make: async () => `${(await keyRing.get(keyId)).publicKey}\n`,
      });
    },
  } satisfies MainHandlers;
}

/** Reads the bytes to import; null if the user chose nothing. */
async function readSource({ ports, heldKeyFiles }: DeskState, source: KeySource): Promise<Uint8Array | null> {
  switch (source.kind) {
    case 'text':
      return Buffer.from(source.text, 'utf8');
    case 'bytes':
      return Buffer.from(source.base64, 'base64');
    case 'held': {
      const held = heldKeyFiles.get(source.sourceId);
      if (held === undefined) throw new DeskError('key.sourceMissing');
      return held;
    }
    case 'clipboard': {
      if (ports.readClipboardText === undefined) throw new DeskError('app.unavailable');
      const text = await ports.readClipboardText();
      if (text.trim() === '') throw new DeskError('key.clipboardEmpty');
      return Buffer.from(text, 'utf8');
    }
    case 'file': {
      if (ports.chooseOpenPath === undefined) throw new DeskError('app.unavailable');
      const path = await ports.chooseOpenPath('openFile');
      return path === null ? null : readKeyFile(path);
    }
  }
}

/** Holds one key file in memory, so that another attempt needs only the passphrase; a lock drops it. */
function hold({ heldKeyFiles }: DeskState, bytes: Uint8Array): string {
  const [heldId] = [...heldKeyFiles].find(([, held]) => held === bytes) ?? [];
  if (heldId !== undefined) return heldId;
  const sourceId = randomUUID();
  heldKeyFiles.clear();
  heldKeyFiles.set(sourceId, bytes);
  setTimeout(() => heldKeyFiles.delete(sourceId), heldMs).unref();
  return sourceId;
}

/** Whether a path is inside a folder, however it is written. */
async function isInside(folder: string, path: string): Promise<boolean> {
  const parent = dirname(path);
  const [outer, inner] = await Promise.all(
    [folder, parent].map((directory) => realpath(directory).catch(() => directory)),
  );
  const [first] = relative(outer as string, inner as string).split(sep);
  return first !== '..' && !isAbsolute(first as string);
}
