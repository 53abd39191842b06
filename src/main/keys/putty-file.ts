import { DeskError } from '../lib/errors.ts';

/** The fields of a PuTTY key file; only their form is checked. Texts are latin1. */
export type PuttyFile = {
  version: 2 | 3;
  type: string;
  encryption: string;
  comment: string;
  publicBlob: Buffer;
  privateBlob: Buffer;
  mac: Buffer;
  argon: { flavor: string; memoryKib: number; passes: number; parallelism: number; salt: Buffer } | null;
};

const maxLines = 1000;

export const isPuttyFile = (text: string): boolean => /^\s*PuTTY-User-Key-File-\d+:/.test(text);

/**
 * Splits a PuTTY key file into its fields.
 * @throws DeskError `key.cipherUnsupported` for other versions of the format, `key.notAKey` if it is incomplete
 */
export function parsePuttyFile(text: string): PuttyFile {
  const lines = text.split(/\r\n|\r|\n/);
  const fields = new Map<string, string>();
  const blobs = new Map<string, Buffer>();
  for (let index = 0; index < lines.length; index += 1) {
    const match = /^\s*([A-Za-z0-9-]+): ?(.*)$/.exec(lines[index] ?? '');
    if (match === null) continue;
    const [, name = '', value = ''] = match;
    if (!/^(Public|Private)-Lines$/.test(name)) {
      fields.set(name, value);
      continue;
    }
    const { blob, nextIndex } = readBlob(lines, index + 1, toCount(value, maxLines));
    blobs.set(name, blob);
    index = nextIndex - 1;
  }

  const [marker = ''] = fields.keys();
  const version = Number(/^PuTTY-User-Key-File-(\d+)$/.exec(marker)?.[1]);
  if (version !== 2 && version !== 3) throw new DeskError('key.cipherUnsupported');
  const field = (name: string) => fields.get(name)?.trim() ?? missing();
  return {
    version,
    type: field(marker),
    encryption: field('Encryption'),
    // Not trimmed, since the checksum covers it.
    comment: fields.get('Comment') ?? missing(),
    publicBlob: blobs.get('Public-Lines') ?? missing(),
    privateBlob: blobs.get('Private-Lines') ?? missing(),
    mac: toBytes(field('Private-MAC')),
    argon: fields.has('Key-Derivation')
      ? {
          flavor: field('Key-Derivation'),
          memoryKib: toCount(field('Argon2-Memory'), 2 ** 31),
          passes: toCount(field('Argon2-Passes'), 2 ** 31),
          parallelism: toCount(field('Argon2-Parallelism'), 2 ** 31),
          salt: toBytes(field('Argon2-Salt')),
        }
      : null,
  };
}

/** Reads the stated number of lines; blank ones that a mail program inserted do not count. */
function readBlob(lines: string[], from: number, count: number): { blob: Buffer; nextIndex: number } {
  const taken: string[] = [];
  let index = from;
  for (; taken.length < count && index < lines.length; index += 1) {
    const line = (lines[index] ?? '').replace(/\s+/g, '');
    if (line !== '') taken.push(line);
  }
  const body = taken.join('');
  if (taken.length < count || !/^[A-Za-z0-9+/]*={0,2}$/.test(body)) missing();
  return { blob: Buffer.from(body, 'base64'), nextIndex: index };
}

function toCount(value: string, max: number): number {
  const count = /^\s*\d{1,10}\s*$/.test(value) ? Number(value) : 0;
  return count >= 1 && count <= max ? count : missing();
}

const toBytes = (hex: string): Buffer =>
  /^(?:[0-9A-Fa-f]{2})+$/.test(hex) ? Buffer.from(hex, 'hex') : missing();

function missing(): never {
  throw new DeskError('key.notAKey');
}
