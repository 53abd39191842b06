import { UsageError } from './usage.ts';

const maxBytes = 4000;

/**
 * Reads a passphrase: stdin up to the first newline or its end. Never from an argument or the environment,
 * which other processes can see.
 * @throws UsageError where nothing ends it
 */
export async function readPassphrase(stdin: AsyncIterable<Uint8Array> = process.stdin): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const end = chunk.indexOf(0x0a);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) break;
    if (length > maxBytes) throw new UsageError('the passphrase on stdin has no end');
  }
  // Windows ends lines with two characters.
  return Buffer.concat(chunks).toString('utf8').replace(/\r$/, '');
}
