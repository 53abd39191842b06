import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded before a program, in each of its threads: kills it before the step with this number among those that change
// files of documents, or the journal that has their events (or the files that CLAIMDESK_KILL_FILES matches), and those that read
// or change how far the audit log was sent.
const step = Number(process.env.CLAIMDESK_KILL_STEP);
const counts = new RegExp(process.env.CLAIMDESK_KILL_FILES ?? '[\\\\/]documents([\\\\/]|$)|\\.journal$');
const isCounted = (path: unknown): boolean => counts.test(String(path));
const counted = new Set<number>();
let steps = 0;
const count = (): void => {
  steps += 1;
  if (steps === step) process.kill(process.pid, 'SIGKILL');
};

const { openSync, closeSync, writeSync, fsyncSync, renameSync, rmSync, mkdirSync } = fs;
Object.assign(fs, {
  openSync(...input: Parameters<typeof openSync>) {
    const isOne = isCounted(input[0]) && input[1] !== 'r';
    if (isOne) count();
    const descriptor = openSync(...input);
    if (isCounted(input[0])) counted.add(descriptor);
    return descriptor;
  },
  closeSync(descriptor: number) {
    counted.delete(descriptor);
    closeSync(descriptor);
  },
  writeSync(descriptor: number, bytes: Buffer, at?: number) {
    if (!counted.has(descriptor)) return writeSync(descriptor, bytes, at);
    count();
    // Half of it arrives, as where a disk is slow.
    const half = writeSync(descriptor, bytes, at ?? 0, Math.ceil((bytes.length - (at ?? 0)) / 2));
    count();
    return half + writeSync(descriptor, bytes, (at ?? 0) + half);
  },
  fsyncSync(descriptor: number) {
    if (counted.has(descriptor)) count();
    fsyncSync(descriptor);
  },
  renameSync(from: string, to: string) {
    if (isCounted(from)) count();
    renameSync(from, to);
  },
  rmSync(...input: Parameters<typeof rmSync>) {
    if (isCounted(input[0])) count();
    rmSync(...input);
  },
  mkdirSync(...input: Parameters<typeof mkdirSync>) {
    if (isCounted(input[0])) count();
    return mkdirSync(...input);
  },
});

const isForwarded = (path: unknown): boolean => String(path).includes('audit-forwarded');
const { open, rename, readFile, rm } = fs.promises;
Object.assign(fs.promises, {
  async open(...input: Parameters<typeof open>) {
    if (!isForwarded(input[0])) return open(...input);
    count();
    const handle = await open(...input);
    const { sync, writeFile } = handle;
    return Object.assign(handle, {
      async writeFile(bytes: Buffer) {
        count();
        // Half of it arrives, as where a disk is slow.
        await handle.write(bytes, 0, Math.ceil(bytes.length / 2));
        count();
        await writeFile.call(handle, bytes.subarray(Math.ceil(bytes.length / 2)));
      },
      sync() {
        count();
        return sync.call(handle);
      },
    });
  },
  async rename(from: string, to: string) {
    if (isForwarded(to) || isCounted(to)) count();
    await rename(from, to);
    if (isForwarded(to)) count();
  },
  readFile(...input: Parameters<typeof readFile>) {
    if (isForwarded(input[0])) count();
    return readFile(...input);
  },
  rm(...input: Parameters<typeof rm>) {
    if (isCounted(input[0])) count();
    return rm(...input);
  },
});
syncBuiltinESMExports();
