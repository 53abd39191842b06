import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import { getProfileId } from '../../keychain/profile-identity.ts';
import { getOrCreateSecret } from '../../keychain/secret-store.ts';
import type { WorkspacePlace } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { profilePaths } from '../../lib/paths.ts';
import { type AuditLog, createAuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine.ts';
import { createDataApi, type DataApi, sleepFor } from '../service/data-api.ts';
import { createRequestBudget, type RequestBudget } from '../service/request-budget.ts';
import { openStore, type Store } from '../store/store.ts';

/** The stores that are open, and how a workspace is reached. Shared by the engine's handlers. */
export interface EngineState extends EnginePorts {
  readonly emit: (event: AnyEvent) => void;
  /** Opens the records of a workspace once; later calls share it. */
  getStore(workspaceId: string): Promise<Store>;
  recordsPath(workspaceId: string): Promise<string>;
  /** A copy of the database key, 32 bytes. */
  readDatabaseKey(workspaceId: string): Promise<Buffer>;
  createApi(
    workspaceId: string,
    options?: { keyId?: string; onRetry?: (error: DeskError) => void },
  ): Promise<DataApi>;
  readonly audit: AuditLog;
  /** Writes down what was done in a workspace; the sample leaves no trace in the real profile. */
  noteDone(workspaceId: string, action: AuditAction, details: AuditRecord['details']): Promise<void>;
  closeStore(workspaceId: string): Promise<void>;
  closeAll(): Promise<void>;
}

const readersPerStore = 2;

export function createEngineState(ports: EnginePorts & { emit: (event: AnyEvent) => void }): EngineState {
  const stores = new Map<string, Promise<Store>>();
  /** By origin: two workspaces of one service share what may be asked of it at once. */
  const budgets = new Map<string, RequestBudget>();
  let isClosed = false;

  const pathIn = (place: WorkspacePlace): string => join(place.folder, 'records.db');

  const readKey = async (place: WorkspacePlace): Promise<Buffer> => {
    if (place.workspace.isSample) {
      return Buffer.from(await ports.host.getSampleSecret(place.databaseKeyAccount), 'base64');
    }
    return getOrCreateSecret(ports.secrets, place.databaseKeyAccount, {
      mayCreate: () => !existsSync(pathIn(place)) && !ports.isReadOnly,
    });
  };

  const budgetOf = (baseUrl: string): RequestBudget => {
    const { origin } = new URL(baseUrl);
    let budget = budgets.get(origin);
    if (budget === undefined) {
      budget = createRequestBudget({ clock: ports.clock, sleep: sleepFor });
      budgets.set(origin, budget);
    }
    return budget;
  };

  const open = async (workspaceId: string): Promise<Store> => {
    const place = await ports.host.findWorkspace(workspaceId);
    // Before the key is asked for: one that was never made is not one that is gone.
    if (ports.isReadOnly && !existsSync(pathIn(place))) throw new DeskError('store.empty');
    const key = await readKey(place);
    return openStore({
      filePath: pathIn(place),
      key,
      isReadOnly: ports.isReadOnly,
      readers: readersPerStore,
    });
  };

  const paths = profilePaths(ports.profileDir);
  const audit = createAuditLog({
    filePath: paths.ours,
    anchorPath: paths.auditAnchor,
    clock: ports.clock,
    readKey: async (mayCreate) =>
      getOrCreateSecret(ports.secrets, `database-key/${await getProfileId(ports.profileDir)}/ours`, {
        mayCreate,
      }),
  });

  return {
    ...ports,
    audit,
    async noteDone(workspaceId, action, details) {
      const { workspace } = await ports.host.findWorkspace(workspaceId);
      if (!workspace.isSample) await audit.append({ action, workspaceId, details });
    },
    getStore(workspaceId) {
      if (isClosed) return Promise.reject(new DeskError('engine.gone'));
      let store = stores.get(workspaceId);
      if (store === undefined) {
        store = open(workspaceId);
        stores.set(workspaceId, store);
        store.catch(() => stores.delete(workspaceId));
      }
      return store;
    },
    recordsPath: async (workspaceId) => pathIn(await ports.host.findWorkspace(workspaceId)),
    readDatabaseKey: async (workspaceId) => readKey(await ports.host.findWorkspace(workspaceId)),
    async createApi(workspaceId, options = {}) {
      const { workspace } = await ports.host.findWorkspace(workspaceId);
      return createDataApi({
        baseUrl: workspace.baseUrl,
        header: workspace.header,
        scheme: workspace.scheme,
        transport: ports.transport,
        clock: ports.clock,
        budget: budgetOf(workspace.baseUrl),
        getToken: (wanted) => ports.host.getToken({ workspaceId, keyId: options.keyId, ...wanted }),
        onRetry(error) {
          ports.log.write('service.retry', {
            code: error.code,
            ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
          });
          options.onRetry?.(error);
        },
      });
    },
    async closeStore(workspaceId) {
      const store = stores.get(workspaceId);
      stores.delete(workspaceId);
      await (await store?.catch(() => undefined))?.close();
    },
    async closeAll() {
      isClosed = true;
      const open = [...stores.values()];
      stores.clear();
      await audit.close();
      await Promise.all(open.map(async (store) => (await store.catch(() => undefined))?.close()));
    },
  };
}
