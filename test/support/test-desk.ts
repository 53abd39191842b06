import type { AuditRecord } from '../../src/contract/audit.ts';
import type { AnyEvent } from '../../src/contract/events.ts';
import type { Input, MainProcedureName, Output } from '../../src/contract/procedures.ts';
import type { ErrorReport, Result } from '../../src/contract/result.ts';
import type { DeskPorts, EngineHandle, SampleService } from '../../src/main/desk/desk-state.ts';
import { createDesk } from '../../src/main/desk.ts';
import { createEphemeralStore } from '../../src/main/keychain/secret-store.ts';
import type { MainCalls } from '../../src/main/lib/engine-protocol.ts';
import { DeskError } from '../../src/main/lib/errors.ts';
import { createLog } from '../../src/main/lib/log.ts';

/** A service with a set of accepted key IDs, and an error that it may reply with. */
export interface TestService {
  readonly accepted: Set<string>;
  takes: (keyId: string) => boolean | Promise<boolean>;
  fault: DeskError | null;
  /** The key ID of each probe. */
  readonly asked: string[];
}

export interface TestDeskOptions {
  readonly profileDir: string;
  readonly secrets?: ReturnType<typeof createEphemeralStore>;
  readonly ports?: Partial<DeskPorts>;
  readonly watchesIdle?: boolean;
  readonly sample?: SampleService;
}

/** A whole desk with a simulated engine, which replies to probes as the service does and stores audit entries. */
export function openTestDesk(options: TestDeskOptions) {
  const { profileDir } = options;
  const secrets = options.secrets ?? createEphemeralStore();
  const accepted = new Set<string>();
  const service: TestService = { accepted, takes: (id) => accepted.has(id), fault: null, asked: [] };
  const audit: AuditRecord[] = [];
  const events: AnyEvent[] = [];
  const closed: string[] = [];
  const trims: { before: string }[] = [];
  const refreshes: { workspaceId: string; minutes: number }[] = [];
  let nowMs = Date.UTC(2026, 10, 20);
  const clock = { now: () => nowMs };
  let mainCalls: MainCalls | null = null;
  const engine: EngineHandle = {
    async probe({ workspaceId, keyId = '' }) {
      service.asked.push(keyId);
      if (service.fault !== null) throw service.fault;
      if (!(await service.takes(keyId))) throw new DeskError('service.unauthorized');
      const provenAt = new Date(nowMs).toISOString();
      return { isAccepted: true, provenAt, clockOffsetSeconds: 0, requestId: workspaceId };
    },
    diagnose: () => Promise.reject(new DeskError('usage.invalid')),
    appendAudit: async (record) => void audit.push(record),
    trimAudit: async (wanted) => trims.push(wanted),
    backUpIfDue: async () => false,
    refreshIfDue: async (wanted) => refreshes.push(wanted) > 0,
    closeWorkspace: async (id) => void closed.push(id),
    forgetWorkspace: async () => undefined,
    close: async () => undefined,
    onEnded: () => undefined,
  };
  const desk = createDesk(
    {
      shell: 'browser',
      version: '0',
      profileDir,
      environment: {},
      clock,
      log: createLog({ filePath: null, clock }),
      startEngine: async (main) => {
        mainCalls = main;
        return engine;
      },
      startSampleService: async () => {
        if (options.sample === undefined) throw new DeskError('sandbox.failed');
        return options.sample;
      },
      openUrl: async () => false,
      writeClipboard: async () => false,
      clearClipboard: async () => undefined,
      chooseSavePath: async (name) => `${profileDir}/${name}`,
      isReadOnly: false,
      policy: {},
      ...options.ports,
    },
    { secrets, watchesIdle: options.watchesIdle === true },
  );
  desk.subscribe((event) => events.push(event));

  const ask = async <P extends MainProcedureName>(name: P, input: Input<P>): Promise<Result<Output<P>>> =>
    (await desk.call(name, input)) as Result<Output<P>>;
  return {
    desk,
    service,
    audit,
    events,
    closed,
    /** Requests to remove entries from the audit log. */
    trims,
    /** Requests to refresh if it is due. */
    refreshes,
    secrets,
    /** The functions that the engine may call in main. */
    async main(): Promise<MainCalls> {
      await desk.getEngine();
      return mainCalls as MainCalls;
    },
    passDays(days: number): void {
      nowMs += days * 86_400_000;
    },
    /** The value; throws the code where there is none. */
    async call<P extends MainProcedureName>(name: P, input: Input<P>): Promise<Output<P>> {
      const result = await ask(name, input);
      if (!result.ok) throw new Error(`${name}: ${result.error.code}`);
      return result.value;
    },
    /** The error; throws where there is none. */
    async fail<P extends MainProcedureName>(name: P, input: Input<P>): Promise<ErrorReport> {
      const result = await ask(name, input);
      if (result.ok) throw new Error(`${name} succeeded.`);
      return result.error;
    },
    actions: (): string[] => audit.map(({ action }) => action),
  };
}

export type TestDesk = ReturnType<typeof openTestDesk>;
