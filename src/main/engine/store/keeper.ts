import type { KeeperOperations } from './keeper-operations.ts';
import { startStoreThread } from './store-thread.ts';

type InputOf<F> = F extends (input: infer I) => unknown ? I : never;
type OutputOf<F> = F extends (input: never) => infer O ? O : never;

/** A thread that checks, repairs or rewrites one file as a whole. */
export interface Keeper {
  /** @throws DeskError `store.*`, `disk.*` */
  call<N extends keyof KeeperOperations>(
    name: N,
    input: InputOf<KeeperOperations[N]>,
  ): Promise<OutputOf<KeeperOperations[N]>>;
  close(): Promise<void>;
  /** Ends a check that is under way; not to be used on a repair. */
  end(): Promise<void>;
}

/** Starts the thread. `key`, 32 bytes, is forgotten here once the thread has it. */
export async function startKeeper(filePath: string, key: Buffer): Promise<Keeper> {
  try {
    const thread = await startStoreThread({ filePath, key, role: 'keeper' });
    return {
      call: async (name, input) => (await thread.call(name, input)) as never,
      close: thread.close,
      end: thread.end,
    };
  } finally {
    key.fill(0);
  }
}
