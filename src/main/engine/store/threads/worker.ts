import { parentPort } from 'node:worker_threads';
import type { StoreProgress } from '../../../../contract/store.ts';
import { DeskError, toDeskError, toWireError } from '../../../lib/errors.ts';
import { requireNewest } from '../file/migrate.ts';
import { type OpenFile, openFile } from '../file/open-file.ts';
import { createListOperations } from '../query/list-operations.ts';
import { openRecords, openRecordsFile } from '../record/open-records.ts';
import { packPage } from '../record/prepare-page.ts';
import { repairUserData } from '../user-data/repair-user-data.ts';
import { createMaintenanceOperations } from './maintenance-operations.ts';
import { createReadOperations, createWriteOperations } from './operations.ts';
import type { StoreReply, StoreRequest, StoreThreadData } from './thread-messages.ts';
import { createUserDataOperations } from './user-data-operations.ts';

type OnTrouble = (thrown: unknown) => void;
type Operations = Readonly<Record<string, (input: unknown) => unknown>>;

/** How a thread answers calls, and how it ends. */
interface Served {
  call(name: string, input: unknown): unknown;
  close(): void;
}

function callIn(operations: object, name: string, input: unknown): unknown {
  if (!Object.hasOwn(operations, name)) throw new Error(`no operation ${name}`);
  return (operations as Operations)[name]?.(input);
}

/** Frees the pages of a finished call: each is several megabytes, and garbage collection would free them late. */
function freePages(input: unknown): void {
  for (const part of Object.values(input ?? {})) {
    if (part instanceof Uint8Array && part.byteLength === part.buffer.byteLength)
      (part.buffer as ArrayBuffer).transfer(0);
  }
}

function serveWriter(file: OpenFile): Served {
  const operations = createWriteOperations(file.database);
  return {
    call(name, input) {
      const value = callIn(operations, name, input);
      freePages(input);
      file.updateMarks();
      return value;
    },
    close: file.close,
  };
}

/**
 * Serves the user data file. If it is damaged, it is restored from its backup and journal if that loses nothing, and
 * the call is then answered; a repair that would lose something is left to a person.
 */
function serveUserData(
  filePath: string,
  key: Uint8Array,
  onTrouble: OnTrouble,
  onProgress: (progress: StoreProgress) => void,
): Served {
  const start = () => {
    const file = openFile(filePath, key, 'userData', { onTrouble, onProgress });
    try {
      return { file, operations: createUserDataOperations(file.database, filePath, key, onTrouble) };
    } catch (thrown) {
      file.close();
      throw thrown;
    }
  };
  const isDamage = (thrown: unknown): boolean => toDeskError(thrown).code === 'store.damaged';
  /** Adds to an error of damage that it concerns the user data file, because a call on records may use this file. */
  const ofUserData = <T>(act: () => T): T => {
    try {
      return act();
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      throw new DeskError('store.damaged', { details: { file: 'userData' }, cause: thrown });
    }
  };
  const startRepaired = () =>
    ofUserData(() => {
      if (repairUserData({ filePath, key, mayLose: false }).outcome === 'needsConsent')
        throw new DeskError('store.damaged');
      return start();
    });
  let open: ReturnType<typeof start>;
  try {
    open = start();
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    open = startRepaired();
  }
  return {
    call(name, input) {
      let value: unknown;
      try {
        value = callIn(open.operations, name, input);
      } catch (thrown) {
        if (!isDamage(thrown)) throw thrown;
        open.file.close();
        open = startRepaired();
        value = ofUserData(() => callIn(open.operations, name, input));
      }
      open.file.updateMarks();
      return value;
    },
    close: () => open.file.close(),
  };
}

function open(
  { filePath, key, role }: StoreThreadData,
  onTrouble: OnTrouble,
  onProgress: (progress: StoreProgress) => void,
): Served {
  if (role === 'parser') return { call: (name, input) => callIn({ packPage }, name, input), close() {} };
  if (role === 'userData') return serveUserData(filePath, key, onTrouble, onProgress);
  if (role === 'maintenance') {
    const operations = createMaintenanceOperations(filePath, key, onProgress);
    return { call: (name, input) => callIn(operations, name, input), close: () => key.fill(0) };
  }
  if (role === 'writer') {
    const served = serveWriter(openRecordsFile(filePath, key, { onTrouble, onProgress }));
    key.fill(0);
    return served;
  }
  const database = openRecords(filePath, key, { isReadOnly: true });
  key.fill(0);
  try {
    requireNewest(database, 'records');
  } catch (thrown) {
    database.close();
    throw thrown;
  }
  const operations = role === 'lister' ? createListOperations(database) : createReadOperations(database);
  return {
    call: (name, input) => callIn(operations, name, input),
    close: () => void database.close(),
  };
}

/** Buffers of a result that are transferred instead of copied: the ids of a list and the bytes of a page. */
function handedOver(value: unknown): ArrayBuffer[] {
  const parts = typeof value === 'object' && value !== null ? [value, ...Object.values(value)] : [];
  const buffers = parts.flatMap((part) => {
    const isBytes = part instanceof Float64Array || part instanceof Uint32Array || part instanceof Uint8Array;
    // A small buffer may be part of a larger one that others share, and cannot be transferred.
    return isBytes && part.byteLength === part.buffer.byteLength ? [part.buffer as ArrayBuffer] : [];
  });
  return [...new Set(buffers)];
}

/** Runs a thread: opens what its first message names, and then answers one operation at a time. */
function serve(): void {
  const port = parentPort;
  if (port === null) throw new Error('not a worker');
  const reply = (message: StoreReply): void => {
    port.postMessage(message, 'ok' in message && message.ok ? handedOver(message.value) : []);
  };
  const onTrouble: OnTrouble = (thrown) => reply({ kind: 'trouble', error: toWireError(thrown) });
  port.once('message', (data: StoreThreadData) => {
    try {
      const served = open(data, onTrouble, (progress) => reply({ kind: 'progress', progress }));
      port.on('message', ({ id, name, input }: StoreRequest) => {
        try {
          if (name === 'close') {
            served.close();
            reply({ id, ok: true, value: null });
            port.close();
            return;
          }
          reply({ id, ok: true, value: served.call(name, input) });
        } catch (thrown) {
          reply({ id, ok: false, error: toWireError(thrown) });
        }
      });
      reply({ id: 0, ok: true, value: null });
    } catch (thrown) {
      reply({ id: 0, ok: false, error: toWireError(thrown) });
      port.close();
    }
  });
}

serve();
