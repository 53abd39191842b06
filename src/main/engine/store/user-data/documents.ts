import { createHash } from 'node:crypto';
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
import { addedBytes, createSealing } from '../file/sealed-parts.ts';
import { makeFolder, sideFilesOf, writeSideFile } from '../file/side-files.ts';
import { createUndoneReader } from './list-events.ts';
import { workspaceOf } from './stored-events.ts';

/** The length of a sealed file's name; the names of the other files in its folder are longer. */
const nameLength = 64;

/** Syncs a folder: without it, a power failure can undo a rename. Windows can't open folders and does not need this. */
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
  /** Whether it was attached, or undone, on another computer. */
  readonly isImported: boolean;
  /** Whether the event counts: false once it was undone. */
  readonly counts: boolean;
}

type StoredDocument = Pick<AttachedDocument, 'sha256' | 'bytes'>;
type DocumentState = 'whole' | 'mended' | DocumentProblem;

/** Lists every event that attached a document, in all workspaces of the file, including events that were undone. */
export function listAttached(database: Database): AttachedDocument[] {
  const isUndone = createUndoneReader(database);
  const rows = database
    .prepare(
      `SELECT e.id, e.fact, e.workspace_id, c.claim_id,
         e.is_imported OR EXISTS (SELECT 1 FROM review_events u WHERE u.undoes=e.id AND u.is_imported=1)
       FROM review_events e
       JOIN review_event_claims c ON c.event_seq=e.seq WHERE e.kind='document'`,
    )
    .raw()
    .all() as [id: string, fact: string, workspaceId: string, claimId: number, isImported: number][];
  return rows.map(([id, fact, workspaceId, claimId, isImported]) => {
    const { sha256, bytes } = JSON.parse(fact) as { sha256: string; bytes: number };
    return { id, sha256, bytes, claimId, workspaceId, isImported: isImported === 1, counts: !isUndone(id) };
  });
}

/** The events of this computer that are in the team's log and count, and whose documents its server may lack. */
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

/** Stores that the server has all parts of this event's document. */
export function keepDocumentSent(
  database: Database,
  { workspaceId, id }: { workspaceId: string; id: string },
): null {
  database.prepare('INSERT OR IGNORE INTO team_documents VALUES (?, ?)').run(workspaceId, id);
  return null;
}

const openSealing = (key: Uint8Array) => createSealing(key, { parts: 'documents', names: 'document names' });

/** Stores a document of a backup; its event is being restored as well. */
export function restoreDocument(filePath: string, key: Uint8Array, bytes: Uint8Array, sha256: string): void {
  const { documentsDir, documentCopiesDir } = sideFilesOf(filePath);
  const { nameOf, seal } = openSealing(key);
  const name = nameOf(sha256);
  for (const folder of [documentCopiesDir, documentsDir])
    writeSideFile(join(makeFolder(folder), name), seal(bytes, name));
}

/** Reads the sealed files and their second copies; with `isReadOnly`, replaces none of them. */
export function createSealedFiles(
  filePath: string,
  key: Uint8Array,
  onTrouble: (thrown: unknown) => void,
  isReadOnly: boolean,
) {
  const { documentsDir, documentCopiesDir } = sideFilesOf(filePath);
  const { nameOf, seal, unseal } = openSealing(key);
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
  /** As for every backup, a failure undoes nothing; the next check makes the copy. */
  const copyTo = (folder: string, from: string, name: string): boolean => {
    try {
      writeSideFile(join(makeFolder(folder), name), readFileSync(join(from, name)));
      return true;
    } catch (thrown) {
      onTrouble(thrown);
      return false;
    }
  };
  /** A missing or damaged file is replaced by its second copy. */
  const readDocument = ({ sha256 }: { sha256: string }): Uint8Array | 'damaged' | null => {
    const name = nameOf(sha256);
    const bytes = readIn(documentsDir, name);
    if (bytes instanceof Uint8Array) return bytes;
    const copied = readIn(documentCopiesDir, name);
    if (!(copied instanceof Uint8Array)) return bytes ?? copied;
    if (!isReadOnly) copyTo(documentsDir, documentCopiesDir, name);
    return copied;
  };
  /** Whether a file is as it was written; without `isFull`, only whether it exists with its length. */
  const isWhole = (folder: string, { sha256, bytes }: StoredDocument, isFull: boolean): boolean => {
    const name = nameOf(sha256);
    if (!isFull) return statSync(join(folder, name), { throwIfNoEntry: false })?.size === bytes + addedBytes;
    const opened = readIn(folder, name);
    return opened instanceof Uint8Array && createHash('sha256').update(opened).digest('hex') === sha256;
  };
  const check = (document: StoredDocument, isFull: boolean): DocumentState => {
    const name = nameOf(document.sha256);
    const [isFileWhole, isCopyWhole] = [documentsDir, documentCopiesDir].map((folder) =>
      isWhole(folder, document, isFull),
    );
    if (isFileWhole && (isCopyWhole || isReadOnly)) return 'whole';
    const [to, from] = isFileWhole ? [documentCopiesDir, documentsDir] : [documentsDir, documentCopiesDir];
    if (isWhole(from, document, true)) return !isReadOnly && copyTo(to, from, name) ? 'mended' : 'whole';
    const isThere =
      isFileWhole || [documentsDir, documentCopiesDir].some((dir) => existsSync(join(dir, name)));
    return isThere ? 'document.damaged' : 'document.notHere';
  };
  return { nameOf, seal, readDocument, copyTo, check };
}

