import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openAtomicFile,
  renameWithRetry,
  sweepTempFiles,
  writeFileAtomic,
  writeFileIfAbsent,
} from '../../../../src/main/lib/atomic-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-atomic-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('an atomic file', () => {
  test('does not exist before the commit, and is complete after it', async () => {
    const path = join(folder, 'out.csv');
    const file = await openAtomicFile(path);
    await file.write('a,b\r\n');
    await file.write(Buffer.from('1,2\r\n'));
    expect(await readdir(folder)).toHaveLength(1);
    expect((await readdir(folder))[0]).toMatch(/^\.out\.csv\.[0-9a-f]{16}\.tmp$/);
    await file.commit();
    expect(await readdir(folder)).toEqual(['out.csv']);
    expect(await readFile(path, 'utf8')).toBe('a,b\r\n1,2\r\n');
    expect(await modeOf(path)).toBe(0o600);
  });

  test('keeps many chunks larger and smaller than its buffer in order', async () => {
    const path = join(folder, 'large');
    const file = await openAtomicFile(path, { mode: 0o640 });
    const chunks = Array.from({ length: 300 }, (_, index) => String(index).repeat(index * 7));
    await Promise.all(chunks.map((chunk) => file.write(chunk)));
    await file.commit();
    expect(await readFile(path, 'utf8')).toBe(chunks.join(''));
    expect(await modeOf(path)).toBe(0o640);
  });

  test.each([5, 64 * 1024, 200_000])(
    'is not affected by what the caller does with a buffer of %i bytes afterwards',
    async (size) => {
      const path = join(folder, 'copied');
      const file = await openAtomicFile(path);
      await file.write('first ');
      const chunk = Buffer.alloc(size, 'a');
      await file.write(chunk);
      chunk.fill('x');
      await file.commit();
      expect(await readFile(path, 'utf8')).toBe(`first ${'a'.repeat(size)}`);
    },
  );

  test('leaves nothing after an abort, and the old content if there was any', async () => {
    const path = join(folder, 'kept');
    await writeFile(path, 'old');
    const file = await openAtomicFile(path);
    await file.write('new');
    await file.abort();
    await file.abort();
    expect(await readdir(folder)).toEqual(['kept']);
    expect(await readFile(path, 'utf8')).toBe('old');
    await expect(file.write('more')).rejects.toThrow('closed');
    await expect(file.commit()).rejects.toThrow('closed');
  });

  test('leaves nothing if the target can’t be replaced', async () => {
    const path = join(folder, 'folder-in-the-way');
    await mkdir(path);
    const file = await openAtomicFile(path);
    await expect(file.commit()).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['folder-in-the-way']);
  });

  test('rejects with the system’s code if the folder is missing', async () => {
    await expect(openAtomicFile(join(folder, 'no', 'file'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('replaces what a symbolic link points to, not the link', async () => {
    await writeFile(join(folder, 'real'), 'old');
    await symlink(join(folder, 'real'), join(folder, 'link'));
    await writeFileAtomic(join(folder, 'link'), 'new');
    expect(await readFile(join(folder, 'real'), 'utf8')).toBe('new');
    expect((await readdir(folder)).sort()).toEqual(['link', 'real']);
  });

  test('accepts names up to the longest that a file system has', async () => {
    const path = join(folder, 'é'.repeat(127));
    await writeFileAtomic(path, 'x');
    expect(await readFile(path, 'utf8')).toBe('x');
  });
});

describe('a rename', () => {
  const failing = (codes: string[]) => {
    let calls = 0;
    const renameFile = async () => {
      const code = codes[calls];
      calls += 1;
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    };
    return { renameFile, count: () => calls };
  };

  test('is tried again while a scanner holds the file', async () => {
    const { renameFile, count } = failing(['EPERM', 'EBUSY', 'EACCES']);
    await renameWithRetry('a', 'b', renameFile);
    expect(count()).toBe(4);
  });

  test('gives up after a while', async () => {
    const { renameFile, count } = failing(Array.from({ length: 50 }, () => 'EBUSY'));
    await expect(renameWithRetry('a', 'b', renameFile)).rejects.toMatchObject({ code: 'EBUSY' });
    expect(count()).toBe(8);
  });

  test('is not tried again for other errors', async () => {
    const { renameFile, count } = failing(['ENOSPC']);
    await expect(renameWithRetry('a', 'b', renameFile)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(count()).toBe(1);
  });
});

test('of many that create one file at once, exactly one succeeds', async () => {
  const path = join(folder, 'one');
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => writeFileIfAbsent(path, `by ${index}`)),
  );
  const winner = made.indexOf(true);
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toBe(`by ${winner}`);
  expect(await readdir(folder)).toEqual(['one']);
});

test('sweeping removes what a killed writer left, and nothing else', async () => {
  const abandoned = await openAtomicFile(join(folder, 'export.csv'));
  await abandoned.write('half');
  const others = ['.bashrc', '.a.tmp', 'a.0123456789abcdef.tmp', 'keep.json'];
  for (const name of others) await writeFile(join(folder, name), 'x');
  expect(await sweepTempFiles(folder)).toBe(1);
  expect((await readdir(folder)).sort()).toEqual([...others].sort());
  expect(await sweepTempFiles(join(folder, 'missing'))).toBe(0);
  await abandoned.abort();
  await chmod(folder, 0o700);
});
