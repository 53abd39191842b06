import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { z } from 'zod';
import type { AuditAction, AuditRecord } from '../../../contract/audit.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import { getProfileId } from '../../keychain/profile-identity.ts';
import { DeskError } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import { profilePaths } from '../../lib/paths.ts';
import { type AuditLog, createAuditLog } from '../audit/audit-log.ts';
import { openAuditTarget } from '../audit/audit-target.ts';
import { type AuditForwarder, startForwarding } from '../audit/forward-audit.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { createDataApi, type DataApi, sleepFor } from '../service/data-api.ts';
import { createReachability } from '../service/reachability.ts';
import { createRequestBudget, type RequestBudget } from '../service/request-budget.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { Transport } from '../service/transport.ts';
import { readTrustedCertificates } from '../service/trusted-certificates.ts';
import { maskKnownSsns } from '../store/record/known-ssns.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { type Backups, createBackups } from './backups.ts';
import { createWorkspaceFiles, type WorkspaceFiles } from './workspace-files.ts';

type OpenedList = 'members' | 'dependents' | 'claims';

/** Writes audit entries about actions in a workspace; there are none for the sample. */
interface AuditActions {
  auditAction(workspaceId: string, action: AuditAction, details: AuditRecord['details']): Promise<void>;
  /** Writes the entry after the answer was sent; a failure is logged. */
  auditLater(workspaceId: string, make: () => Promise<Pick<AuditRecord, 'action' | 'details'>>): void;
  /** Records after the answer that a record was opened, once a day for each record. */
  auditOpened(workspaceId: string, list: OpenedList, recordId: number): void;
}

