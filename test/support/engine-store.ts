import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Database } from '../../src/main/engine/store/file/database.ts';
import { migrate } from '../../src/main/engine/store/file/migrate.ts';
import {
  createListOperations,
  type ListOperations,
} from '../../src/main/engine/store/query/list-operations.ts';
import type { ListKind } from '../../src/main/engine/store/record/list-kind.ts';
import { openRecords } from '../../src/main/engine/store/record/open-records.ts';
import type { PageInput, PageOutcome } from '../../src/main/engine/store/sync/page-types.ts';
import {
  createReadOperations,
  createWriteOperations,
} from '../../src/main/engine/store/threads/operations.ts';
import type { Entity } from '../../src/rules/list-fields.ts';
import type { ListQuery } from '../../src/rules/query.ts';
import { testBytes } from './seeds.ts';
import { makeTempFolder } from './temp-folder.ts';

/** An encrypted store in a new folder that runs in this thread instead of threads of its own. */
export interface OpenedStore {
  readonly filePath: string;
  readonly key: Buffer;
  readonly database: Database;
  readonly write: ReturnType<typeof createWriteOperations>;
  /** Reads through a connection of its own, as in the app. */
  readonly read: ReturnType<typeof createReadOperations>;
  readonly readerConnection: Database;
  readonly lists: ListOperations;
  /** Writes one page of these records (or this text) as a sync does. */
  ingest(kind: ListKind, data: readonly unknown[] | string, input?: Partial<PageInput>): PageOutcome;
  /** Ids (keys) of a list in order. */
  list(query: ListQuery): number[];
  /** Whole records as JSON text. */
  texts(entity: Entity, keys: readonly number[], isSsnShown?: boolean): (string | null)[];
}

export function openTestStore(): OpenedStore {
  const folder = makeTempFolder();
  return openStoreAt(join(folder, 'records.db'), testBytes(32));
}

/** The same for an existing file, migrated to the newest version; closed when the test, or what `onEnd` knows, ends. */
export function openStoreAt(
  filePath: string,
  key: Buffer,
  onEnd: (end: () => void) => void = onTestFinished,
): OpenedStore {
  const database = openRecords(filePath, key);
  migrate(database);
  const readerConnection = openRecords(filePath, key, { isReadOnly: true });
  const write = createWriteOperations(database);
  const read = createReadOperations(readerConnection);
  onEnd(() => {
    readerConnection.close();
    database.close();
  });
  return {
    filePath,
    key,
    database,
    readerConnection,
    lists: createListOperations(readerConnection),
    write,
    read,
    ingest(kind, data, input = {}) {
      const text = typeof data === 'string' ? data : JSON.stringify({ data });
      return write.ingestPage({
        kind,
        body: Buffer.from(text, 'utf8'),
        pass: 1,
        page: 1,
        seenAt: '2026-01-02T03:04:05.000Z',
        requestId: null,
        isPartOfPass: false,
        ...input,
      });
    },
    list: (query) => Array.from(read.listKeys(query)),
    texts: (entity, keys, isSsnShown = true) => read.readRecords({ entity, keys: [...keys], isSsnShown }),
  };
}
