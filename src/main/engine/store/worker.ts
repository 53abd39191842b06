import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorReport } from '../../../contract/result.ts';
import { toErrorReport } from '../../lib/errors.ts';
import { openConnection } from './connection.ts';
import { migrate } from './migrate.ts';
import { createReadOperations, createWriteOperations } from './operations.ts';
import { createOurOperations } from './our-operations.ts';

export interface StoreWorkerData {
  readonly filePath: string;
  readonly key: Uint8Array;
  /** `ours` holds the second file, with what people wrote. */
  readonly role: 'writer' | 'reader' | 'ours';
}
export interface StoreRequest {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}
export type StoreReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: ErrorReport };

const operationsOf = {
  writer: createWriteOperations,
  reader: createReadOperations,
  ours: createOurOperations,
};

/** A thread that holds one connection and answers one operation at a time. */
function serve(): void {
  const port = parentPort;
  if (port === null) throw new Error('not a worker');
  const { filePath, key, role } = workerData as StoreWorkerData;
  const reply = (message: StoreReply): void => {
    const value = message.ok ? message.value : undefined;
    port.postMessage(message, value instanceof Float64Array ? [value.buffer as ArrayBuffer] : []);
  };
  try {
    const connection = openConnection(filePath, key, { isReadOnly: role === 'reader' });
    key.fill(0);
    if (role !== 'reader') migrate(connection, role === 'ours' ? 'ours' : 'theirs');
    const operations = operationsOf[role](connection) as unknown as Record<
      string,
      (input: unknown) => unknown
    >;
    port.on('message', ({ id, name, input }: StoreRequest) => {
      try {
        if (name === 'close') {
          connection.close();
          reply({ id, ok: true, value: null });
          port.close();
          return;
        }
        if (!Object.hasOwn(operations, name)) throw new Error(`no operation ${name}`);
        reply({ id, ok: true, value: operations[name]?.(input) });
      } catch (thrown) {
        reply({ id, ok: false, error: toErrorReport(thrown) });
      }
    });
    reply({ id: 0, ok: true, value: null });
  } catch (thrown) {
    reply({ id: 0, ok: false, error: toErrorReport(thrown) });
    port.close();
  }
}

serve();
