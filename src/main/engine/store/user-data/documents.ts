import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { DocumentProblem } from '../../../../contract/store.ts';
import type { Database } from '../file/database.ts';
import { makeFolder, sideFilesOf, writeSideFile } from '../file/side-files.ts';
import { createUndoneReader } from './list-events.ts';
import { workspaceOf } from './stored-events.ts';

const mark = Buffer.from('cdd1');
const nonceBytes = 12;
const tagBytes = 16;
/** By how much a sealed file is longer than its document. */
const addedBytes = mark.length + nonceBytes + tagBytes;
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

/** An event that attached a document. */
interface AttachedDocument {
  readonly id: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly claimId: number;
  readonly workspaceId: string;
  readonly isImported: boolean;
  /** False once the event was undone. */
  readonly counts: boolean;
}

type StoredDocument = Pick<AttachedDocument, 'sha256' | 'bytes'>;
type DocumentState = 'whole' | 'mended' | DocumentProblem;

/** Every event that attached a document, of all workspaces of the file, also those that were undone. */
export function listAttached(database: Database): AttachedDocument[] {
  const isUndone = createUndoneReader(database);
  const rows = database
    .prepare(
      `SELECT e.id, e.fact, e.workspace_id, e.is_imported, c.claim_id FROM review_events e
       JOIN review_event_claims c ON c.event_seq=e.seq WHERE e.kind='document'`,
    )
    .raw()
    .all() as [id: string, fact: string, workspaceId: string, isImported: number, claimId: number][];
  return rows.map(([id, fact, workspaceId, isImported, claimId]) => {
    const { sha256, bytes } = JSON.parse(fact) as { sha256: string; bytes: number };
    return { id, sha256, bytes, claimId, workspaceId, isImported: isImported === 1, counts: !isUndone(id) };
  });
}

/** The events of this computer that are in the team's log and count, and whose documents its server may not have. */
export function listUnsentDocuments(
  database: Database,
  { workspaceId }: { workspaceId: string },
): Pick<AttachedDocument, 'id' | 'sha256'>[] {
  const isUndone = createUndoneReader(database);
  const rows = database
    .prepare(
      `SELECT e.id, e.fact ->> '$.sha256' AS sha256 FROM review_events e
       WHERE e.workspace=${workspaceOf(':workspaceId')} AND e.kind='document' AND e.is_imported=0 AND e.number>0
         AND NOT EXISTS (SELECT 1 FROM team_documents t WHERE t.workspace_id=:workspaceId AND t.event_id=e.id)`,
    )
    .all({ workspaceId }) as { id: string; sha256: string }[];
  return rows.filter(({ id }) => !isUndone(id));
}

/** The server has all parts of the document of this event. */
export function noteDocumentSent(
  database: Database,
  { workspaceId, id }: { workspaceId: string; id: string },
): null {
  database.prepare('INSERT OR IGNORE INTO team_documents VALUES (?, ?)').run(workspaceId, id);
  return null;
}

/** Names and seals files by keys that are derived from that of the user data file. */
function createSealing(key: Uint8Array) {
  const derive = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `claimdesk ${use}`, 32));
  const [sealKey, nameKey] = [derive('documents'), derive('document names')];
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
  return { nameOf, seal, unseal };
}

/** Reads the sealed files and their second copies. */
function createSealedFiles(filePath: string, key: Uint8Array) {
  const { documentsDir, documentCopiesDir } = sideFilesOf(filePath);
  const { nameOf, seal, unseal } = createSealing(key);
  /** Null where the file is missing. */
  const readIn = (folder: string, name: string): Uint8Array | 'damaged' | null => {
    const path = join(folder, name);
    if (!existsSync(path)) return null;
    const sealed = readFileSync(path);
    try {
      return unseal(sealed, name);
    } catch {
      return 'damaged';
    }
  };
  const copyTo = (folder: string, from: string, name: string): void =>
    writeSideFile(join(makeFolder(folder), name), readFileSync(join(from, name)));
  /** A file that is missing or damaged is replaced by its second copy. */
  const readDocument = ({ sha256 }: { sha256: string }): Uint8Array | 'damaged' | null => {
    const name = nameOf(sha256);
    const bytes = readIn(documentsDir, name);
    if (bytes instanceof Uint8Array) return bytes;
    const copied = readIn(documentCopiesDir, name);
    if (!(copied instanceof Uint8Array)) return bytes ?? copied;
    copyTo(documentsDir, documentCopiesDir, name);
    return copied;
  };
  /** Whether a file is as it was written; not `isFull`: is there with its length. */
  const isWhole = (folder: string, { sha256, bytes }: StoredDocument, isFull: boolean): boolean => {
    const name = nameOf(sha256);
    if (!isFull) return statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes + addedBytes;
    const opened = readIn(folder, name);
    return opened instanceof Uint8Array && createHash('sha256').update(opened).digest('hex') === sha256;
  };
  const check = (document: StoredDocument, isFull: boolean, mayMend: boolean): DocumentState => {
    const name = nameOf(document.sha256);
    const [isFileWhole, isCopyWhole] = [documentsDir, documentCopiesDir].map((folder) =>
      isWhole(folder, document, isFull),
    );
    if (isFileWhole && (isCopyWhole || !mayMend)) return 'whole';
    const [to, from] = isFileWhole ? [documentCopiesDir, documentsDir] : [documentsDir, documentCopiesDir];
    if (isWhole(from, document, true)) {
      if (mayMend) copyTo(to, from, name);
      return 'mended';
    }
    const isThere =
      isFileWhole || [documentsDir, documentCopiesDir].some((dir) => existsSync(join(dir, name)));
    return isThere ? 'document.damaged' : 'document.notHere';
  };
  return { nameOf, seal, readDocument, copyTo, check };
}

