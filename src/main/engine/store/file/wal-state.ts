import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Database } from './database.ts';
import { readHead, sideFilesOf, writeMarks } from './side-files.ts';

/** The unencrypted headers of a log (WAL); its pages are encrypted. */
export interface LogHeads {
  /** Distinguishes this log from the previous one; null where the header of the log is unreadable. */
  readonly salt: string | null;
  /** The last frame that ends a transaction in this log; 0 if there is none. */
  readonly committed: number;
  readonly bytes: number;
}

const headBytes = 32;
const frameHeadBytes = 24;
/** The most frames that are read from a longer log (1.6 GB or more). */
const maxFrames = 400_000;

/** Reads the log before SQLite does, because SQLite drops everything after the first frame that it can't use. */
export function readLogHeads(filePath: string): LogHeads | null {
  const path = sideFilesOf(filePath).log;
  if (!existsSync(path)) return null;
  const descriptor = openSync(path, 'r');
  try {
    const bytes = fstatSync(descriptor).size;
    const head = Buffer.alloc(headBytes);
    if (readSync(descriptor, head, 0, headBytes, 0) < headBytes || !isHeadSound(head))
      return { salt: null, committed: 0, bytes };
    const pageBytes = head.readUInt32BE(8);
    const salt = head.subarray(16, 24);
    const frame = Buffer.alloc(frameHeadBytes);
    const count = Math.min(maxFrames, Math.floor((bytes - headBytes) / (frameHeadBytes + pageBytes)));
    let committed = 0;
    for (let index = 0; index < count; index += 1) {
      readSync(descriptor, frame, 0, frameHeadBytes, headBytes + index * (frameHeadBytes + pageBytes));
      // Frames of an older log may follow those of this one.
      if (frame.subarray(8, 16).equals(salt) && frame.readUInt32BE(4) > 0) committed = index + 1;
    }
    return { salt: salt.toString('hex'), committed, bytes };
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the checksum in the header of a log is correct (SQLite's file format, §4.2). */
function isHeadSound(head: Buffer): boolean {
  const magic = head.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return false;
  const word = (at: number): number => (magic === 0x377f0683 ? head.readUInt32BE(at) : head.readUInt32LE(at));
  let [first, second] = [0, 0];
  for (let at = 0; at < 24; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return head.readUInt32BE(24) === first && head.readUInt32BE(28) === second;
}

/** Counts the frames of the log that SQLite uses; changes nothing. */
export function countUsedFrames(database: Database): number {
  const [state] = database.pragma('wal_checkpoint(NOOP)') as { log: number }[];
  return Math.max(0, state?.log ?? 0);
}

/** How much of the log is used. It is stored in the marks, so that a truncated or removed log is detected. */
export function readLogUse(filePath: string, database: Database): { salt: string; frames: number } | null {
  const frames = countUsedFrames(database);
  const salt = frames === 0 ? null : readLogSalt(filePath);
  return salt === null ? null : { salt, frames };
}

/**
 * Writes the log to the file and empties it; false where another connection prevents it. The marks first record that no
 * frame of the log is expected. Otherwise, if the process is killed before it writes the marks again, the next start
 * would count those frames as lost.
 */
export function emptyLog(filePath: string, database: Database): boolean {
  writeMarks(filePath, { isOpen: true, log: null }, false);
  const [state] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
  if (state?.busy === 0) return true;
  writeMarks(filePath, { isOpen: true, log: readLogUse(filePath, database) }, false);
  return false;
}

export function readLogSalt(filePath: string): string | null {
  const head = readHead(sideFilesOf(filePath).log, headBytes);
  return head.length === headBytes ? head.subarray(16, 24).toString('hex') : null;
}

/**
 * Counts the pages of the latest writes that are lost, from the marks, the log's headers and the frames that SQLite
 * could use. 0: none; null: some, but the number is unknown.
 */
export function countLostFrames(facts: {
  readonly marked: { salt: string; frames: number } | null;
  readonly wasOpen: boolean;
  readonly heads: LogHeads | null;
  /** The salt after opening; another process may have started a new log since. */
  readonly saltNow: string | null;
  readonly used: number;
}): number | null {
  const { marked, heads, used } = facts;
  if (heads === null || heads.bytes === 0) return facts.wasOpen && marked !== null ? marked.frames : 0;
  if (heads.salt === null) return marked?.frames ?? null;
  if (facts.saltNow !== null && facts.saltNow !== heads.salt) return 0;
  const expected = Math.max(heads.committed, marked?.salt === heads.salt ? marked.frames : 0);
  return Math.max(0, expected - used);
}
