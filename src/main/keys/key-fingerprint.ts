import { loadSshpk } from './load-sshpk.ts';

/** The old fingerprint, `MD5:aa:bb:…`, for comparison with systems that show no other. */
export function readMd5Fingerprint(publicKey: string): string {
  return loadSshpk()
    .parseKey(publicKey, 'ssh')
    .fingerprint('md5')
    .toString('hex')
    .replace(/^(?:MD5:)?/i, 'MD5:');
}

const width = 17;
const height = 9;
/** The symbols for how often a field was visited, as OpenSSH draws them; the last two are the start and the end. */
const symbols = ' .o+=*BOX@%&#/^SE';

/**
 * Draws a SHA256 fingerprint as `ssh-keygen -lv` does: a bishop walks over the board, two bits a step. `alternative`
 * is the text for screen readers.
 */
export function drawRandomart(key: { type: string; bits: number; fingerprint: string }): {
  art: string;
  alternative: string;
} {
  const [algorithm = '', digest = ''] = key.fingerprint.split(':');
  const last = symbols.length - 1;
  const board = Array.from({ length: height }, () => new Array<number>(width).fill(0));
  let [x, y] = [Math.floor(width / 2), Math.floor(height / 2)];
  const visit = (value: (old: number) => number) => {
    const row = board[y];
    if (row !== undefined) row[x] = value(row[x] ?? 0);
  };
  for (const byte of Buffer.from(digest, 'base64')) {
    for (const shift of [0, 2, 4, 6]) {
      const bits = byte >> shift;
      x = Math.min(Math.max(x + ((bits & 1) === 1 ? 1 : -1), 0), width - 1);
      y = Math.min(Math.max(y + ((bits & 2) === 2 ? 1 : -1), 0), height - 1);
      visit((old) => Math.min(old + 1, last - 2));
    }
  }
  visit(() => last);
  const start = board[Math.floor(height / 2)];
  // If the walk ends where it began, OpenSSH shows the end.
  if (start !== undefined && start[Math.floor(width / 2)] !== last) start[Math.floor(width / 2)] = last - 1;

  const family = (key.type.split('-')[0] ?? '').toUpperCase();
  const rows = board.map((row) => `|${row.map((value) => symbols[value]).join('')}|`);
  const art = [frame(`[${family} ${key.bits}]`), ...rows, frame(`[${algorithm}]`)].join('\n');
  const groups = digest.match(/.{1,4}/g) ?? [];
  return { art, alternative: `Fingerprint ${algorithm}: ${groups.join(' ')}` };
}

function frame(title: string): string {
  const free = Math.max(width - title.length, 0);
  const before = Math.floor(free / 2);
  return `+${'-'.repeat(before)}${title}${'-'.repeat(free - before)}+`;
}
