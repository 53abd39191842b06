/** The marks at the beginning of a text that name its encoding. */
const marks = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** UTF-16 without a mark: every other byte of the ASCII characters is 0. Null where it is another encoding. */
function findWide(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const first = bytes.subarray(0, 200);
  const zeros = [0, 0];
  for (const [at, byte] of first.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1;
  const most = first.length * 0.4;
  if ((zeros[1] as number) >= most && zeros[0] === 0) return 'utf-16le';
  return (zeros[0] as number) >= most && zeros[1] === 0 ? 'utf-16be' : null;
}

/**
 * The text of a file in UTF-8, UTF-16 or, where it is not valid UTF-8, Windows-1252, as Excel saves CSV files. All line ends become
 * `\n`, so that lines are counted the same everywhere. Null where it is no text: it has a NUL character.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const marked = marks.find((mark) => mark.bytes.every((byte, at) => bytes[at] === byte))?.encoding;
  const encoding = marked ?? findWide(bytes);
  const decode = (name: string, fatal: boolean): string => new TextDecoder(name, { fatal }).decode(bytes);
  let text: string;
  try {
    text = decode(encoding ?? 'utf-8', true);
  } catch {
    if (encoding !== null && encoding !== 'utf-8') return null;
    text = decode('windows-1252', false);
  }
  return text.includes('\0') ? null : text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}
