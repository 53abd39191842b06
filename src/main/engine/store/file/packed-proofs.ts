/** The last entry of a team's log that an event's author had read: its number, and the chain's hash there. */
export type SeenEntry = ReturnType<typeof unpackSeen>;

/** The proof of who wrote an imported event. Together with the event's content it yields the signed header. */
export interface EventProof {
  readonly certificate: string;
  /** The signed time and position, which may differ from those by which the event is ordered here. */
  readonly at: string;
  readonly seen: SeenEntry | null;
  /** The tags of its header; null: it has too many claims for tags. */
  readonly tags: string | null;
  /** 16 bytes, as base64url; empty where the team removed content of the event. */
  readonly salt: string;
  /** 64 bytes, as base64url. */
  readonly signature: string;
}

/** The version of the format, with which a packed proof begins. */
const newestVersion = 2;
const [timeBytes, signatureBytes, certificateChars, numberBytes, hashBytes] = [6, 64, 22, 8, 32];
/** A tag is 12 bytes. In place of their number, `noTags` means null. */
const [tagBytes, noTags] = [12, 255];

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Packs the number in 8 bytes, followed by the hash in 32. */
export function packSeen({ number, hash }: SeenEntry): Buffer {
  // Not from Node's pool: all of the pool would be copied to another thread with it.
  const bytes = Buffer.alloc(numberBytes + hashBytes);
  bytes.writeBigUInt64BE(BigInt(number));
  bytes.write(hash, numberBytes, 'base64url');
  return bytes;
}

export function unpackSeen(packed: Uint8Array) {
  const bytes = toBuffer(packed);
  return {
    number: Number(bytes.readBigUInt64BE()),
    hash: bytes.toString('base64url', numberBytes, numberBytes + hashBytes),
  };
}

/**
 * Packs a proof into less than half of its length as text: the version, the time in milliseconds (6 bytes), the
 * signature, the certificate's ID as text, what was seen (only the number 0 for nothing), the number of tags (1 byte)
 * and the tags, and the salt.
 */
export function packProof({ certificate, at, seen, tags, salt, signature }: EventProof): Buffer {
  const seenBytes = seen === null ? Buffer.alloc(numberBytes) : packSeen(seen);
  const tagged = Buffer.from(tags ?? '', 'base64url');
  const count = tags === null ? noTags : tagged.length / tagBytes;
  const ending = Buffer.concat([Buffer.of(count), tagged, Buffer.from(salt, 'base64url')]);
  const fixed = 1 + timeBytes + signatureBytes + certificateChars;
  // From Node's pool, so that a page of proofs is sent to another thread in few buffers.
  const bytes = Buffer.allocUnsafe(fixed + seenBytes.length + ending.length);
  bytes.writeUInt8(newestVersion);
  bytes.writeUIntBE(Date.parse(at), 1, timeBytes);
  bytes.write(signature, 1 + timeBytes, 'base64url');
  bytes.write(certificate, 1 + timeBytes + signatureBytes, 'latin1');
  seenBytes.copy(bytes, fixed);
  ending.copy(bytes, fixed + seenBytes.length);
  return bytes;
}

export function unpackProof(packed: Uint8Array): EventProof {
  const bytes = toBuffer(packed);
  let at = 1;
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const time = take(timeBytes).readUIntBE(0, timeBytes);
  const signature = take(signatureBytes).toString('base64url');
  const certificate = take(certificateChars).toString('latin1');
  const isSeen = bytes.readBigUInt64BE(at) > 0n;
  const seen = take(isSeen ? numberBytes + hashBytes : numberBytes);
  const count = take(1)[0] as number;
  const tags = count === noTags ? null : take(count * tagBytes).toString('base64url');
  return {
    certificate,
    at: new Date(time).toISOString(),
    signature,
    tags,
    seen: isSeen ? unpackSeen(seen) : null,
    salt: bytes.toString('base64url', at),
  };
}

/** Reads only the certificate, which every event of a list needs. */
export const certificateOf = (packed: Uint8Array): string => {
  const from = 1 + timeBytes + signatureBytes;
  return toBuffer(packed).toString('latin1', from, from + certificateChars);
};

/** Converts a journal's base64 to the bytes in the file. */
export const toStored = (kept: unknown): Buffer | null =>
  typeof kept === 'string' ? Buffer.from(kept, 'base64') : ((kept ?? null) as Buffer | null);
