import type { StoreProgress } from '../../../../contract/store.ts';
import { type Answer, answerBy } from '../../../lib/channel.ts';
import { DeskError, toDeskError, toWireError } from '../../../lib/errors.ts';
import { handedOver, serveThread } from '../../../lib/thread.ts';
import { requireNewest } from '../file/migrate.ts';
import { type OpenFile, openFile } from '../file/open-file.ts';
import { createListOperations } from '../query/list-operations.ts';
import { openRecords, openRecordsFile } from '../record/open-records.ts';
import { repairUserData } from '../user-data/repair-user-data.ts';
import { createMaintenanceOperations } from './maintenance-operations.ts';
import { createReadOperations, createWriteOperations } from './operations.ts';
import type { StoreThreadData } from './store-thread.ts';
import { createUserDataOperations } from './user-data-operations.ts';

type OnTrouble = (thrown: unknown) => void;

/** How a thread answers calls, and how it ends. */
interface Served {
  readonly call: Answer;
  close(): void;
}

/** Frees the pages of a finished call: each is several megabytes, and garbage collection would free them late. */
function freePages(input: unknown): void {
  for (const part of Object.values(input ?? {})) {
    if (part instanceof Uint8Array && part.byteLength === part.buffer.byteLength)
      (part.buffer as ArrayBuffer).transfer(0);
  }
}

function serveWriter(file: OpenFile): Served {
  const answer = answerBy(createWriteOperations(file.database));
  return {
    call(name, input) {
      const value = answer(name, input);
      freePages(input);
      file.updateMarks();
      return value;
    },
    close: file.close,
  };
}

/**
 * Serves the user data file. A damaged file is restored from its backup and journal if that loses nothing, and the call
 * is then answered; a repair that would lose something is left to the user.
 */
function serveUserData(
  { filePath, key, isReadOnly = false }: StoreThreadData,
  onTrouble: OnTrouble,
  onProgress: (progress: StoreProgress) => void,
): Served {
  const start = () => {
    const file = openFile(filePath, key, 'userData', { onTrouble, onProgress });
    try {
      return {
        file,
        call: answerBy(createUserDataOperations(file.database, filePath, key, onTrouble, isReadOnly)),
      };
    } catch (thrown) {
      file.close();
      throw thrown;
    }
  };
  const isDamage = (thrown: unknown): boolean => toDeskError(thrown).code === 'store.damaged';
  /** Marks an error of damage as one of the user data file, because a call on records may use this file. */
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
        value = open.call(name, input);
      } catch (thrown) {
        if (!isDamage(thrown)) throw thrown;
        open.file.close();
        open = startRepaired();
        value = ofUserData(() => open.call(name, input));
      }
      open.file.updateMarks();
      return value;
    },
    close: () => open.file.close(),
  };
}

function open(
  data: StoreThreadData,
  onTrouble: OnTrouble,
  onProgress: (progress: StoreProgress) => void,
): Served {
  const { filePath, key, role } = data;
  if (role === 'userData') return serveUserData(data, onTrouble, onProgress);
  if (role === 'maintenance') {
    const operations = createMaintenanceOperations(filePath, key, onProgress);
    return { call: answerBy(operations), close: () => key.fill(0) };
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
  return { call: answerBy(operations), close: () => void database.close() };
}

let served: Served | null = null;

/** The first call states what to open; after that, one operation is answered at a time. */
const { notify } = serveThread((name, input) => {
  if (name === 'open')
    served = open(
      input as StoreThreadData,
      (thrown) => notify('trouble', toWireError(thrown)),
      (progress) => notify('progress', progress),
    );
  else if (name === 'close') served?.close();
  else return served?.call(name, input);
}, handedOver);
