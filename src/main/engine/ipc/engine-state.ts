import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import type { DeskError } from '../../lib/errors.ts';
import { profilePaths } from '../../lib/paths.ts';
import { type AuditLog, createAuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { createDataApi, type DataApi, sleepFor } from '../service/data-api.ts';
import { createReachability } from '../service/reachability.ts';
import { createRequestBudget, type RequestBudget } from '../service/request-budget.ts';
import type { Transport } from '../service/transport.ts';
import type { Store } from '../store/threads/store.ts';
import { createWorkspaceFiles, type WorkspaceFiles } from './workspace-files.ts';

/** The open stores and the connections to services. Shared by the engine's handlers. */
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
  /**
   * The transport to the service of a workspace. Every request uses it, so that it knows whether the service answers.
   */
  transportOf(workspaceId: string): Transport;
  /** null: no request was sent to the service since the engine started. */
  isServiceReachable(workspaceId: string): boolean | null;
  readonly files: WorkspaceFiles;
  readonly audit: AuditLog;
  /** Appends to the audit log what was done in a workspace; for the sample, to a log of its own. */
  auditAction(workspaceId: string, action: AuditAction, details: AuditRecord['details']): Promise<void>;
  closeStore(workspaceId: string): Promise<void>;
  closeAll(): Promise<void>;
}

export function createEngineState(ports: EnginePorts & { emit: (event: AnyEvent) => void }): EngineState {
  /** By origin: workspaces of one service share a limit of concurrent requests. */
  const budgets = new Map<string, RequestBudget>();
  const budgetOf = (baseUrl: string): RequestBudget => {
    const { origin } = new URL(baseUrl);
    let budget = budgets.get(origin);
    if (budget === undefined) {
      budget = createRequestBudget({ clock: ports.clock, sleep: sleepFor });
      budgets.set(origin, budget);
    }
    return budget;
  };

  const files = createWorkspaceFiles(ports, {
    changed: (workspaceId) => ports.emit({ name: 'store:changed', payload: { workspaceId } }),
  });
  const audit = createAuditLog({
    store: files.userData,
    anchorPath: profilePaths(ports.profileDir).auditAnchor,
    clock: ports.clock,
  });

  const reachability = createReachability((workspaceId, isReachable) =>
    ports.emit({ name: 'service:changed', payload: { workspaceId, isReachable } }),
  );
  const transportOf = (workspaceId: string): Transport => reachability.watch(workspaceId, ports.transport);

  return {
    ...ports,
    transportOf,
    isServiceReachable: reachability.isReachable,
    files,
    audit,
    async auditAction(workspaceId, action, details) {
      const { workspace } = await ports.host.findWorkspace(workspaceId);
      if (!workspace.isSample) await audit.append({ action, workspaceId, details });
    },
    getStore: files.getStore,
    recordsPath: files.recordsPath,
    readDatabaseKey: files.readKey,
    async createApi(workspaceId, options = {}) {
      const { workspace } = await ports.host.findWorkspace(workspaceId);
      return createDataApi({
        baseUrl: workspace.baseUrl,
        header: workspace.header,
        scheme: workspace.scheme,
        transport: transportOf(workspaceId),
        clock: ports.clock,
        budget: budgetOf(workspace.baseUrl),
        ...(ports.random === undefined ? {} : { random: ports.random }),
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
    closeStore: files.closeStore,
    closeAll: files.closeAll,
  };
}
