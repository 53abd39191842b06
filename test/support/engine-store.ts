import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Entity } from '../../src/contract/fields.ts';
import type { ListQuery } from '../../src/contract/query.ts';
import { type Connection, openConnection } from '../../src/main/engine/store/connection.ts';
import type { ListKind, PageInput, PageOutcome } from '../../src/main/engine/store/ingest.ts';
import { migrate } from '../../src/main/engine/store/migrate.ts';
import { createReadOperations, createWriteOperations } from '../../src/main/engine/store/operations.ts';
import {
  createListOperations,
  type ListOperations,
} from '../../src/main/engine/store/query/list-operations.ts';

/** An encrypted store in a folder of its own, in this thread, so that a test sees what a thread would do. */
export interface OpenedStore {
  readonly filePath: string;
  readonly key: Buffer;
  readonly connection: Connection;
  readonly write: ReturnType<typeof createWriteOperations>;
  /** Over a connection of its own, as in the app. */
  readonly read: ReturnType<typeof createReadOperations>;
  readonly readerConnection: Connection;
  readonly lists: ListOperations;
  /** Writes one page of these records (or this text) as a sync does. */
  ingest(kind: ListKind, data: readonly unknown[] | string, input?: Partial<PageInput>): PageOutcome;
  /** Ids (keys) of a list in order. */
  list(query: ListQuery): number[];
  /** Whole records as JSON text. */
  texts(entity: Entity, keys: readonly number[], isSsnShown?: boolean): (string | null)[];
}

export function openTestStore(): OpenedStore {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-store-'));
  const filePath = join(folder, 'records.db');
  const key = randomBytes(32);
  const connection = openConnection(filePath, key);
  migrate(connection);
  const readerConnection = openConnection(filePath, key, { isReadOnly: true });
  const write = createWriteOperations(connection);
  const read = createReadOperations(readerConnection);
  onTestFinished(() => {
    readerConnection.close();
    connection.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    filePath,
    key,
    connection,
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
