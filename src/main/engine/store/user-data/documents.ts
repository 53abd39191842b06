import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '../file/database.ts';
import { makeFolder, sideFilesOf, writeSideFile } from '../file/side-files.ts';

const mark = Buffer.from('cdd1');
const nonceBytes = 12;
const tagBytes = 16;
/** The length of a sealed file's name; names of other files beside it are longer. */
const nameLength = 64;

/** Syncs a folder: without it, a power failure can undo a rename. Windows can't open folders and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The bytes of attached documents, each once, in a sealed file of its own beside the user data file. A file is written
 * completely before its event, and never changed. Its name is a keyed hash, so that it does not give away which document
 * it is. What an event says of a document is in the event alone; so a start reads none of these files.
 */
export function createDocuments(database: Database, filePath: string, key: Uint8Array) {
  const { documentsDir } = sideFilesOf(filePath);
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `claimdesk ${use}`, 32));
  const [sealKey, nameKey] = [derive('documents'), derive('document names')];
  /** How many calls wait for the event of a file. */
  const arriving = new Map<string, number>();

  const nameOf = (sha256: string): string => createHmac('sha256', nameKey).update(sha256).digest('hex');
  const seal = (bytes: Uint8Array, name: string): Buffer => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(name));
    return Buffer.concat([mark, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  };
  const unseal = (sealed: Buffer, name: string): Buffer => {
    const from = mark.length + nonceBytes;
    const end = sealed.length - tagBytes;
    if (end < from || !sealed.subarray(0, mark.length).equals(mark)) throw new Error('This is no document.');
    const decipher = createDecipheriv('aes-256-gcm', sealKey, sealed.subarray(mark.length, from), {
      authTagLength: tagBytes,
    }).setAAD(Buffer.from(name));
    decipher.setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(from, end)), decipher.final()]);
  };
  /** Null where the file is missing. */
  const readDocument = ({ sha256 }: { sha256: string }): Uint8Array | 'damaged' | null => {
    const name = nameOf(sha256);
    const path = join(documentsDir, name);
    if (!existsSync(path)) return null;
    const sealed = readFileSync(path);
    try {
      return unseal(sealed, name);
    } catch {
      return 'damaged';
    }
  };

  /** Exists from before a file until its event: a killed process leaves it, and the next start looks at these files alone. */
  const arrivalOf = (name: string): string => join(documentsDir, `${name}.new`);
  /** Removes files that no event has, among those with these names; null: among all. Half-written ones go as well. */
  const removeUnused = (among: ReadonlySet<string> | null): void => {
    if (!existsSync(documentsDir)) return;
    const facts = database
      .prepare("SELECT fact FROM review_events WHERE kind='document'")
      .pluck()
      .all() as string[];
    const used = new Set(facts.map((fact) => nameOf(String(JSON.parse(fact).sha256))));
    for (const file of readdirSync(documentsDir)) {
      const name = file.slice(0, nameLength);
      if (arriving.has(name) || among?.has(name) === false) continue;
      if (file !== name || !used.has(name)) rmSync(join(documentsDir, file), { force: true });
    }
  };
  const end = (name: string, isAttached: boolean): void => {
    const others = (arriving.get(name) ?? 1) - 1;
    if (others > 0) arriving.set(name, others);
    else arriving.delete(name);
    if (!isAttached) removeUnused(new Set([name]));
    else if (others === 0) rmSync(arrivalOf(name), { force: true });
  };

  const left = existsSync(documentsDir)
    ? readdirSync(documentsDir).filter(({ length }) => length !== nameLength)
    : [];
  if (left.length > 0) removeUnused(new Set(left.map((file) => file.slice(0, nameLength))));

  return {
    readDocument,
    /** Stores the bytes until `endKeeping`, and from then on where an event has their hash. Returns the hash. */
    keepDocument({ bytes }: { bytes: Uint8Array }): { sha256: string } {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const name = nameOf(sha256);
      arriving.set(name, (arriving.get(name) ?? 0) + 1);
      if (readDocument({ sha256 }) instanceof Uint8Array) return { sha256 };
      try {
        if (!existsSync(documentsDir)) syncFolder(dirname(makeFolder(documentsDir)));
        writeSideFile(arrivalOf(name), '');
        writeSideFile(join(documentsDir, name), seal(bytes, name));
        syncFolder(documentsDir);
      } catch (thrown) {
        end(name, false);
        throw thrown;
      }
      return { sha256 };
    },
    /** The event of these bytes is there, or will never be. */
    endKeeping({ sha256, isAttached }: { sha256: string; isAttached: boolean }): null {
      end(nameOf(sha256), isAttached);
      return null;
    },
    /** Removes all files that no event has. */
    removeUnusedDocuments: (): void => removeUnused(null),
  };
}
