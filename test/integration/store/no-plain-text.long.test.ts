import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { fuzzRuns, testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const program = fileURLToPath(new URL('../../support/sort-program.ts', import.meta.url));
/** Two hundred made-up names share this stem, which is searched for, so that no part of one is missed. */
const stem = 'Zqxplantedname';
const names = Array.from({ length: 200 }, (_none, index) => `${stem}${String(index).padStart(3, '0')}`);

/** Bytes of every regular file that a process has open, those without a name included. */
function readOpenFiles(pid: number): { target: string; bytes: Buffer }[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((fd) => {
    try {
      const path = join(folder, fd);
      if (!statSync(path).isFile()) return [];
      return [{ target: fd, bytes: readFileSync(path) }];
    } catch {
      return [];
    }
  });
}

test('while records are written and sorted, no file of any kind holds a name in plain form', async () => {
  const folder = makeTempFolder();
  const [profile, temporary] = [join(folder, 'profile'), join(folder, 'temp')];
  for (const path of [profile, temporary]) mkdirSync(path);
  const key = testBytes(32);
  const count = Math.min(fuzzRuns(24), 300) * 1_000;
  const child = spawn(
    process.execPath,
    [program, join(profile, 'records.db'), key.toString('hex'), String(count), names.join(',')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: temporary, SQLITE_TMPDIR: temporary, NODE_NO_WARNINGS: '1' },
    },
  );
  let said = '';
  child.stdout.on('data', (text) => {
    said += String(text);
  });
  const closed = once(child, 'close');
  let isOver = false;
  void closed.then(() => {
    isOver = true;
  });
  let scenarios = 0;
  let seenBytes = 0;
  while (!isOver) {
    const open = readOpenFiles(child.pid ?? 0);
    for (const { target, bytes } of open) {
      seenBytes += bytes.length;
      expect(findPlain(bytes, [stem]), `descriptor ${target}`).toEqual([]);
    }
    for (const path of [...listFiles(profile), ...listFiles(temporary)]) {
      try {
        expect(findPlain(readFileSync(path), [stem]), path).toEqual([]);
      } catch (thrown) {
        // A log may go between listing and reading.
        if ((thrown as { code?: string }).code !== 'ENOENT') throw thrown;
      }
    }
    if (said.includes('sorting')) scenarios += 1;
    // It sorts until it has been looked at often enough, however fast either of the two is.
    if (scenarios === 4) child.stdin?.end();
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 300))]);
  }
  expect(said).toMatch(/sorted [1-9]/);
  expect(scenarios, 'scenarios during the sorts').toBeGreaterThan(2);
  expect(seenBytes).toBeGreaterThan(1_000_000);
  expect(readdirSync(temporary)).toEqual([]);

  // The same search finds what is there.
  for (const encoding of ['utf8', 'utf16le', 'base64'] as const) {
    const text =
      encoding === 'base64' ? Buffer.from(`a ${names[7]} b`).toString('base64') : `a ${names[7]} b`;
    const path = join(profile, `control-${encoding}`);
    writeFileSync(path, Buffer.from(text, encoding === 'base64' ? 'utf8' : encoding));
    expect(findPlain(readFileSync(path), [stem]), encoding).toEqual([stem]);
  }
});
