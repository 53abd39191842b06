import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoreProgress } from '../../../../contract/store.ts';
import { type DeskError, toDeskError } from '../../../lib/errors.ts';
import type { InputOf, OutputOf } from '../../../lib/function-types.ts';
import { sideFilesOf } from '../file/side-files.ts';
import { reportOpening, type StoreThread, startStoreThread } from './store-thread.ts';
import type { UserDataOperations } from './user-data-operations.ts';

/** The user data file: what users did and wrote. The first write creates it. */
export interface UserDataStore {
  readonly filePath: string;
  isThere(): boolean;
  /** @throws DeskError `store.*`, `disk.*`, `keychain.*` */
  call<N extends keyof UserDataOperations>(
    name: N,
    input: InputOf<UserDataOperations[N]>,
  ): Promise<OutputOf<UserDataOperations[N]>>;
  /** A copy of the database key, 32 bytes, of an existing file. */
  readKey(): Promise<Buffer>;
  /** Runs `act` while this process has the file closed. */
  whileClosed<T>(act: (key: Buffer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** `readKey`: the database key, created only if `mayCreate`, which is false once the file or its check exists. */
export function createUserDataStore(ports: {
  readonly filePath: string;
  /** Whether another process writes. */
  readonly isReadOnly?: boolean;
  readonly readKey: (mayCreate: boolean) => Promise<Buffer>;
  /** Receives the failure of a backup, and other failures outside of a call. */
  readonly onTrouble?: (error: DeskError) => void;
  /** Reports the progress of a backup and a migration before the file is open; null: it is open, or failed. */
  readonly onOpening?: (progress: StoreProgress | null) => void;
}): UserDataStore {
  const { filePath, isReadOnly = false } = ports;
  let opening: Promise<StoreThread> | null = null;
  let closedFor: Promise<unknown> | null = null;

  const isThere = (): boolean => existsSync(filePath) || existsSync(sideFilesOf(filePath).keyCheck);
  const open = async (): Promise<StoreThread> => {
    await closedFor?.catch(() => undefined);
    if (opening === null) {
      const started = (async () => {
        const key = await ports.readKey(!isThere());
        await mkdir(dirname(filePath), { recursive: true, mode: 0o700 }).catch((thrown) => {
          throw toDeskError(thrown);
        });
        return reportOpening(ports.onOpening, (onProgress) =>
          startStoreThread({ filePath, key, role: 'userData', isReadOnly }, ports.onTrouble, onProgress),
        );
      })();
      opening = started;
      started.catch(() => {
        if (opening === started) opening = null;
      });
    }
    return opening;
  };
  const close = async (): Promise<void> => {
    const thread = await opening?.catch(() => null);
    opening = null;
    await thread?.close();
  };

  return {
    filePath,
    isThere,
    call: async (name, input) => (await (await open()).call(name, input)) as never,
    readKey: () => ports.readKey(false),
    async whileClosed(act) {
      await closedFor?.catch(() => undefined);
      const acting = (async () => {
        await close();
        return act(await ports.readKey(false));
      })();
      closedFor = acting;
      try {
        return await acting;
      } finally {
        if (closedFor === acting) closedFor = null;
      }
    },
    close,
  };
}