function createAuditActions(
  { clock, main, log }: Pick<EnginePorts, 'clock' | 'main' | 'log'>,
  audit: AuditLog,
): AuditActions & { /** Waits for entries that are being written. */ settled(): Promise<unknown> } {
  const writing = new Set<Promise<void>>();
  const later = (act: () => Promise<void>): void => {
    const running = act()
      .catch((thrown) => logFailure(log, 'store.auditFailed', thrown))
      .finally(() => writing.delete(running));
    writing.add(running);
  };
  const isReal = async (workspaceId: string): Promise<boolean> =>
    !(await main.findWorkspace(workspaceId)).workspace.isSample;
  /** The records that were opened on the day that began at `since`. */
  let opened = { since: '', records: new Set<string>() };
  return {
    async auditAction(workspaceId, action, details) {
      if (await isReal(workspaceId)) await audit.append({ action, workspaceId, details });
    },
    auditLater(workspaceId, make) {
      later(async () => {
        if (await isReal(workspaceId)) await audit.append({ workspaceId, ...(await make()) });
      });
    },
    auditOpened(workspaceId, list, recordId) {
      const day = new Date(clock.now());
      day.setHours(0, 0, 0, 0);
      const since = day.toISOString();
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
    settled: () => Promise.all(writing),
  };
}

/** The open stores and the connections to services. Shared by the engine's handlers. */
export interface EngineState extends EnginePorts, AuditActions {
  readonly emit: (event: AnyEvent) => void;
  readonly files: WorkspaceFiles;
  readonly audit: AuditLog;
  readonly backups: Backups;
  /** Null where the policy has no audit target. */
  readonly forwarder: AuditForwarder | null;
  /** The person at this computer, by the name of the system's account. */
  readonly actor: string | null;
  /** Opens the records of a workspace once; later calls get the same store. */
  getStore(workspaceId: string): Promise<Store>;
  /** Masks the SSNs of the workspace's people in a value before it leaves the engine. */
  maskSsns<T>(workspaceId: string, value: T): Promise<T>;
  createApi(
    workspaceId: string,
    options?: { keyId?: string; onRetry?: (error: DeskError) => void },
  ): Promise<DataApi>;
  /** The transport to a workspace's service. Every request uses it, so that it sees whether the service answers. */
  transportOf(workspaceId: string): Transport;
  /** The transport to the server of its team; its requests don't show whether the service is reachable. */
  teamTransportOf(workspaceId: string): Transport;
  /** The best known time in milliseconds: this computer's clock, corrected by the service's. */
  now(workspaceId: string): number;
  /**
   * Whether a service's clock agreed with this computer's to a day since the engine started, and no service's clock
   * is behind it. The sample's service has this computer's clock and confirms nothing.
   */
  isClockConfirmed(): boolean;
  /** null: no request was sent to the service since the engine started. */
  isServiceReachable(workspaceId: string): boolean | null;
  closeAll(): Promise<void>;
}

const daySeconds = 86_400;

function readActor(): string | null {
  try {
    return userInfo().username.slice(0, 100);
  } catch {
    return null;
  }
}

/** Clients of the services; workspaces of one service share a limit of concurrent requests. */
function createServices(ports: EnginePorts, transportOf: EngineState['transportOf']) {
  const budgets = new Map<string, RequestBudget>();
  const budgetOf = (baseUrl: string): RequestBudget => {
    const { origin } = new URL(baseUrl);
    const budget = budgets.get(origin) ?? createRequestBudget({ clock: ports.clock, sleep: sleepFor });
    budgets.set(origin, budget);
    return budget;
  };
  /** The service's clock of each workspace's newest client, and the last known clock of an older one. */
  const serviceClocks = new Map<string, readonly ServiceClock[]>();
  const samples = new Set<string>();
  const knownClock = (workspaceId: string): ServiceClock | undefined =>
    serviceClocks.get(workspaceId)?.find(({ isKnown }) => isKnown);

  const createApi: EngineState['createApi'] = async (workspaceId, { keyId, onRetry } = {}) => {
    const { workspace } = await ports.main.findWorkspace(workspaceId);
    const { baseUrl, header, scheme } = workspace;
    if (workspace.isSample) samples.add(workspaceId);
    const api = createDataApi({
      baseUrl,
      header,
      scheme,
      transport: transportOf(workspaceId),
      clock: ports.clock,
      budget: budgetOf(baseUrl),
      ...(ports.random === undefined ? {} : { random: ports.random }),
      getToken: (tokenRequest) => ports.main.getToken({ workspaceId, keyId, ...tokenRequest }),
      onRetry(error) {
        const { code, requestId } = error;
        ports.log.write('service.retry', { code, ...(requestId === undefined ? {} : { requestId }) });
        onRetry?.(error);
      },
    });
    const earlierClock = knownClock(workspaceId);
    serviceClocks.set(workspaceId, [api.serviceClock, ...(earlierClock === undefined ? [] : [earlierClock])]);
    return api;
  };
  return {
    createApi,
    now: (workspaceId: string): number =>
      ports.clock.now() + (knownClock(workspaceId)?.offsetSeconds ?? 0) * 1000,
    isClockConfirmed(): boolean {
      const clocks = [...serviceClocks].flatMap(([id, ofOne]) => (samples.has(id) ? [] : ofOne));
      const isAhead = clocks.some((clock) => (clock.doubtedSeconds ?? clock.offsetSeconds) < -daySeconds);
      return !isAhead && clocks.some((clock) => clock.isKnown && Math.abs(clock.offsetSeconds) <= daySeconds);
    },
  };
}

const tokenAccount = async ({ profileDir }: EnginePorts): Promise<string> =>
  `audit-token/${await getProfileId(profileDir)}`;

const tokenSchema = z.object({ address: z.string(), token: z.string() });

/**
 * Stores what only the audit target of the policy receives as the header `Authorization`; blank: nothing.
 * @throws DeskError `audit.noTarget`, `keychain.*`, `vault.*`
 */
export async function setAuditToken(ports: EnginePorts, token: string): Promise<void> {
  const account = await tokenAccount(ports);
  if (token === '') await ports.secrets.delete(account);
  else if (ports.policy.auditTarget === undefined) throw new DeskError('audit.noTarget');
  else {
    const bound = { address: ports.policy.auditTarget, token };
    await ports.secrets.set(account, Buffer.from(JSON.stringify(bound)));
  }
}

function startForwarder(ports: EnginePorts, store: UserDataStore): AuditForwarder | null {
  const { profileDir, clock, policy, secrets, transport, isReadOnly } = ports;
  if (policy.auditTarget === undefined) return null;
  const { auditForwarded, restoring } = profilePaths(profileDir);
  const target = openAuditTarget(policy.auditTarget, {
    transport,
    readTrusted: readTrustedCertificates,
    async getToken() {
      const stored = await secrets.get(await tokenAccount(ports));
      if (stored === null) return null;
      const { address, token } = tokenSchema.parse(JSON.parse(stored.toString()));
      return address === policy.auditTarget ? token : null;
    },
  });
  return startForwarding({
    address: policy.auditTarget,
    cursorPath: auditForwarded,
    // A restore writes how far its log was forwarded after it writes the log.
    store: { isThere: () => !existsSync(restoring) && store.isThere(), call: store.call },
    target,
    isReadOnly,
    getComputer: () => getProfileId(profileDir),
    clock,
    onTrouble: (thrown) => logFailure(ports.log, 'store.auditFailed', thrown),
  });
}

export function createEngineState(
  ports: EnginePorts & {
    emit: (event: AnyEvent) => void;
    /** Called after records were opened for writing: completes an unfinished removal. */
    opened: (workspaceId: string, store: Store) => Promise<void>;
  },
): EngineState {
  const files = createWorkspaceFiles(ports, {
    changed: (workspaceId) => ports.emit({ name: 'store:changed', payload: { workspaceId } }),
    progress: (workspaceId, progress) =>
      ports.emit({ name: 'store:progress', payload: { workspaceId, ...progress } }),
    opening: (workspaceId, progress) =>
      ports.emit({ name: 'store:opening', payload: { workspaceId, progress } }),
    opened: ports.opened,
  });
  const actor = readActor();
  const forwarder = startForwarder(ports, files.userData);
  const audit = createAuditLog({
    store: files.userData,
    anchorPath: profilePaths(ports.profileDir).auditAnchor,
    secrets: ports.secrets,
    anchors: ports.anchors,
    getProfileId: () => getProfileId(ports.profileDir),
    actor,
    forwarder,
    clock: ports.clock,
    onTrouble: (thrown) => logFailure(ports.log, 'store.auditFailed', thrown),
  });
  const backups = createBackups({ ...ports, audit, userData: files.userData });
  const { settled, ...actions } = createAuditActions(ports, audit);
  const reachability = createReachability((workspaceId, isReachable) =>
    ports.emit({ name: 'service:changed', payload: { workspaceId, isReachable } }),
  );
  const whereAllowed =
    (workspaceId: string, transport: Transport): Transport =>
    async (request) => {
      await ports.main.requireService(workspaceId);
      return transport(request);
    };
  const transportOf = (workspaceId: string): Transport =>
    whereAllowed(workspaceId, reachability.watch(workspaceId, ports.transport));
  return {
    ...ports,
    ...actions,
    ...createServices(ports, transportOf),
    transportOf,
    teamTransportOf: (workspaceId) => whereAllowed(workspaceId, ports.transport),
    isServiceReachable: reachability.isReachable,
    files,
    audit,
    backups,
    forwarder,
    actor,
    getStore: files.getStore,
    maskSsns: (workspaceId, value) =>
      maskKnownSsns(value, async (digits) =>
        (await files.getStore(workspaceId)).read('findKnownSsns', digits),
      ),
    async closeAll() {
      await backups.close();
      await settled();
      await audit.close();
      await forwarder?.stop();
      await files.closeAll();
    },
  };
}
