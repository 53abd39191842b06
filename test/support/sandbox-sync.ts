import type { SyncReceipt } from '../../src/contract/sync.ts';
import type { Workspace } from '../../src/contract/workspace.ts';
import { createDataApi } from '../../src/main/engine/service/data-api.ts';
import { createPageSizes } from '../../src/main/engine/service/page-sizes.ts';
import { createUndiciTransport } from '../../src/main/engine/service/undici-transport.ts';
import type { Store } from '../../src/main/engine/store/threads/store.ts';
import { createFailureList, runSync } from '../../src/main/engine/sync/run-sync.ts';
import { systemClock } from '../../src/main/lib/clock.ts';
import type { DeskError } from '../../src/main/lib/errors.ts';
import { claimsFor, makeKey, register, signToken } from '../integration/sandbox/keys.ts';
import { type Sandbox, startSandbox } from '../integration/sandbox/start-sandbox.ts';
import { smallJitter } from './engine-session.ts';

/** The real engine parts with a real sandbox over HTTP, without the seconds that starting a whole desk takes. */
export interface SandboxSync {
  readonly sandbox: Sandbox;
  /** `timeoutMs`: the longest time to wait for a reply. */
  sync(
    store: Store,
    options?: { timeoutMs?: number },
  ): Promise<{ receipt: SyncReceipt; error: DeskError | null }>;
  /** The next sync requests the largest pages again. */
  forgetPageSize(): void;
  /** Kills the service; `revive` starts it again at the same address, with the same records. */
  kill(): void;
  revive(): Promise<void>;
  close(): Promise<void>;
}

export async function openSandboxSync(...args: string[]): Promise<SandboxSync> {
  let sandbox = await startSandbox(...args);
  const key = makeKey('ed25519');
  await register(sandbox, key);
  const { transport, close } = createUndiciTransport({});
  let runs = 0;
  let pageSize: Workspace['pageSize'];
  return {
    get sandbox() {
      return sandbox;
    },
    forgetPageSize() {
      pageSize = undefined;
    },
    async sync(store, { timeoutMs = 60_000 } = {}) {
      runs += 1;
      const failures = createFailureList(systemClock);
      const token = signToken(key, claimsFor(sandbox.account.email));
      const api = createDataApi({
        baseUrl: sandbox.baseUrl,
        header: 'Authorization',
        scheme: 'SSH-JWT',
        transport: (request) => transport({ ...request, timeoutMs }),
        clock: systemClock,
        getToken: async () => token,
        random: smallJitter,
        onRetry: (error) => failures.add(error),
      });
      const end = await runSync({
        workspaceId: 'w',
        store,
        api,
        clock: systemClock,
        pageSizes: createPageSizes({
          kept: pageSize,
          nowMs: systemClock.now(),
          keep: async (perPage) => {
            pageSize =
              perPage === null
                ? undefined
                : { perPage, learnedAt: new Date(systemClock.now()).toISOString() };
          },
        }),
        signal: new AbortController().signal,
        syncId: `run-${runs}`,
        failures,
        onProgress: () => undefined,
        onChanged: () => undefined,
      });
      if (end.receipt === null) throw new Error('it was paused');
      return end;
    },
    kill: () => void sandbox.child.kill('SIGKILL'),
    async revive() {
      sandbox = await startSandbox('--port', new URL(sandbox.baseUrl).port, ...args);
      await register(sandbox, key);
    },
    async close() {
      await close();
      await sandbox.stop();
    },
  };
}
