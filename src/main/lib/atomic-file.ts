import { randomBytes } from 'node:crypto';
import { type FileHandle, link, open, readdir, realpath, rename, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createSerialQueue } from './serial-queue.ts';

/** A file that becomes visible all at once, or not at all. */
interface AtomicFile {
  /** Resolves when the chunk has been handed to the file system: await it so that memory stays bounded. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Syncs the file to disk and renames it to the target. On failure the target is unchanged. */
  commit(): Promise<void>;
  /** Deletes the temporary file. Does nothing after a commit. */
  abort(): Promise<void>;
}

type AtomicFileOptions = { mode?: number };

const bufferBytes = 64 * 1024;
const tempPattern = /^\..{1,180}\.[0-9a-f]{16}\.tmp$/;
/** Pauses before each further try: a Windows virus scanner holds a fresh file for a moment. About 1 s. */
const renamePausesMs = [10, 20, 40, 80, 160, 320, 400];
const renameRetryCodes = new Set(['EPERM', 'EBUSY', 'EACCES']);

/**
 * Opens a hidden temporary file beside `path` (same folder, so that the rename is atomic) with mode 0600. Rejects with
 * the system's own error (`ENOENT`, `ENOSPC`, …), which each caller translates. Memory: 64 KiB, plus one chunk. If
 * `path` is a symbolic link, its target is replaced.
 */
export async function openAtomicFile(path: string, options: AtomicFileOptions = {}): Promise<AtomicFile> {
  const targetPath = await realpath(path).catch(() => path);
  const tempPath = makeTempPath(targetPath);
  const handle = await open(tempPath, 'wx', 0o600);
  return createAtomicFile(handle, tempPath, targetPath, options.mode);
}

function createAtomicFile(
  handle: FileHandle,
  tempPath: string,
  targetPath: string,
  mode: number | undefined,
): AtomicFile {
  const enqueue = createSerialQueue();
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let state: 'open' | 'failed' | 'closed' = 'open';

  const flush = async () => {
    if (pendingBytes === 0) return;
    const data = Buffer.concat(pending, pendingBytes);
    pending = [];
    pendingBytes = 0;
    await handle.writeFile(data);
  };
  const discard = async () => {
    state = 'closed';
    await handle.close().catch(() => undefined);
    await unlink(tempPath).catch(() => undefined);
  };

  return {
    write: (chunk) =>
      enqueue(async () => {
        if (state !== 'open') throw new Error('This file is closed.');
        const data = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
        try {
          if (pendingBytes + data.length < bufferBytes) {
            // Copied: the caller may reuse its buffer as soon as this resolves.
            pending.push(Buffer.from(data));
            pendingBytes += data.length;
            return;
          }
          await flush();
          await handle.writeFile(data);
        } catch (error) {
          state = 'failed';
          throw error;
        }
      }),
    commit: () =>
      enqueue(async () => {
        if (state !== 'open') throw new Error('This file is closed.');
        try {
          await flush();
          if (mode !== undefined) await handle.chmod(mode);
          await handle.sync();
          await handle.close();
          await renameWithRetry(tempPath, targetPath);
          state = 'closed';
        } catch (error) {
          await discard();
          throw error;
        }
        await syncFolder(dirname(targetPath));
      }),
    abort: () =>
      enqueue(async () => {
        if (state !== 'closed') await discard();
      }),
  };
}

/** Writes a whole small file atomically; the old content stays if anything fails. Mode 0600 unless given. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: AtomicFileOptions = {},
): Promise<void> {
  const file = await openAtomicFile(path, options);
  try {
    await file.write(data);
    await file.commit();
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/**
 * Creates `path` with this content only if it does not exist; true if it was created. The check and the creation are
 * one step (a hard link), so of two processes exactly one gets true, and no reader sees a part of the content. Where
 * the file system has no hard links (FAT), the file is opened exclusively instead.
 */
export async function writeFileIfAbsent(path: string, data: string | Uint8Array): Promise<boolean> {
  const tempPath = makeTempPath(path);
  const handle = await open(tempPath, 'wx', 0o600);
  try {
    await handle.writeFile(data);
    await handle.sync();
    await handle.close();
    await link(tempPath, path).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      const direct = await open(path, 'wx', 0o600);
      await direct.writeFile(data).finally(() => direct.close());
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(tempPath).catch(() => undefined);
  }
  await syncFolder(dirname(path));
  return true;
}

/**
 * Removes temporary files that a killed process left in a folder; resolves to their number. Call it only
 * while holding the write lock: it cannot distinguish a leftover from a file that is being written.
 */
export async function sweepTempFiles(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter((name) => tempPattern.test(name));
  for (const name of leftovers) await unlink(join(folder, name)).catch(() => undefined);
  return leftovers.length;
}

/** Renames, trying again for about a second while a virus scanner or an indexer holds one of the files. */
export async function renameWithRetry(
  from: string,
  to: string,
  renameFile: (from: string, to: string) => Promise<void> = rename,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await renameFile(from, to);
      return;
    } catch (error) {
      const pauseMs = renamePausesMs[attempt];
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (pauseMs === undefined || !renameRetryCodes.has(code)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function makeTempPath(targetPath: string): string {
  // Shortened to stay under the 255 bytes that most file systems allow for a name.
  const name = Buffer.from(basename(targetPath), 'utf8')
    .subarray(0, 160)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
  return join(dirname(targetPath), `.${name}.${randomBytes(8).toString('hex')}.tmp`);
}

/** Syncs a folder: without it, a power failure can undo a rename. Windows cannot open folders and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}
