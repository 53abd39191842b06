import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toDeskError } from '../../lib/errors.ts';
import type { OurOperations } from './our-operations.ts';
import { sideFilesOf } from './side-files.ts';
import { type StoreThread, startStoreThread } from './store-thread.ts';

type InputOf<F> = F extends (input: infer I) => unknown ? I : never;
type OutputOf<F> = F extends (input: never) => infer O ? O : never;

/** The second file: what people did and wrote. Made with the first thing that is written. */
export interface OurStore {
  readonly filePath: string;
  isThere(): boolean;
  /** @throws DeskError `store.*`, `disk.*`, `keychain.*` */
  call<N extends keyof OurOperations>(
    name: N,
    input: InputOf<OurOperations[N]>,
  ): Promise<OutputOf<OurOperations[N]>>;
  /** Runs `act` while this process has the file closed. */
  whileClosed<T>(act: (key: Buffer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** `readKey`: the database key, made only if `mayCreate`, which is false once the file or its check exists. */
export function createOurStore(ports: {
  readonly filePath: string;
  readonly readKey: (mayCreate: boolean) => Promise<Buffer>;
}): OurStore {
  const { filePath } = ports;
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
        return startStoreThread({ filePath, key, role: 'ours' });
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
