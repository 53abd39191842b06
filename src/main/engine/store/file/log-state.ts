import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Connection } from './connection.ts';
import { sideFilesOf } from './side-files.ts';

/** What the log (WAL) beside a file holds, by its heads alone: the pages in it are encrypted. */
export interface LogHeads {
  /** Tells this log from the one before; null where the head of the log is gone. */
  readonly salt: string | null;
  /** The last frame that ends a transaction of this log; 0 if there is none. */
  readonly committed: number;
  readonly bytes: number;
}

const headBytes = 32;
const frameHeadBytes = 24;
const pageBytes = 4096;
/** Of a log longer than this (1.6 GB) only the beginning is looked at. */
const maxFrames = 400_000;

/** Reads the log before SQLite does: it drops everything after the first frame that it cannot use, silently. */
export function readLogHeads(filePath: string): LogHeads | null {
  const path = sideFilesOf(filePath).log;
  if (!existsSync(path)) return null;
  const descriptor = openSync(path, 'r');
  try {
    const bytes = fstatSync(descriptor).size;
    const head = Buffer.alloc(headBytes);
    if (readSync(descriptor, head, 0, headBytes, 0) < headBytes || !isHeadSound(head)) {
      return { salt: null, committed: 0, bytes };
    }
    const salt = head.subarray(16, 24);
    const frame = Buffer.alloc(frameHeadBytes);
    const count = Math.min(maxFrames, Math.floor((bytes - headBytes) / (frameHeadBytes + pageBytes)));
    let committed = 0;
    for (let index = 0; index < count; index += 1) {
      readSync(descriptor, frame, 0, frameHeadBytes, headBytes + index * (frameHeadBytes + pageBytes));
      // Frames of an older log may lie behind those of this one.
      if (frame.subarray(8, 16).equals(salt) && frame.readUInt32BE(4) > 0) committed = index + 1;
    }
    return { salt: salt.toString('hex'), committed, bytes };
  } finally {
    closeSync(descriptor);
  }
}

/** The checksum that SQLite keeps in the head of a log (its file format, §4.2). */
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

/** How many frames of the log SQLite has in use; changes nothing. */
export function countUsedFrames(connection: Connection): number {
  const [state] = connection.pragma('wal_checkpoint(NOOP)') as { log: number }[];
  return Math.max(0, state?.log ?? 0);
}

/** Notes how far the log is, so that a log that was cut or taken away shows. */
export function noteLog(filePath: string, connection: Connection): { salt: string; frames: number } | null {
  const frames = countUsedFrames(connection);
  const salt = frames === 0 ? null : (readLogSalt(filePath) ?? null);
  return salt === null ? null : { salt, frames };
}

export function readLogSalt(filePath: string): string | null {
  const path = sideFilesOf(filePath).log;
  if (!existsSync(path)) return null;
  const descriptor = openSync(path, 'r');
  try {
    const head = Buffer.alloc(headBytes);
    return readSync(descriptor, head, 0, headBytes, 0) === headBytes
      ? head.subarray(16, 24).toString('hex')
      : null;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * How many pages of the latest writes are gone, judged by what was noted, what the log’s heads say and what
 * SQLite could use; 0: none; null: some, and it cannot be told how many.
 */
export function judgeLog(facts: {
  readonly noted: { salt: string; frames: number } | null;
  readonly wasOpen: boolean;
  readonly heads: LogHeads | null;
  /** The salt after opening; another process may have begun a new log meanwhile. */
  readonly saltNow: string | null;
  readonly used: number;
}): number | null {
  const { noted, heads, used } = facts;
  if (heads === null || heads.bytes === 0) return facts.wasOpen && noted !== null ? noted.frames : 0;
  if (heads.salt === null) return noted?.frames ?? null;
  if (facts.saltNow !== null && facts.saltNow !== heads.salt) return 0;
  const expected = Math.max(heads.committed, noted?.salt === heads.salt ? noted.frames : 0);
  return Math.max(0, expected - used);
}
