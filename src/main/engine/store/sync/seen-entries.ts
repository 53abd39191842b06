import { createHash } from 'node:crypto';

/** 1 byte for the kind, 8 bytes for the key (a double), 16 bytes for the digest of the record. */
const entryBytes = 25;

export interface SeenEntry {
  /** False for what was set aside; its key is then made from its digest. */
  readonly isRecord: boolean;
  readonly key: number;
  readonly digest: Uint8Array;
}

/** The entries of a page, packed: a million records take 25 MB instead of a million rows. */
export function packEntries(entries: readonly SeenEntry[]): Buffer {
  const packed = Buffer.alloc(entries.length * entryBytes);
  for (const [index, entry] of entries.entries()) {
    const at = index * entryBytes;
    packed.writeUInt8(entry.isRecord ? 0 : 1, at);
    packed.writeDoubleBE(entry.key, at + 1);
    packed.set(entry.digest, at + 9);
  }
  return packed;
}

/** Calls back with each entry's kind and key, in the order in which they came. */
export function forEachKey(packed: Buffer, visit: (isRecord: boolean, key: number) => void): void {
  for (let at = 0; at < packed.length; at += entryBytes) visit(packed[at] === 0, packed.readDoubleBE(at + 1));
}

/**
 * How many different entries the pages of a pass contained, and a digest over (kind, key, digest) in order of keys:
 * equal for two passes exactly where both received the same set. Of a key received twice, the later digest counts.
 */
export function digestEntries(pages: readonly Buffer[]): { count: number; digest: string } {
  const packed = Buffer.concat(pages);
  const total = packed.length / entryBytes;
  const keys = new Float64Array(total);
  for (let index = 0; index < total; index += 1) keys[index] = packed.readDoubleBE(index * entryBytes + 1);
  const kindOf = (index: number): number => packed[index * entryBytes] as number;
  const order = Uint32Array.from({ length: total }, (_none, index) => index);
  const compare = (a: number, b: number): number =>
    kindOf(a) - kindOf(b) || (keys[a] as number) - (keys[b] as number) || a - b;
  // Most services list by id already, and sorting a million takes a second.
  if (!order.every((index) => index === 0 || compare(index - 1, index) < 0)) order.sort(compare);

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
