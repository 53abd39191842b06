import { join } from 'node:path';
import { DeskError } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { EngineState } from '../state/engine-state.ts';
import type { Store } from '../store/threads/store.ts';
import { type ConnectData, type ConnectFile, createConnectFile } from './connect-file.ts';
import type { IntegrationSecret } from './integration.ts';
import { type ConnectRecords, createWorkspaceConnect, type WorkspaceConnect } from './workspace-connect.ts';

/**
 * Writes the carriers of the stored connections into the claims, after the file is first read and after each change. A
 * failure is only logged: no call of Connect fails because claims could not be updated.
 */
function withCarriers(
  file: ConnectFile,
  ports: { readonly isReadOnly: boolean; readonly log: Log; getStore(): Promise<Store> },
): ConnectFile {
  let isWritten = false;
  const write = async ({ connections }: ConnectData): Promise<void> => {
    if (ports.isReadOnly) return;
    const carriers = connections
      .toSorted((a, b) => a.readAt.localeCompare(b.readAt))
      .flatMap(({ policyHolderId, payerName }) =>
        payerName === null ? [] : [{ policyHolderId, carrier: payerName }],
      );
    try {
      await (await ports.getStore()).write('writeCarriers', carriers);
      isWritten = true;
    } catch (thrown) {
      logFailure(ports.log, 'store.carriersFailed', thrown);
    }
  };
  const writing =
    (act: ConnectFile['update']): ConnectFile['update'] =>
    async (change) => {
      let before: ConnectData['connections'] = [];
      const data = await act((current) => {
        before = current.connections;
        return change(current);
      });
      if (before.length + data.connections.length > 0 && before !== data.connections) await write(data);
      return data;
    };
  return {
    ...file,
    async read() {
      const data = await file.read();
      // Without a connection the record store is not opened, because it may not exist yet.
      if (!isWritten && data.connections.length > 0) await write(data);
      return data;
    },
    update: writing(file.update),
    forget: writing(file.forget),
  };
}

/** Checking a key is one small request, but the user waits for it. */
const keyCheckMs = 8_000;

/** Opens Connect for one workspace, with the engine's files, secrets and transport. */
export async function openConnect(state: EngineState, workspaceId: string): Promise<WorkspaceConnect> {
  const { workspace, folder, connectSecretAccount } = await state.main.findWorkspace(workspaceId);
  const { isReadOnly, clock, log, main } = state;
  const file = createConnectFile({
    path: join(folder, 'connect.sealed'),
    readKey: () => state.files.readKey(workspaceId),
    isReadOnly,
    clock,
    onBackupFailed: (thrown) => logFailure(log, 'store.trouble', thrown),
    onRestored: () =>
      state.auditLater(workspaceId, async () => ({
        action: 'store.repaired',
        details: { file: 'connect', steps: 'backup done', lost: 'latestWrites unknown' },
      })),
  });
  return createWorkspaceConnect({
    findWorkspace: async () => (await main.findWorkspace(workspaceId)).workspace,
    file: withCarriers(file, { isReadOnly, log, getStore: () => state.getStore(workspaceId) }),
    secret: workspace.isSample ? inMemory() : inSecrets(state, connectSecretAccount),
    getSample: async () => (workspace.isSample ? main.getSampleConnect() : null),
    getSamplePeople: main.getSamplePeople,
    transport: state.transportOf(workspaceId),
    clock,
    ...(state.random === undefined ? {} : { random: state.random }),
    isReadOnly,
    log,
    records: readRecords(state, workspaceId),
    openUrl: main.openUrl,
    emit: (what, policyHolderId = null) =>
      state.emit({ name: 'connect:changed', payload: { workspaceId, what, policyHolderId } }),
    audit: (action, details) => state.auditAction(workspaceId, action, details),
    onCall({ method, route, status, durationMs, requestId, code }) {
      log.write('connect.called', {
        method,
        route,
        durationMs,
        ...(status === null ? {} : { status }),
        ...(requestId === null ? {} : { requestId }),
        ...(code === null ? {} : { code }),
      });
    },
  });
}

function inSecrets({ secrets, isReadOnly }: EngineState, account: string): IntegrationSecret {
  const write = (value: string, baseUrl: string) =>
    secrets.set(account, Buffer.from(`${baseUrl}\n${value}`, 'utf8'));
  return {
    async read(baseUrl) {
      const [first, value] = (await secrets.get(account))?.toString('utf8').split('\n') ?? [];
      if (value !== undefined) return first === baseUrl ? value : null;
      // Version 0.2 stored the secret alone.
      if (first !== undefined && !isReadOnly) await write(first, baseUrl);
      return first ?? null;
    },
    write: (value, baseUrl) => (value === null ? secrets.delete(account) : write(value, baseUrl)),
  };
}

/** Keeps the sample's secret in memory, for the life of its engine. */
function inMemory(): IntegrationSecret {
  let held: string | null = null;
  return {
    read: async () => held,
    write: async (value) => {
      held = value;
    },
  };
}

/** The records of a workspace; a read-only process has none before the first sync. */
function readRecords(state: EngineState, workspaceId: string): ConnectRecords {
  const openStore = (): Promise<Store | null> =>
    state.getStore(workspaceId).catch((thrown: unknown) => {
      if (thrown instanceof DeskError && thrown.code === 'store.empty') return null;
      throw thrown;
    });
  return {
    listEmployers: async () => (await (await openStore())?.read('listEmployerChoices', null)) ?? [],
    findMembers: async (email) => (await (await openStore())?.read('findMembersByEmail', { email })) ?? [],
    async hasEmployerKey(key) {
      try {
        const api = await state.createApi(workspaceId);
        await api.readVendorClaimPage(key, 1, 1, AbortSignal.timeout(keyCheckMs));
        return true;
      } catch (thrown) {
        // The answer is unknown without a registered key or a network.
        return thrown instanceof DeskError && thrown.code === 'service.notFound' ? false : null;
      }
    },
  };
}
