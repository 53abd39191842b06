import { open, readFile } from 'node:fs/promises';

const chunkBytes = 256 * 1024;
const overlapBytes = 4096;
const nothing = Buffer.alloc(chunkBytes + overlapBytes);

/**
 * Which of these texts are in the memory of a running process, as UTF-8 or UTF-16 (on Linux). Texts have to be plain
 * ASCII. Reads every region that the process can write to.
 */
export async function findInMemory(pid: number, texts: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const wide = new Map(texts.map((text) => [[...text].join('\0'), text]));
  const quote = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp([...texts, ...wide.keys()].map(quote).join('|'), 'g');
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const memory = await open(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of maps.split('\n')) {
      const [, from = '', to = '', rights = ''] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
      if (!rights.startsWith('rw')) continue;
      const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
      for (let at = start; at < end; at += chunkBytes) {
        const buffer = Buffer.alloc(Math.min(chunkBytes + overlapBytes, end - at));
        // A region may have been unmapped since the list was read.
        const read = await memory.read(buffer, 0, buffer.length, at).catch(() => null);
        if (read === null || read.bytesRead === 0) continue;
        // Most of the allocated memory was never written to.
        if (buffer.equals(nothing.subarray(0, buffer.length))) continue;
        for (const [match] of buffer.toString('latin1', 0, read.bytesRead).matchAll(pattern))
          found.add(wide.get(match) ?? match);
      }
    }
  } finally {
    await memory.close();
  }
  return [...found];
}
