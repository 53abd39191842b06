import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreProgress } from '../../../../contract/store.ts';
import { DeskError, toDeskError } from '../../../lib/errors.ts';
import type { InputOf, OutputOf } from '../../../lib/function-types.ts';
import type { ListOperations } from '../query/list-operations.ts';
import type { ListKind } from '../record/list-kind.ts';
import type { PackedPage } from '../record/prepare-page.ts';
import type { ReadOperations, WriteOperations } from './operations.ts';
import { type StoreThread, startStoreThread } from './store-thread.ts';

/** The encrypted records of one workspace: one writer and several readers, each in a thread. */
export interface Store {
  write<N extends keyof WriteOperations>(
    name: N,
    input: InputOf<WriteOperations[N]>,
    transfer?: ArrayBuffer[],
  ): Promise<OutputOf<WriteOperations[N]>>;
  read<N extends keyof ReadOperations>(
    name: N,
    input: InputOf<ReadOperations[N]>,
  ): Promise<OutputOf<ReadOperations[N]>>;
  /** Whether the thread of `list` was started. */
  readonly hasLister: boolean;
  /** Makes lists and groups, in the one thread that has columns in memory. */
  list<N extends keyof ListOperations>(
    name: N,
    input: InputOf<ListOperations[N]>,
  ): Promise<OutputOf<ListOperations[N]>>;
  /**
   * Prepares a page in a separate thread. The body is transferred to it and back.
   * @throws DeskError `service.badReply` where it is not a page
   */
  prepare(kind: ListKind, body: Uint8Array, requestId: string | null): Promise<PackedPage>;
  /** Ends the thread of `prepare` and frees its memory (about 50 MB); the next page starts a new one. */
  endPreparing(): Promise<void>;
  close(): Promise<void>;
}

interface StoreOptions {
  readonly filePath: string;
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** A process without the write lock of the profile has no writer. */
  readonly isReadOnly: boolean;
  readonly readers: number;
  /** Reports the progress of a backup and a migration before the store is open. */
  readonly onProgress?: (progress: StoreProgress) => void;
}

/** How long a read waits for a busy reader before another is started, which takes 100 ms of processor time. */
const busyMs = 50;

/**
 * Rewrites records that an older version stored in a different form, step by step between other calls. Closing stops
 * it, and the next opening continues. The first few hundred are written before the store is open; usually there are no
 * more.
 */
async function writeAgain(writer: StoreThread): Promise<void> {
  const step = async (): Promise<boolean> => (await writer.call('writeAgain', null)) === true;
  const rest = async (): Promise<void> => {
    while (await step());
  };
  if (await step()) rest().catch(() => undefined);
}

/**
 * Opens the records of a workspace, creating the file where there is none.
 * @throws DeskError `store.wrongKey`, `store.damaged`, `store.newer`, `store.unreadable`, `disk.full`; `store.empty`
 * where a read-only process finds no file; `profile.busy` for a write to a store that was opened for reading
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { filePath, key } = options;
  let writer: StoreThread | null = null;
  if (!options.isReadOnly) {
    await mkdir(dirname(filePath), { recursive: true, mode: 0o700 }).catch((thrown) => {
      throw toDeskError(thrown);
    });
    writer = await startStoreThread({ filePath, key, role: 'writer' }, undefined, options.onProgress);
    // A failure is reported when the writer is next used.
    await writeAgain(writer).catch(() => undefined);
    writer.call('buildIndexes', null).catch(() => undefined);
  } else if (!existsSync(filePath)) throw new DeskError('store.empty');

  const readers: StoreThread[] = [];
  let lister: Promise<StoreThread> | null = null;
  let parser: Promise<StoreThread> | null = null;
  let starting: Promise<StoreThread> | null = null;
  /** Settles when the most recent read has ended. */
  let lastRead = Promise.resolve();
  const findIdle = () => readers.find((reader) => reader.waiting === 0);
  /** Waits a moment while the only reader is busy; another read may take it first. */
  const waitForReader = async (): Promise<void> => {
    if (readers.length !== 1 || options.readers === 1) return;
    let isOver = false;
    const patience = sleep(busyMs, null, { ref: false }).then(() => {
      isOver = true;
    });
    while (findIdle() === undefined && !isOver) await Promise.race([lastRead, patience]);
  };
  /** The least busy reader; while all are busy, another one is started, up to the limit. */
  const pickBusyReader = async (): Promise<StoreThread> => {
    if (readers.length >= options.readers)
      return readers.reduce((best, reader) => (reader.waiting < best.waiting ? reader : best));
    starting ??= startStoreThread({ filePath, key, role: 'reader' })
      .then((reader) => {
        readers.push(reader);
        return reader;
      })
      .finally(() => {
        starting = null;
      });
    return starting;
  };

  return {
    async write(name, input, transfer) {
      if (writer === null) throw new DeskError('profile.busy');
      return (await writer.call(name, input, transfer)) as never;
    },
    async read(name, input) {
      if (findIdle() === undefined) await waitForReader();
      // An idle reader is called immediately, so that no other read considers it idle.
      const reader = findIdle() ?? (await pickBusyReader());
      const answer = reader.call(name, input);
      lastRead = answer.then(
        () => undefined,
        () => undefined,
      );
      return (await answer) as never;
    },
    get hasLister() {
      return lister !== null;
    },
    async list(name, input) {
      lister ??= startStoreThread({ filePath, key, role: 'lister' }).catch((thrown) => {
        lister = null;
        throw thrown;
      });
      return (await (await lister).call(name, input)) as never;
    },
    async prepare(kind, body, requestId) {
      parser ??= startStoreThread({ filePath, key: new Uint8Array(), role: 'parser' }).catch((thrown) => {
        parser = null;
        throw thrown;
      });
      const thread = await parser;
      return (await thread.call('packPage', { kind, body, requestId }, [
        body.buffer as ArrayBuffer,
      ])) as PackedPage;
    },
    async endPreparing() {
      const ending = await parser?.catch(() => null);
      parser = null;
      await ending?.close();
    },
    async close() {
      await starting?.catch(() => undefined);
      const others = [...readers, await lister?.catch(() => null), await parser?.catch(() => null)];
      await Promise.all(others.map((thread) => thread?.close()));
      // Closed last, because an open reader prevents SQLite from emptying the log.
      await writer?.close();
      key.fill(0);
    },
  };
}
