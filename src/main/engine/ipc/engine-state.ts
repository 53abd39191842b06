import { userInfo } from 'node:os';
import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import { getProfileId } from '../../keychain/profile-identity.ts';
import type { DeskError } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { profilePaths } from '../../lib/paths.ts';
import { type AuditLog, createAuditLog } from '../audit/audit-log.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { createDataApi, type DataApi, sleepFor } from '../service/data-api.ts';
import { createReachability } from '../service/reachability.ts';
import { createRequestBudget, type RequestBudget } from '../service/request-budget.ts';
import type { ServiceClock } from '../service/service-clock.ts';
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
  /** What is known to be true of the time, in milliseconds: this computer's clock, put right by the service's. */
  now(workspaceId: string): number;
  /** Whether a service says that this computer's clock is more than a day ahead. */
  isClockAhead(): boolean;
  /** null: no request was sent to the service since the engine started. */
  isServiceReachable(workspaceId: string): boolean | null;
  readonly files: WorkspaceFiles;
  readonly audit: AuditLog;
  /** Who works at this computer, by the name of the system's account. */
  readonly actor: string | null;
  /** Appends to the audit log what was done in a workspace; nothing for the sample. */
  auditAction(workspaceId: string, action: AuditAction, details: AuditRecord['details']): Promise<void>;
  /** Writes down behind the answer what was done; what keeps it from that is in the log. */
  auditLater(workspaceId: string, make: () => Promise<Pick<AuditRecord, 'action' | 'details'>>): void;
  /** Writes down behind the answer that a record was opened, once a day. */
  auditOpened(workspaceId: string, list: OpenedList, recordId: number): void;
  closeStore(workspaceId: string): Promise<void>;
  closeAll(): Promise<void>;
}

const daySeconds = 86_400;

export type OpenedList = 'members' | 'dependents' | 'claims';

function readActor(): string | null {
  try {
    return userInfo().username.slice(0, 100);
  } catch {
    return null;
  }
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

  /** By workspace: the service's clock as the newest client has it, and one that an older client knew. */
  const serviceClocks = new Map<string, readonly ServiceClock[]>();
  const knownClock = (workspaceId: string): ServiceClock | undefined =>
    serviceClocks.get(workspaceId)?.find(({ isKnown }) => isKnown);

  const files = createWorkspaceFiles(ports, {
    changed: (workspaceId) => ports.emit({ name: 'store:changed', payload: { workspaceId } }),
    progress: (workspaceId, progress) =>
      ports.emit({ name: 'store:progress', payload: { workspaceId, ...progress } }),
    opening: (workspaceId, progress) =>
      ports.emit({ name: 'store:opening', payload: { workspaceId, progress } }),
  });
  const actor = readActor();
  const audit = createAuditLog({
    store: files.userData,
    anchorPath: profilePaths(ports.profileDir).auditAnchor,
    secrets: ports.secrets,
    anchors: ports.anchors,
    getProfileId: () => getProfileId(ports.profileDir),
    actor,
    clock: ports.clock,
    onTrouble: (thrown) => logFailure(ports.log, 'store.auditFailed', thrown),
  });
  const noting = new Set<Promise<void>>();
  const later = (act: () => Promise<void>): void => {
    const running = act()
      .catch((thrown) => logFailure(ports.log, 'store.auditFailed', thrown))
      .finally(() => noting.delete(running));
    noting.add(running);
  };
  const isReal = async (workspaceId: string): Promise<boolean> =>
    !(await ports.host.findWorkspace(workspaceId)).workspace.isSample;
  /** Records that were opened on the day that began then. */
  let opened = { since: '', records: new Set<string>() };
  const beginningOfDay = (): string => {
    const day = new Date(ports.clock.now());
    day.setHours(0, 0, 0, 0);
    return day.toISOString();
  };

  const reachability = createReachability((workspaceId, isReachable) =>
    ports.emit({ name: 'service:changed', payload: { workspaceId, isReachable } }),
  );
  const transportOf = (workspaceId: string): Transport => {
    const watched = reachability.watch(workspaceId, ports.transport);
    return async (request) => {
      await ports.host.requireService(workspaceId);
      return watched(request);
    };
  };

  return {
    ...ports,
    transportOf,
    now: (workspaceId) => ports.clock.now() + (knownClock(workspaceId)?.offsetSeconds ?? 0) * 1000,
    isClockAhead: () =>
      [...serviceClocks.values()]
        .flat()
        .some((clock) => (clock.doubtedSeconds ?? clock.offsetSeconds) < -daySeconds),
    isServiceReachable: reachability.isReachable,
    files,
    audit,
    actor,
    async auditAction(workspaceId, action, details) {
      if (await isReal(workspaceId)) await audit.append({ action, workspaceId, details });
    },
    auditLater(workspaceId, make) {
      later(async () => {
        if (await isReal(workspaceId)) await audit.append({ workspaceId, ...(await make()) });
      });
    },
    auditOpened(workspaceId, list, recordId) {
      const since = beginningOfDay();
      if (opened.since !== since) opened = { since, records: new Set() };
      const { records } = opened;
      const record = `${workspaceId} ${list} ${recordId}`;
      if (records.has(record)) return;
      records.add(record);
      later(async () => {
        try {
          if (!(await isReal(workspaceId))) return;
          const details = { list, recordId };
          await audit.append({ action: 'record.opened', workspaceId, details }, { onceSince: since });
        } catch (thrown) {
          records.delete(record);
          throw thrown;
        }
      });
    },
    getStore: files.getStore,
    recordsPath: files.recordsPath,
    readDatabaseKey: files.readKey,
    async createApi(workspaceId, options = {}) {
      const { workspace } = await ports.host.findWorkspace(workspaceId);
      const api = createDataApi({
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
      const known = knownClock(workspaceId);
      serviceClocks.set(workspaceId, [api.serviceClock, ...(known === undefined ? [] : [known])]);
      return api;
    },
    closeStore: files.closeStore,
    async closeAll() {
      await Promise.all(noting);
      await audit.close();
      await files.closeAll();
    },
  };
}
