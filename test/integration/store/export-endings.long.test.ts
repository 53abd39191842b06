import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportFormat } from '../../../src/contract/export.ts';
import { exportColumnsOf } from '../../../src/contract/export-columns.ts';
import { type OutputFile, openOutputFile } from '../../../src/main/engine/export/output-file.ts';
import { runExport } from '../../../src/main/engine/export/run-export.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { createWriteOperations } from '../../../src/main/engine/store/threads/operations.ts';
import { readFileSignature, signFileDigest } from '../../../src/main/keys/file-signature.ts';
import { generatePrivateJwk } from '../../../src/main/keys/generate-key.ts';
import { DeskError } from '../../../src/main/lib/errors.ts';
import { SandboxClock } from '../../../src/sandbox/clock.ts';
import { World } from '../../../src/sandbox/data/world.ts';
import { testBytes } from '../../support/seeds.ts';
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts';
import { makeSharedFolder } from '../../support/temp-folder.ts';

const claims = 5_000;
const key = testBytes(32);
const folder = makeSharedFolder();
const filePath = join(folder, 'records.db');
const program = join(import.meta.dirname, '../../support/export-program.ts');
const source = { kind: 'list' as const, query: { entity: 'claims' as const } };
const columns = exportColumnsOf(source).slice(0, 20);
const signingKey = await generatePrivateJwk('ed25519');

beforeAll(() => {
  const connection = openRecords(filePath, Buffer.from(key));
  migrate(connection);
  const write = createWriteOperations(connection);
  const world = new World({ seed: 2, members: 200, claims, order: 'asc' }, new SandboxClock(20_000));
  for (let from = 0; from < claims; from += 1_000) {
    const data = Array.from({ length: 1_000 }, (_none, index) => world.claimAt(from + index));
    write.ingestPage({
      kind: 'claims',
      body: Buffer.from(JSON.stringify({ data })),
      pass: 1,
      page: 1 + from / 1_000,
      seenAt: '2026-01-02T03:04:05.000Z',
      requestId: null,
      isPartOfPass: false,
    });
  }
  connection.close();
});

const run = (
  format: ExportFormat,
  outPath: string,
  signal = new AbortController().signal,
  onRows?: () => void,
  nowMs = 0,
  sign = async (sha512: string) => signFileDigest(signingKey, Buffer.from(sha512, 'hex')),
) =>
  runExport({
    exportId: 'e',
    filePath,
    key,
    source,
    format,
    columns,
    isSsnShown: false,
    outPath,
    sign,
    workspaceId: 'test',
    by: null,
    reason: null,
    clock: { now: () => nowMs },
    signal,
    onProgress: () => onRows?.(),
  });

/** Whether a file is a whole export: it is what was signed. */
function isWhole(path: string): boolean {
  const digestOf = (name: string): Buffer => createHash(name).update(readFileSync(path)).digest();
  const digests = { sha256: digestOf('sha256'), sha512: digestOf('sha512') };
  return readFileSignature(readFileSync(`${path}.sig`, 'utf8'))?.isOf(digests) === true;
}