/**
 * Stores the bytes of attached documents, each once, in separate sealed files next to the user data file, with a second
 * copy among the backups. A file is written completely before its event, and never changed. Its name is a keyed hash,
 * so that it does not reveal which document it is. Everything else about a document is only in its event, so a start
 * reads none of these files. Events can be lost with a damaged user data file, so a file is erased only if a mark names
 * it. `isReadOnly`: another process writes.
 */
export function createDocuments(
  database: Database,
  filePath: string,
  key: Uint8Array,
  onTrouble: (thrown: unknown) => void,
  isReadOnly: boolean,
) {
  const { documentsDir, documentCopiesDir } = sideFilesOf(filePath);
  const { nameOf, seal, readDocument, copyTo, check } = createSealedFiles(
    filePath,
    key,
    onTrouble,
    isReadOnly,
  );
  const listFiles = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  const namesOf = (attached: readonly Pick<AttachedDocument, 'sha256'>[]): Set<string> =>
    new Set(attached.map(({ sha256 }) => nameOf(sha256)));
  /** How many calls wait for the event of a file. */
  const arriving = new Map<string, number>();

  /**
   * Exists from before a file is written until its event is: a killed process leaves it, and the next start examines
   * only these files.
   */
  const arrivalOf = (name: string): string => join(documentsDir, `${name}.new`);
  /** Exists while *Remove* undoes the events of a file, or while they are removed. */
  const erasureOf = (name: string): string => join(documentsDir, `${name}.erase`);
  /**
   * Erases marked files that no event has; with an erasure mark, files that no counting event has. Half-written files
   * are removed as well, marks last.
   */
  const eraseMarked = (names: ReadonlySet<string>): void => {
    const attached = listAttached(database);
    const used = namesOf(attached);
    const counting = namesOf(attached.filter(({ counts }) => counts));
    const isErased = (name: string): boolean =>
      existsSync(erasureOf(name)) ? !counting.has(name) : existsSync(arrivalOf(name)) && !used.has(name);
    for (const folder of [documentCopiesDir, documentsDir])
      for (const file of listFiles(folder).sort()) {
        const name = file.slice(0, nameLength);
        if (!names.has(name) || arriving.has(name)) continue;
        if (file !== name || isErased(name)) rmSync(join(folder, file), { force: true });
      }
  };
  const end = (name: string, isAttached: boolean): void => {
    const others = (arriving.get(name) ?? 1) - 1;
    if (others > 0) arriving.set(name, others);
    else arriving.delete(name);
    if (!isAttached) eraseMarked(new Set([name]));
    else if (others === 0) {
      if (!existsSync(join(documentCopiesDir, name))) copyTo(documentCopiesDir, documentsDir, name);
      rmSync(arrivalOf(name), { force: true });
    }
  };
  const beginErasing = (names: ReadonlySet<string>): void => {
    if (existsSync(documentsDir)) for (const name of names) writeSideFile(erasureOf(name), '');
  };

  const left = [documentsDir, documentCopiesDir]
    .flatMap(listFiles)
    .filter((file) => file.length > nameLength);
  if (!isReadOnly && left.length > 0) eraseMarked(new Set(left.map((file) => file.slice(0, nameLength))));

  return {
    readDocument,
    /** Stores the bytes until `endKeeping`, and after that as long as an event has their hash. Returns the hash. */
    keepDocument({ bytes }: { bytes: Uint8Array }): { sha256: string } {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const name = nameOf(sha256);
      arriving.set(name, (arriving.get(name) ?? 0) + 1);
      try {
        if (readDocument({ sha256 }) instanceof Uint8Array) return { sha256 };
        if (!existsSync(documentsDir)) syncFolder(dirname(makeFolder(documentsDir)));
        writeSideFile(arrivalOf(name), '');
        writeSideFile(join(documentsDir, name), seal(bytes, name));
        syncFolder(documentsDir);
        // An existing copy is damaged.
        rmSync(join(documentCopiesDir, name), { force: true });
      } catch (thrown) {
        end(name, false);
        throw thrown;
      }
      return { sha256 };
    },
    /** Called once the event of these bytes exists, or never will. */
    endKeeping({ sha256, isAttached }: { sha256: string; isAttached: boolean }): null {
      end(nameOf(sha256), isAttached);
      return null;
    },
    /** Called before the events of these documents are undone or removed: after a kill, the next start erases those of which none counts. */
    beginErasing(documents: readonly Pick<AttachedDocument, 'sha256'>[]): null {
      beginErasing(namesOf(documents));
      return null;
    },
    /** Erases the bytes if no event that counts has them, for any claim or member. */
    endErasing(documents: readonly Pick<AttachedDocument, 'sha256'>[]): null {
      eraseMarked(namesOf(documents));
      return null;
    },
    /** The state of each of these documents. A file and its copy replace each other if one is missing or damaged. */
    checkDocuments: (input: { documents: readonly StoredDocument[]; isFull: boolean }): DocumentState[] =>
      input.documents.map((document) => check(document, input.isFull)),
    /**
     * Lists documents that are here although no counting event has them, where other computers attached them or undid
     * that: those computers removed them.
     */
    listRemoved(): { sha256: string }[] {
      const attached = listAttached(database);
      const kept = namesOf(attached.filter(({ counts, isImported }) => counts || !isImported));
      const all = new Map(attached.map(({ sha256 }) => [nameOf(sha256), { sha256 }]));
      return [...all].flatMap(([name, document]) =>
        kept.has(name) || !existsSync(join(documentsDir, name)) ? [] : [document],
      );
    },
    /** How many files no event has: their events were lost with a damaged user data file. They are kept. */
    countUnused(): number {
      const used = namesOf(listAttached(database));
      return listFiles(documentsDir).filter(
        (file) => file.length === nameLength && !used.has(file) && !arriving.has(file),
      ).length;
    },
  };
}