/**
 * The bytes of attached documents, each once, in a sealed file of its own beside the user data file, with a second copy among
 * the backups. A file is written completely before its event, and never changed. Its name is a keyed hash, so that it does
 * not give away which document it is. What an event says of a document is in the event alone; so a start reads none of these files.
 */
export function createDocuments(
  database: Database,
  filePath: string,
  key: Uint8Array,
  onTrouble: (thrown: unknown) => void,
) {
  const { documentsDir, documentCopiesDir } = sideFilesOf(filePath);
  const { nameOf, seal, readDocument, copyTo, check } = createSealedFiles(filePath, key);
  /** How many calls wait for the event of a file. */
  const arriving = new Map<string, number>();

  /** As for every backup, a failure undoes nothing; the next check makes the copy. */
  const makeCopy = (name: string): void => {
    try {
      if (!existsSync(join(documentCopiesDir, name))) copyTo(documentCopiesDir, documentsDir, name);
    } catch (thrown) {
      onTrouble(thrown);
    }
  };

  /** Exists from before a file until its event: a killed process leaves it, and the next start looks at these files alone. */
  const arrivalOf = (name: string): string => join(documentsDir, `${name}.new`);
  /** Exists while the events of a file are undone by *Remove*. */
  const erasureOf = (name: string): string => join(documentsDir, `${name}.erase`);
  /**
   * Removes files that no event has, among those with these names; null: among all. Half-written ones are removed as well, marks
   * last. With `mustCount`, an event that was undone has none. Returns how many documents that were.
   */
  const removeUnused = (among: ReadonlySet<string> | null, mustCount = false): number => {
    const attached = listAttached(database).filter(({ counts }) => counts || !mustCount);
    const used = new Set(attached.map(({ sha256 }) => nameOf(sha256)));
    const removed = new Set<string>();
    for (const folder of [documentCopiesDir, documentsDir])
      for (const file of existsSync(folder) ? readdirSync(folder).sort() : []) {
        const name = file.slice(0, nameLength);
        if (arriving.has(name) || among?.has(name) === false) continue;
        if (file === name && used.has(name)) continue;
        rmSync(join(folder, file), { force: true });
        if (!used.has(name)) removed.add(name);
      }
    return removed.size;
  };
  const end = (name: string, isAttached: boolean): void => {
    const others = (arriving.get(name) ?? 1) - 1;
    if (others > 0) arriving.set(name, others);
    else arriving.delete(name);
    if (!isAttached) removeUnused(new Set([name]));
    else if (others === 0) {
      makeCopy(name);
      rmSync(arrivalOf(name), { force: true });
    }
  };

  const left = existsSync(documentsDir)
    ? readdirSync(documentsDir).filter(({ length }) => length !== nameLength)
    : [];
  const namesLeft = (isErasure: boolean): Set<string> =>
    new Set(
      left.filter((file) => file.endsWith('.erase') === isErasure).map((file) => file.slice(0, nameLength)),
    );
  for (const isErasure of [true, false])
    if (namesLeft(isErasure).size > 0) removeUnused(namesLeft(isErasure), isErasure);

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
        // A copy that is there is damaged.
        rmSync(join(documentCopiesDir, name), { force: true });
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
    /** Called before the events of these bytes are undone: after a kill, the next start erases them where none counts any more. */
    beginErasing({ sha256 }: { sha256: string }): null {
      if (existsSync(documentsDir)) writeSideFile(erasureOf(nameOf(sha256)), '');
      return null;
    },
    /** Erases the bytes where no event that counts has them, of any claim or member. */
    endErasing: ({ sha256 }: { sha256: string }): number => removeUnused(new Set([nameOf(sha256)]), true),
    /** The state of each of these documents; `mayMend`: its file and copy replace each other where one is missing or damaged. */
    checkDocuments: (input: {
      documents: readonly StoredDocument[];
      isFull: boolean;
      mayMend: boolean;
    }): DocumentState[] => input.documents.map((document) => check(document, input.isFull, input.mayMend)),
    /** Erases what came from colleagues and what no event that counts has: they removed it. */
    eraseRemoved(): number {
      const attached = listAttached(database);
      const isKept = new Set(
        attached.flatMap(({ sha256, isImported, counts }) => (counts || !isImported ? [sha256] : [])),
      );
      const names = attached.flatMap(({ sha256 }) => (isKept.has(sha256) ? [] : [nameOf(sha256)]));
      const isHere = (name: string): boolean => existsSync(join(documentsDir, name));
      const erased = new Set(names.filter(isHere));
      return erased.size === 0 ? 0 : removeUnused(erased, true);
    },
    /** Removes all files that no event has. */
    removeUnusedDocuments: (): number => removeUnused(null),
  };
}
