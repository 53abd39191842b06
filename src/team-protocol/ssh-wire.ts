/** Reads the binary form of SSH (RFC 4251, section 5): big-endian numbers, strings preceded by their length. */
export type SshReader = {
  readUint32(): number;
  readString(): Buffer;
  readText(): string;
  readRest(): Buffer;
};

/** Opens bytes for reading. Its methods throw a plain error where bytes are missing. */
export function createSshReader(bytes: Buffer): SshReader {
  let offset = 0;
  const take = (length: number): Buffer => {
    if (length > bytes.length - offset) throw new Error('The key ends in the middle of a field.');
    const taken = bytes.subarray(offset, offset + length);
    offset += length;
    return taken;
  };
  const readUint32 = () => take(4).readUInt32BE(0);
  const readString = () => take(readUint32());
  return {
    readUint32,
    readString,
    readText: () => readString().toString('latin1'),
    readRest: () => take(bytes.length - offset),
  };
}

/**
 * A string preceded by its length.
 * @example toSshString('ab') // Buffer.from([0, 0, 0, 2, 97, 98])
 */
export function toSshString(content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** @example toSshUint32(258) // Buffer.from([0, 0, 1, 2]) */
export function toSshUint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
