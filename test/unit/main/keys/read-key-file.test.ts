import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readKeyFile } from '../../../../src/main/keys/read-key-file.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const folder = givenTempProfile();
const at = (name: string) => join(folder(), name);

test('a file is read unchanged', async () => {
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 256));
  await writeFile(at('key'), bytes);
  expect((await readKeyFile(at('key'))).equals(bytes)).toBe(true);
  await writeFile(at('empty'), '');
  expect(await readKeyFile(at('empty'))).toHaveLength(0);
});

test('what is not a file has a code, and a video is not read to its end', async () => {
  await mkdir(at('folder'));
  await writeFile(at('film'), Buffer.alloc(300 * 1024));
  await expect(readKeyFile(at('film'))).rejects.toMatchObject({ code: 'key.notAKey' });
  await expect(readKeyFile(at('none'))).rejects.toMatchObject({
    code: 'key.fileUnreadable',
    details: { reason: 'ENOENT' },
  });
  await expect(readKeyFile(at('folder'))).rejects.toMatchObject({
    code: 'key.fileUnreadable',
    details: { reason: 'EISDIR' },
  });
});
