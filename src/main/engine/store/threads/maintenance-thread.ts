import type { StoreProgress } from '../../../../contract/store.ts';
import type { InputOf, OutputOf } from '../../../lib/function-types.ts';
import type { MaintenanceOperations } from './maintenance-operations.ts';
import { startStoreThread } from './store-thread.ts';

/** A thread that checks, repairs or rewrites one file as a whole. */
export interface MaintenanceThread {
  /** @throws DeskError `store.*`, `disk.*` */
  call<N extends keyof MaintenanceOperations>(
    name: N,
    input: InputOf<MaintenanceOperations[N]>,
  ): Promise<OutputOf<MaintenanceOperations[N]>>;
  close(): Promise<void>;
  /** Ends a check in progress; must not be called during a repair. */
  end(): Promise<void>;
}

/** Starts the thread. `key`, 32 bytes, is overwritten here once the thread has received it. */
export async function startMaintenanceThread(
  filePath: string,
  key: Buffer,
  onProgress: (progress: StoreProgress) => void = () => undefined,
): Promise<MaintenanceThread> {
  try {
    const thread = await startStoreThread({ filePath, key, role: 'maintenance' }, undefined, onProgress);
    return {
      call: async (name, input) => (await thread.call(name, input)) as never,
      close: thread.close,
      end: thread.end,
    };
  } finally {
    key.fill(0);
  }
}
