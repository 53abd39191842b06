import { DeskError } from '../lib/errors.ts';

/** A block between BEGIN and END lines: its label, its bytes, and the old encryption header if it has one. */
export type ArmorBlock = {
  label: string;
  bytes: Buffer;
  encryption: { algorithm: string; parameters: string } | 'none' | 'unknown';
};

const maxFileBytes = 256 * 1024;

/**
 * Decodes a key that the user chose, dropped or pasted: UTF-8, or UTF-16 as Windows editors write it.
 *
 * @throws DeskError `key.notAKey` if it is too large for any key
 */
export function decodeKeyText(bytes: Uint8Array): string {
  if (bytes.length > maxFileBytes) throw new DeskError('key.notAKey');
  const raw = Buffer.from(bytes);
  if (raw[0] === 0xff && raw[1] === 0xfe) return raw.subarray(2).toString('utf16le');
  if (raw[0] === 0xfe && raw[1] === 0xff) {
    return Buffer.from(raw.subarray(2, raw.length - (raw.length % 2)))
      .swap16()
      .toString('utf16le');
  }
  return raw.toString('utf8').replace(/^\uFEFF/, '');
}

/**
 * Finds the armored blocks of a text. Accepts any layout of the same bytes: line ends, widths, indentation, blank
 * lines, blanks within, a missing last newline, everything on one line, text around it.
 * @throws DeskError `key.notAKey` if a block is cut off or its content is not base64
 */
export function findArmorBlocks(text: string): ArmorBlock[] {
  const blocks: ArmorBlock[] = [];
  const begin = /-{4,5}[ \t]*BEGIN[ \t]+([A-Z0-9 ]+?)[ \t]*-{4,5}/g;
  for (const match of text.matchAll(begin)) {
    const label = (match[1] ?? '').replace(/ +/g, ' ');
    const rest = text.slice(match.index + match[0].length);
    const end = new RegExp(`-{4,5}[ \\t]*END[ \\t]+${label.replaceAll(' ', '[ \\t]+')}[ \\t]*-{4,5}`);
    const endAt = rest.search(end);
    if (endAt === -1) throw new DeskError('key.notAKey');
    blocks.push(parseBlock(label, rest.slice(0, endAt)));
  }
  return blocks;
}

const encryptedHeader = /Proc-Type:\s*4\s*,\s*ENCRYPTED/i;
const cipherHeader = /DEK-Info:\s*([A-Za-z0-9-]+)\s*(?:,\s*([0-9A-Fa-f]+))?/i;

function parseBlock(label: string, content: string): ArmorBlock {
  const cipher = cipherHeader.exec(content);
  const isEncrypted = encryptedHeader.test(content) || cipher !== null;
  const body = content
    .replace(encryptedHeader, '')
    .replace(cipherHeader, '')
    // Other headers (`Comment: "…"` of the SSH2 form) are on lines of their own.
    .replace(/^[ \t]*[A-Za-z][A-Za-z0-9-]*:.*$/gm, '')
    .replace(/[\s\u00a0\u200b\ufeff]+/g, '');
  return {
    label,
    bytes: decodeBase64(body),
    encryption: !isEncrypted
      ? 'none'
      : cipher?.[1] === undefined || cipher[2] === undefined
        ? 'unknown'
        : { algorithm: cipher[1].toUpperCase(), parameters: cipher[2].toUpperCase() },
  };
}

function decodeBase64(body: string): Buffer {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body) || body.replace(/=+$/, '').length % 4 === 1)
    throw new DeskError('key.notAKey');
  return Buffer.from(body, 'base64');
}
