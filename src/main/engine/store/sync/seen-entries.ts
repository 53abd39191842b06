import { createHash } from 'node:crypto';

/** 1 byte for the kind, 8 bytes for the key (a double), 16 bytes for the digest of the record. */
const entryBytes = 25;

export interface PassEntry {
  /** False for an entry that is not a record; its key is then made from its digest. */
  readonly isRecord: boolean;
  readonly key: number;
  readonly digest: Uint8Array;
}

/** Packs the entries of a page: a million records take 25 MB instead of a million rows. */
export function packEntries(entries: readonly PassEntry[]): Buffer {
  const packed = Buffer.alloc(entries.length * entryBytes);
  for (const [index, entry] of entries.entries()) {
    const at = index * entryBytes;
    packed.writeUInt8(entry.isRecord ? 0 : 1, at);
    packed.writeDoubleBE(entry.key, at + 1);
    packed.set(entry.digest, at + 9);
  }
  return packed;
}

/** Calls `visit` with the kind and key of each entry, in the order of receiving. */
export function forEachKey(packed: Buffer, visit: (isRecord: boolean, key: number) => void): void {
  for (let at = 0; at < packed.length; at += entryBytes) visit(packed[at] === 0, packed.readDoubleBE(at + 1));
}

/**
 * How many different entries the pages of a pass contained, and a digest over (kind, key, digest) in order of keys: it
 * is equal for two passes exactly where both received the same set. For a key that was received twice, the later digest
 * is used. Most services list by ID: then only one page is in memory, and nothing is sorted. Where they do not,
 * `readPages` is called again.
 */
export const digestEntries = (readPages: () => Iterable<Buffer>): { count: number; digest: string } =>
  digestAscending(readPages()) ?? digestSorted(Buffer.concat([...readPages()]));

const kindAt = (packed: Buffer, at: number): number => packed[at] as number;
const keyAt = (packed: Buffer, at: number): number => packed.readDoubleBE(at + 1);

/** The digest of entries whose keys ascend; null where they do not. */
function digestAscending(pages: Iterable<Buffer>): { count: number; digest: string } | null {
  const hash = createHash('sha256');
  let count = 0;
  let [lastKind, lastKey] = [-1, 0];
  for (const packed of pages) {
    for (let at = 0; at < packed.length; at += entryBytes) {
      const [kind, key] = [kindAt(packed, at), keyAt(packed, at)];
      if (kind < lastKind || (kind === lastKind && key <= lastKey)) return null;
      [lastKind, lastKey] = [kind, key];
      count += 1;
    }
    hash.update(packed);
  }
  return { count, digest: hash.digest('hex') };
}

function digestSorted(packed: Buffer): { count: number; digest: string } {
  const total = packed.length / entryBytes;
  const keys = Float64Array.from({ length: total }, (_none, index) => keyAt(packed, index * entryBytes));
  const kindOf = (index: number): number => kindAt(packed, index * entryBytes);
  const order = Uint32Array.from({ length: total }, (_none, index) => index).sort(
    (a, b) => kindOf(a) - kindOf(b) || (keys[a] as number) - (keys[b] as number) || a - b,
  );
  const hash = createHash('sha256');
  let count = 0;
  for (let at = 0; at < total; at += 1) {
    const index = order[at] as number;
    const next = order[at + 1];
    const isSuperseded = next !== undefined && kindOf(next) === kindOf(index) && keys[next] === keys[index];
    if (isSuperseded) continue;
    hash.update(packed.subarray(index * entryBytes, (index + 1) * entryBytes));
    count += 1;
  }
  return { count, digest: hash.digest('hex') };
}
