import type { AnyEvent } from '../../contract/events.ts';
import { type EngineProcedureName, type Handlers, procedures } from '../../contract/procedures.ts';
import type { Result } from '../../contract/result.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { Clock } from '../lib/clock.ts';
import type { EngineControl, EngineHost } from '../lib/engine-protocol.ts';
import { DeskError, toErrorReport } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { diagnoseNetwork } from './doctor/diagnose-network.ts';
import { createConnectHandlers } from './ipc/connect-handlers.ts';
import { createEngineState } from './ipc/engine-state.ts';
import { createExportHandlers } from './ipc/export-handlers.ts';
import { createNoteHandlers } from './ipc/note-handlers.ts';
import { createOrganizationHandlers } from './ipc/organization-handlers.ts';
import { createRecordHandlers } from './ipc/record-handlers.ts';
import { createSsnHandlers } from './ipc/ssn-handlers.ts';
import { createStoreHandlers } from './ipc/store-handlers.ts';
import { createSyncHandlers } from './ipc/sync-handlers.ts';
import type { Transport } from './service/transport.ts';

export interface EnginePorts {
  readonly profileDir: string;
  readonly host: EngineHost;
  /** Where the database keys lie; the sample's come from the host. */
  readonly secrets: SecretStore;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly isReadOnly: boolean;
}

/** Who calls: a window sees masked SSNs; the command line may ask for them. */
export interface EngineCaller {
  readonly isSsnShown?: boolean;
}

export interface Engine extends EngineControl {
  /** Answers a procedure of the contract; never rejects. */
  call(name: string, input: unknown, caller?: EngineCaller): Promise<Result<unknown>>;
  /** Has opened what a window will ask for first; what fails is told to whoever asks. */
  openAhead(workspaceId: string): void;
  /** Whole records of an open list as JSON text, for the command line. */
  readRecordTexts(wanted: {
    workspaceId: string;
    snapshotId: string;
    offset: number;
    limit: number;
    isSsnShown: boolean;
  }): Promise<string[]>;
  subscribe(listener: (event: AnyEvent) => void): () => void;
}

/** Builds the engine: every record, the calls to the service, sync, search and export. */
export function createEngine(ports: EnginePorts): Engine {
  const listeners = new Set<(event: AnyEvent) => void>();
  const emit = (event: AnyEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const state = createEngineState({ ...ports, emit });
  const sync = createSyncHandlers(state);
  const records = createRecordHandlers(state);
  const exports = createExportHandlers(state);
  const connect = createConnectHandlers(state);
  const auditHandlers: Handlers<'audit:list' | 'audit:verify'> = {
    'audit:list': (page) => state.audit.list(page),
    'audit:verify': () => state.audit.verify(),
  };
  const stopWork = async (workspaceId: string): Promise<void> => {
    await sync.stop(workspaceId);
    await exports.stop(workspaceId);
  };
  const handlers = {
    ...sync.handlers,
    ...records.handlers,
    ...exports.handlers,
    ...auditHandlers,
    ...createStoreHandlers(state, { stopWork }),
    ...createNoteHandlers(state),
    ...connect.handlers,
    ...createOrganizationHandlers(state),
    ...createSsnHandlers(state),
  } satisfies {
    [P in EngineProcedureName]: unknown;
  };

  /** Damage that a call ran into is known from then on: a window offers the repair. */
  const noteDamage = (name: string, input: unknown, code: string): void => {
    const { workspaceId } = (input ?? {}) as { workspaceId?: unknown };
    const isOfRecords = /^(records|sync|export):/.test(name);
    if (code === 'store.damaged' && isOfRecords && typeof workspaceId === 'string') {
      state.files.noteDamage(workspaceId, true);
    }
  };

  return {
    async call(name, input, caller = {}) {
      try {
        const procedure = Object.hasOwn(procedures, name)
          ? procedures[name as EngineProcedureName]
          : undefined;
        if (procedure?.answeredBy !== 'engine') throw new DeskError('usage.invalid');
        const parsed = procedure.input.safeParse(input);
        if (!parsed.success) throw new DeskError('usage.invalid', { details: { procedure: name } });
        const handler = handlers[name as EngineProcedureName] as (
          input: unknown,
          caller: EngineCaller,
        ) => Promise<unknown>;
        return { ok: true, value: await handler(parsed.data, caller) };
      } catch (thrown) {
        const error = toErrorReport(thrown);
        noteDamage(name, input, error.code);
        ports.log.write('engine.failed', {
          code: error.code,
          ...(error.requestId === undefined ? {} : { requestId: error.requestId }),
        });
        return { ok: false, error };
      }
    },
    openAhead: state.files.openAhead,
    readRecordTexts: records.readRecordTexts,
    async probe({ workspaceId, keyId }) {
      const api = await state.createApi(workspaceId, keyId === undefined ? {} : { keyId });
      const { requestId, offsetSeconds } = await api.probe();
      return {
        isAccepted: true,
        provenAt: new Date(ports.clock.now()).toISOString(),
        clockOffsetSeconds: offsetSeconds,
        requestId,
      };
    },
    async diagnose({ workspaceId }) {
      const { workspace } = await ports.host.findWorkspace(workspaceId);
      return diagnoseNetwork(workspace, {
        transport: ports.transport,
        clock: ports.clock,
        environment: process.env,
        mayKnowOtherWays: process.versions.electron !== undefined,
        getToken: (offsetSeconds) => ports.host.getToken({ workspaceId, offsetSeconds, isFresh: true }),
      });
    },
    refreshIfDue: ({ workspaceId, minutes }) => sync.refreshIfDue(workspaceId, minutes),
    appendAudit: (record) => state.audit.append(record),
    async closeWorkspace(workspaceId) {
      await stopWork(workspaceId);
      await connect.stop(workspaceId);
      await state.closeStore(workspaceId);
    },
    async forgetWorkspace(workspaceId) {
      const { ours } = state.files;
      if (ours.isThere()) await ours.call('forgetNotes', { workspaceId });
    },
    async close() {
      await sync.stopAll();
      await exports.stopAll();
      await connect.stopAll();
      await state.closeAll();
      listeners.clear();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
