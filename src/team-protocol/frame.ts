import { maxPageEntries } from './api.ts';
import { type Entry, headerOf, maxHeaderBytes, maxSealedBytes } from './entry.ts';
import { signatureBytes } from './sign-entry.ts';

/** Written instead of the length of a part that is not in the frame. */
const absent = 0xff_ff_ff_ff;
const lengthBytes = 4;
const numberBytes = 8;
const hashBytes = 32;

const lengthOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(lengthBytes);
  bytes.writeUInt32BE(value);
  return bytes;
};

/**
 * An entry as bytes: the length of the rest; the length of the header, the header, the signature; the length of the
 * head, the head; then length and content of each part, in the order of the header. Each length is 4 bytes, big-endian.
 */
export function writeFrame({ header, signature, head, parts }: Entry): Buffer {
  const text = Buffer.from(header, 'utf8');
  const body = Buffer.concat([
    lengthOf(text.length),
    text,
    signature,
    lengthOf(head.length),
    head,
    ...parts.flatMap((part) => (part === null ? [lengthOf(absent)] : [lengthOf(part.length), part])),
  ]);
  return Buffer.concat([lengthOf(body.length), body]);
}

class FrameError extends Error {}

/** Reads lengths and the bytes that follow them. @throws FrameError beyond the end */
function readerOf(bytes: Uint8Array) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > view.length - at) throw new FrameError();
    at += length;
    return view.subarray(at - length, at);
  };
  return { take, takeLength: () => take(lengthBytes).readUInt32BE(), isAtEnd: () => at === view.length };
}

/** Reads the body of a frame; null where the header is not valid or the frame does not have the parts that it lists. */
function readBody(body: Uint8Array): Entry | null {
  const { take, takeLength, isAtEnd } = readerOf(body);
  try {
    const headerLength = takeLength();
    if (headerLength > maxHeaderBytes) return null;
    const signed = { header: take(headerLength).toString('utf8'), signature: take(signatureBytes) };
    const header = headerOf(signed);
    if (header === null) return null;
    const takeContent = (length: number): Buffer => {
      if (length > maxSealedBytes) throw new FrameError();
      return take(length);
    };
    const head = takeContent(takeLength());
    const parts = header.parts.map(() => {
      const length = takeLength();
      return length === absent ? null : takeContent(length);
    });
    // `signed` is changed, not copied, because its header is cached by object.
    return isAtEnd() ? Object.assign(signed, { head, parts }) : null;
  } catch {
    return null;
  }
}

/**
 * Reads consecutive frames; an element is null where its frame is not an entry. Null where the bytes end within a
 * frame, or there are more than `maxCount` frames.
 */
export function readFrames(bytes: Uint8Array, maxCount: number): (Entry | null)[] | null {
  const { take, takeLength, isAtEnd } = readerOf(bytes);
  const entries: (Entry | null)[] = [];
  try {
    while (!isAtEnd()) {
      if (entries.length === maxCount) return null;
      entries.push(readBody(take(takeLength())));
    }
  } catch {
    return null;
  }
  return entries;
}

/** An entry with its number in the team, and the chain's hash after it. */
export interface NumberedEntry extends Entry {
  readonly number: number;
  readonly hash: string;
}

/** The number (8 bytes), the chain's hash (32), and the entry's frame. */
export function writeNumbered(entry: NumberedEntry): Buffer {
  const number = Buffer.alloc(numberBytes);
  number.writeBigUInt64BE(BigInt(entry.number));
  return Buffer.concat([number, Buffer.from(entry.hash, 'base64url'), writeFrame(entry)]);
}

/** Whether a page of numbered entries ends within one, as where a proxy cut it off. */
export function isCutOff(bytes: Uint8Array): boolean {
  const { take, takeLength, isAtEnd } = readerOf(bytes);
  try {
    while (!isAtEnd()) {
      take(numberBytes + hashBytes);
      take(takeLength());
    }
    return false;
  } catch {
    return true;
  }
}

/**
 * Reads a page of numbered entries; null where one of them is broken or there are more than a page has, so that nothing of
 * the page is used.
 */
export function readNumbered(bytes: Uint8Array): NumberedEntry[] | null {
  const { take, takeLength, isAtEnd } = readerOf(bytes);
  const entries: NumberedEntry[] = [];
  try {
    while (!isAtEnd()) {
      if (entries.length === maxPageEntries) return null;
      const number = Number(take(numberBytes).readBigUInt64BE());
      const hash = take(hashBytes).toString('base64url');
      const entry = readBody(take(takeLength()));
      if (entry === null || !Number.isSafeInteger(number)) return null;
      entries.push(Object.assign(entry, { number, hash }));
    }
  } catch {
    return null;
  }
  return entries;
}