/** Kills the exporting process when it has printed so many lines; resolves when it has ended. */
function killAt(line: number, outPath: string, format: ExportFormat): Promise<void> {
  const child = spawn(process.execPath, [program, filePath, key.toString('hex'), outPath, format], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let seen = 0;
  createInterface({ input: child.stdout }).on('line', () => {
    seen += 1;
    if (seen === line) child.kill('SIGKILL');
  });
  return new Promise((fulfil) => child.once('exit', () => fulfil()));
}

describe('a process that is killed while it exports', () => {
  test.each([
    ['csv', 1],
    ['csv', 3],
    ['xlsx', 2],
    ['xlsx', 4],
    ['csv', 99],
  ] as const)('%s, at line %i: the old file or the whole new one', async (format, line) => {
    const outPath = join(folder, `killed-${format}-${line}.${format}`);
    writeFileSync(outPath, 'old');
    await killAt(line, outPath, format);
    const isOld = readFileSync(outPath, 'utf8') === 'old';
    if (line === 99) expect(isOld).toBe(false);
    // A file is put in its place before its signature.
    const isNew = !isOld && readdirSync(folder).includes(`${outPath.split('/').at(-1)}.sig`);
    if (isNew) expect(isWhole(outPath)).toBe(true);
    else if (!isOld) expect(readFileSync(outPath).length).toBeGreaterThan(100_000);
  });
});

test('a target that another program holds open is export.targetBusy, and is unchanged', async () => {
  const disk = mountSmallDisk(3);
  const outPath = join(disk.path, 'claims.csv');
  writeFileSync(outPath, 'old');
  // Nothing can be renamed over what is mounted: EBUSY, as on Windows for a file that is open.
  execFileSync('mount', ['--bind', outPath, outPath]);
  try {
    await expect(run('csv', outPath)).rejects.toMatchObject({ code: 'export.targetBusy' });
    expect(readdirSync(disk.path)).toEqual(['claims.csv']);
    expect(readFileSync(outPath, 'utf8')).toBe('old');
  } finally {
    execFileSync('umount', [outPath]);
    disk.remove();
  }
});

describe('a disk that fills up', () => {
  let disk: SmallDisk;
  beforeAll(() => {
    disk = mountSmallDisk(3);
  });
  afterAll(() => disk.remove());

  test.each([
    ['csv', 0],
    ['csv', 300],
    ['csv', 700],
    ['xlsx', 100],
    ['xlsx', 500],
  ] as const)('%s, with %i KB left: disk.full, the old file, and nothing else', async (format, left) => {
    const outPath = join(disk.path, `claims.${format}`);
    writeFileSync(outPath, 'old');
    writeFileSync(join(disk.path, 'filler'), Buffer.alloc((3 * 1024 - 8 - left) * 1024));
    await expect(run(format, outPath)).rejects.toMatchObject({ code: 'disk.full' });
    expect(readFileSync(outPath, 'utf8')).toBe('old');
    expect(readdirSync(disk.path).sort()).toEqual([`claims.${format}`, 'filler']);
    rmSync(outPath);
    rmSync(join(disk.path, 'filler'));
  });
});

test.each(['csv', 'xlsx'] as const)('a canceled %s leaves the old file and nothing else', async (format) => {
  const own = mkdtempSync(join(folder, 'canceled-'));
  const outPath = join(own, `claims.${format}`);
  writeFileSync(outPath, 'old');
  const controller = new AbortController();
  const canceled = run(format, outPath, controller.signal, () => controller.abort());
  await expect(canceled).rejects.toMatchObject({ code: 'export.canceled' });
  expect([readdirSync(own), readFileSync(outPath, 'utf8')]).toEqual([[`claims.${format}`], 'old']);
});

test('files left in the folder by killed exports are removed by the next one, an hour after they were last written', async () => {
  const own = mkdtempSync(join(folder, 'leftovers-'));
  const outPath = join(own, 'claims.csv');
  const outputs: OutputFile[] = [];
  const leave = async (name: string): Promise<void> => {
    const output = await openOutputFile(join(own, name));
    outputs.push(output);
    await output.write(Buffer.alloc(70_000));
  };
  for (const name of ['claims.csv', 'claims.xlsx', 'other.csv.sig']) await leave(name);
  const abandoned = readdirSync(own);
  expect(abandoned).toHaveLength(3);
  await leave('running.csv');
  const running = readdirSync(own).filter((name) => !abandoned.includes(name));
  const others = ['.claims.csv.tmp', '.notes.doc.0123456789abcdef.tmp', 'claims.csv.0123456789abcdef.tmp'];
  for (const name of others) writeFileSync(join(own, name), 'x');
  const nowMs = Date.parse('2026-03-02T10:00:00Z');
  const wroteAt = (names: readonly string[], ms: number): void => {
    for (const name of names) utimesSync(join(own, name), ms / 1000, ms / 1000);
  };
  wroteAt([...abandoned, ...others], nowMs - 3_600_000);
  wroteAt(running, nowMs - 3_599_000);
  await run('csv', outPath, undefined, undefined, nowMs);
  expect(readdirSync(own).sort()).toEqual([...running, ...others, 'claims.csv', 'claims.csv.sig'].sort());
  for (const output of outputs) await output.abort();
});

test('an export whose signature can’t be made leaves only the old file', async () => {
  const own = mkdtempSync(join(folder, 'unsigned-'));
  const outPath = join(own, 'claims.csv');
  writeFileSync(outPath, 'old');
  const refused = run('csv', outPath, undefined, undefined, 0, () =>
    Promise.reject(new DeskError('key.damaged')),
  );
  await expect(refused).rejects.toMatchObject({ code: 'key.damaged' });
  expect([readdirSync(own), readFileSync(outPath, 'utf8')]).toEqual([['claims.csv'], 'old']);
});

test('the same rows give the same bytes as CSV', async () => {
  const [one, other] = [
    await run('csv', join(folder, 'one.csv')),
    await run('csv', join(folder, 'other.csv')),
  ];
  expect(one.files[0]?.sha256).toBe(other.files[0]?.sha256);
});
