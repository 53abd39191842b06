import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3-multiple-ciphers';

/** Every file below a folder. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
}

/** The encodings in which a text may be stored in bytes. */
export function formsOf(text: string): Buffer[] {
  const base64 = (prefix: string): Buffer => {
    // The characters at both ends are left out: they depend on the bytes before and after the text.
    const encoded = Buffer.from(prefix + text)
      .toString('base64')
      .replace(/=+$/, '');
    const cut = prefix === '' ? 0 : prefix.length + 1;
    return Buffer.from(encoded.slice(cut, -2));
  };
  return [
    Buffer.from(text, 'utf8'),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
    base64(''),
    base64('x'),
    base64('xx'),
  ];
}

/** Which of the texts are in these bytes, in any encoding. */
export function findPlain(bytes: Buffer, texts: readonly string[]): string[] {
  return texts.filter((text) => formsOf(text).some((form) => bytes.includes(form)));
}

/** The whole content of an encrypted file, including deleted parts of search indexes, as one text in lower case. */
export function readAllDecrypted(filePath: string, key: Buffer): string {
  const connection = new Database(filePath, { readonly: true });
  try {
    connection.pragma("cipher='aegis'");
    connection.pragma(`key="raw:${key.toString('hex')}"`);
    const names = connection
      .prepare("SELECT name FROM sqlite_schema WHERE type='table'")
      .pluck()
      .all() as string[];
    const parts: string[] = [];
    for (const name of names) {
      let rows: unknown[][];
      try {
        rows = connection.prepare(`SELECT * FROM "${name}"`).raw().all() as unknown[][];
      } catch {
        // Virtual tables are skipped; their contents are in other tables, which are read.
        continue;
      }
      for (const row of rows) {
        for (const value of row)
          parts.push(Buffer.isBuffer(value) ? value.toString('latin1') : String(value));
      }
    }
    return parts.join('\n').toLowerCase();
  } finally {
    connection.close();
  }
}
