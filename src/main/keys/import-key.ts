import { DeskError } from '../lib/errors.ts';
import { type ArmorBlock, decodeKeyText, findArmorBlocks } from './import-armor.ts';
import { importOpenSshKey } from './import-openssh.ts';
import { importPemKey, pemLabels } from './import-pem.ts';
import { importPuttyKey } from './import-putty.ts';
import type { PrivateJwk } from './private-jwk.ts';
import { isPuttyFile } from './putty-file.ts';

/** A private key from a file, and its comment ('' where the format has none). */
export type ParsedKey = { jwk: PrivateJwk; comment: string };

/**
 * Reads a private key in any common format: OpenSSH, PKCS#8, PKCS#1, SEC1, PuTTY 2 and 3, with or without a
 * passphrase. Runs in a worker thread (`key-worker.ts`), never in the main thread: a hostile file may crash a parser,
 * and key derivation takes time.
 * @throws DeskError `key.publicGiven`, `key.notAKey`, and what the reader of the format throws
 */
export async function importKey(bytes: Uint8Array, passphrase: string | null): Promise<ParsedKey> {
  const given = passphrase === '' ? null : passphrase;
  const text = decodeKeyText(bytes);
  try {
    if (isPuttyFile(text)) return await importPuttyKey(toLatin1(bytes, text), given);
    const blocks = findArmorBlocks(text);
    const block = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'));
    if (block !== undefined) return importBlock(block, given);
    throw new DeskError(isPublic(text, blocks) ? 'key.publicGiven' : 'key.notAKey');
  } catch (error) {
    if (error instanceof DeskError) throw error;
    // A field that ends too early, a number out of range: parsers throw any error for damaged bytes.
    throw new DeskError('key.notAKey', { cause: (error as Error).name });
  }
}

function importBlock(block: ArmorBlock, passphrase: string | null): ParsedKey {
  if (block.label === 'OPENSSH PRIVATE KEY') return importOpenSshKey(block.bytes, passphrase);
  if (pemLabels.has(block.label)) return { jwk: importPemKey(block, passphrase), comment: '' };
  if (block.label === 'DSA PRIVATE KEY') throw new DeskError('key.dsaRefused');
  // The format of ssh.com and Tectia, and anything else labeled as a private key.
  if (block.label.startsWith('SSH2 ')) throw new DeskError('key.cipherUnsupported');
  throw new DeskError('key.notAKey');
}

const publicLine =
  /(?:^|\s)(?:ssh-(?:rsa|ed25519|dss|ed448)|(?:sk-)?(?:ecdsa|ssh)-[a-z0-9@.-]+)\s+AAAA[A-Za-z0-9+/]/;

const isPublic = (text: string, blocks: readonly ArmorBlock[]): boolean =>
  blocks.some(({ label }) => label.endsWith('PUBLIC KEY')) || publicLine.test(text);

/** PuTTY files are read as bytes, unless an editor saved them as UTF-16. */
function toLatin1(bytes: Uint8Array, text: string): string {
  const isWide = bytes[0] === 0xff || bytes[0] === 0xfe;
  return isWide
    ? text
    : Buffer.from(bytes)
        .toString('latin1')
        .replace(/^\u00ef\u00bb\u00bf/, '');
}
