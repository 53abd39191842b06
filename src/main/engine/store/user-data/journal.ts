import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { writeSideFile } from '../file/side-files.ts';

/** One change of the user data file, as the resulting row. */
export type JournalEntry =
  | { readonly kind: 'put'; readonly table: UserDataTable; readonly row: Readonly<Record<string, unknown>> }
  | { readonly kind: 'remove'; readonly table: UserDataTable; readonly id: string }
  /** The first entry: the backup that the following changes apply to; null: an empty file. */
  | { readonly kind: 'after'; readonly backup: string | null };
/**
 * `reviewClaims`: some claims of an event whose entry follows; without that entry they are ignored. `reviewTimes`,
 * `reviewProofs`: new times, and the proof, of an existing event.
 */
type UserDataTable =
  | 'audit'
  | 'views'
  | 'certificates'
  | 'reviews'
  | 'reviewClaims'
  | 'reviewTimes'
  | 'reviewProofs';

const mark = Buffer.from('cdj1');
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = mark.length + 4;

/**
 * The changes to the user data file since its newest backup, in a separate file. Each is encrypted separately with a
 * key derived from the database key, so that one damaged byte loses one change. Backup and journal together contain the
 * whole file, except for what is read again from a team's server. Append only within the transaction that makes the
 * change: the write lock orders the entries.
 */
export function createJournal(path: string, key: Uint8Array) {
  const journalKey = createSecretKey(
    Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'claimdesk journal', 32)),
  );

  const seal = (entry: JournalEntry): Buffer => {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', journalKey, nonce);
    const body = Buffer.concat([cipher.update(JSON.stringify(entry), 'utf8'), cipher.final()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(nonceBytes + body.length + tagBytes);
    return Buffer.concat([mark, length, nonce, body, cipher.getAuthTag()]);
  };
  const unseal = (frame: Buffer): JournalEntry => {
    const decipher = createDecipheriv('aes-256-gcm', journalKey, frame.subarray(0, nonceBytes));
    decipher.setAuthTag(frame.subarray(frame.length - tagBytes));
    const body = decipher.update(frame.subarray(nonceBytes, frame.length - tagBytes));
    return JSON.parse(Buffer.concat([body, decipher.final()]).toString('utf8')) as JournalEntry;
  };
  const append = (bytes: Buffer): void => {
    const descriptor = openSync(path, 'a', 0o600);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  };

  return {
    isThere: (): boolean => existsSync(path),
    size: (): number => (existsSync(path) ? statSync(path).size : 0),
    append: (...entries: readonly JournalEntry[]): void => append(Buffer.concat(entries.map(seal))),
    /** Begins a new journal after a backup that began when the journal had `size` bytes; later entries are kept. */
    restart(backup: string | null, size: number): void {
      const later = existsSync(path) ? readFileSync(path).subarray(size) : Buffer.alloc(0);
      writeSideFile(path, Buffer.concat([seal({ kind: 'after', backup }), later]));
    },
    /** Every readable entry. `isWhole`: there is no unreadable part. */
    read(): { entries: JournalEntry[]; isWhole: boolean } {
      const entries: JournalEntry[] = [];
      if (!existsSync(path)) return { entries, isWhole: false };
      const bytes = readFileSync(path);
      let isWhole = true;
      for (let at = 0; at < bytes.length; ) {
        const length = bytes.length - at >= headBytes ? bytes.readUInt32BE(at + mark.length) : 0;
        const end = at + headBytes + length;
        const isFrame = bytes.subarray(at, at + mark.length).equals(mark) && length > nonceBytes + tagBytes;
        if (isFrame && end <= bytes.length) {
          try {
            entries.push(unseal(bytes.subarray(at + headBytes, end)));
            at = end;
            continue;
          } catch {
            // Unreadable: the search for the next entry continues below.
          }
        }
        isWhole = false;
        const next = bytes.indexOf(mark, at + 1);
        at = next === -1 ? bytes.length : next;
      }
      return { entries, isWhole: isWhole && entries[0]?.kind === 'after' };
    },
  };
}

export type Journal = ReturnType<typeof createJournal>;
