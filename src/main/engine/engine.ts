import type { AnyEvent } from '../../contract/events.ts';
import type { EngineProcedureName, ParsedInput } from '../../contract/procedures.ts';
import { teamPersonOf } from '../../contract/worklist-table.ts';
import { createDispatcher } from '../lib/dispatch.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { logFailure } from '../lib/log-failure.ts';
import { createAuditTrim } from './audit/audit-trim.ts';
import { diagnoseNetwork } from './doctor/diagnose-network.ts';
import type { Engine, EngineCaller, EnginePorts } from './engine-ports.ts';
import { judgeExport } from './export/judge-export.ts';
import { createAccumulatorHandlers } from './ipc/accumulator-handlers.ts';
import { createAuditHandlers } from './ipc/audit-handlers.ts';
import { bindProcedures } from './ipc/bind-procedures.ts';
import { createConnectHandlers } from './ipc/connect-handlers.ts';
import { createEngineState, type EngineState } from './ipc/engine-state.ts';
import { createExportHandlers, noteListed } from './ipc/export-handlers.ts';
import { createFollowedTeams } from './ipc/followed-teams.ts';
import { createLeaseHandlers } from './ipc/lease-handlers.ts';
import { createOpenLists, readRecordTexts, readSnapshot } from './ipc/open-lists.ts';
import { recordHandlers } from './ipc/record-handlers.ts';
import { afterReviews, createReviewHandlers, createRunHandlers } from './ipc/review-handlers.ts';
import { createSearchAudit } from './ipc/search-audit.ts';
import { createStoreHandlers, finishRemoval, removeForTeam } from './ipc/store-handlers.ts';
import { createSyncHandlers } from './ipc/sync-handlers.ts';
import { createTeamHandlers, createTeamMemberHandlers } from './ipc/team-handlers.ts';
import { createTeamLogHandlers, verifyTeamFile } from './ipc/team-log-handlers.ts';
import { createTeamRemovalHandlers } from './ipc/team-removal-handlers.ts';
import { createTeamSettingsHandlers } from './ipc/team-settings-handlers.ts';
import { createViewHandlers } from './ipc/view-handlers.ts';
import { createWorklistHandlers } from './ipc/worklist-handlers.ts';
import { createAccumulators } from './review/accumulators.ts';
import { createReviews } from './review/reviews.ts';
import { createSampleReviews } from './review/sample-reviews.ts';
import { createWorklists } from './review/worklists.ts';
import { sleepFor } from './service/data-api.ts';

/**
 * Builds every part of the engine on the ports of its shell. `emit` sends an event to windows and to the parts that
 * listen.
 */
function createParts(ports: EnginePorts, emit: (event: AnyEvent) => void) {
  const state: EngineState = createEngineState({
    ...ports,
    emit,
    opened: (workspaceId, store) => finishRemoval(state, connect.forgetIfKnown, workspaceId, store),
  });
  const searches = createSearchAudit(state);
  const lists = createOpenLists(state, searches);
  const onFailed = (thrown: unknown): void => logFailure(ports.log, 'engine.failed', thrown);
  const findWorkspace = async (workspaceId: string) =>
    (await ports.host.findWorkspace(workspaceId)).workspace;
  const shared = {
    clock: ports.clock,
    isReadOnly: ports.isReadOnly,
    emit,
    getStore: state.getStore,
    getUserData: state.files.getUserData,
    getSettings: ports.host.getSettings,
    readSnapshot: (workspaceId: string, snapshotId: string) => readSnapshot(lists, workspaceId, snapshotId),
  };
  const reviews = createReviews({
    ...shared,
    now: state.now,
    findAuthor: async (workspaceId) => (await findWorkspace(workspaceId)).email,
    signer: ports.host,
    findRemovedForTeam: async (workspaceId) => {
      if ((await findWorkspace(workspaceId)).team === undefined) return () => false;
      return (await team.sessionOf(workspaceId)).isRemoved();
    },
  });
  const connect = createConnectHandlers(state);
  const worklists = createWorklists({
    ...shared,
    settleReviews: reviews.settleOnce,
    canUndo: reviews.canUndo,
    sumDone: reviews.sumDone,
    listPayments: reviews.listPayments,
    findPerson: async (workspaceId) => teamPersonOf(await findWorkspace(workspaceId)),
    listPeople: (workspaceId) => team.listPeople(workspaceId),
    listConnections: connect.readConnections,
    onFailed,
  });
  const isSample = async (workspaceId: string) => (await findWorkspace(workspaceId)).isSample;
  const addSampleReviews = createSampleReviews({ ...shared, isSample, onFailed }, reviews, worklists);
  const sync = createSyncHandlers(state, reviews.settleAfterSync);
  const exports = createExportHandlers(state, lists, reviews.readRunFile);
  /** Ends work on the records but the team's, which removes them. */
  const stopOther = async (workspaceId: string): Promise<void> => {
    await sync.stop(workspaceId);
    await exports.stop(workspaceId);
    await worklists.stop(workspaceId);
  };
  const team = createFollowedTeams(
    {
      host: ports.host,
      clock: ports.clock,
      now: state.now,
      getStore: state.getStore,
      getUserData: state.files.getUserData,
      transportOf: state.teamTransportOf,
      sleep: sleepFor,
      random: ports.random ?? Math.random,
      onChanged: (workspaceId) => emit({ name: 'team:changed', payload: { workspaceId } }),
      onLeases: (workspaceId) => emit({ name: 'leases:changed', payload: { workspaceId } }),
      settle: reviews.settleAfterSync,
      removeHere: (wanted) =>
        removeForTeam({ state, stopWork: stopOther, checkConnect: connect.checkFile }, wanted),
      onFailed,
      appendTeamFact: reviews.appendTeamFact,
      auditAction: state.auditAction,
      readAuditEnd: async () => {
        const { userData } = state.files;
        return userData.isThere() ? ((await userData.call('readAuditEnd', null)) ?? null) : null;
      },
      onSettings(workspaceId) {
        // Lists, reviews and worklists are counted by them.
        emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: null } });
        emit({ name: 'views:changed', payload: { workspaceId } });
        emit({ name: 'team:changed', payload: { workspaceId } });
      },
    },
    ports.isReadOnly,
  );
  return {
    stopOther,
    state,
    searches,
    lists,
    reviews,
    connect,
    worklists,
    addSampleReviews,
    sync,
    exports,
    team,
  };
}
type Parts = ReturnType<typeof createParts>;

/** Ends operations that use the records of a workspace. */
async function stopWork({ team, stopOther }: Parts, workspaceId: string): Promise<void> {
  await team.stop(workspaceId);
  await stopOther(workspaceId);
}

function createHandlers(parts: Parts) {
  const { state, lists, reviews, connect, worklists, sync, exports, team } = parts;
  const settled = {
    async settleOnce(workspaceId: string): Promise<void> {
      await reviews.settleOnce(workspaceId);
      await worklists.updateSoon(workspaceId);
    },
  };
  const records = bindProcedures(recordHandlers, () => lists);
  return {
    ...sync.handlers,
    ...afterReviews(records, settled),
    ...afterReviews(exports.handlers, settled),
    ...createAuditHandlers(state),
    ...createStoreHandlers({
      state,
      stopWork: (workspaceId) => stopWork(parts, workspaceId),
      checkConnect: connect.checkFile,
    }),
    ...createViewHandlers(state),
    ...connect.handlers,
    ...createReviewHandlers(state, reviews),
    ...createRunHandlers(state, reviews),
    ...createWorklistHandlers(state, worklists),
    ...createAccumulatorHandlers(createAccumulators(state, worklists)),
    ...createTeamHandlers(team),
    ...createTeamMemberHandlers(team),
    ...createTeamSettingsHandlers(team),
    ...createTeamLogHandlers(state, team.sessionOf),
    ...createLeaseHandlers(team),
    ...createTeamRemovalHandlers(state, team.sessionOf),
  } satisfies { [P in EngineProcedureName]: unknown };
}

/** Marks a workspace as damaged when a call fails because its records are, so that a window offers the repair. */
function markIfDamaged({ files }: Parts['state'], name: string, input: unknown, error: DeskError): void {
  const { workspaceId } = (input ?? {}) as { workspaceId?: unknown };
  const isOfRecords = /^(records|sync|export):/.test(name) && error.details?.file !== 'userData';
  if (error.code === 'store.damaged' && isOfRecords && typeof workspaceId === 'string')
    files.markDamaged(workspaceId, true);
}

/** Procedures whose answers have texts of records; one of them reveals an SSN, which is audited. */
const showsRecords = /^(?:records:(?!revealSsn)|sync:|reviews:|worklists:|duplicates:)/;

/** Answers the procedures of the contract. */
const createAnswer = (ports: EnginePorts, parts: Parts) =>
  createDispatcher<EngineCaller>({
    answeredBy: 'engine',
    handlers: createHandlers(parts),
    async around({ name, input, caller, run }) {
      if (name === 'export:start' || name === 'export:notePrinted' || name === 'records:copy') {
        const { reason = '' } = input as ParsedInput<typeof name>;
        judgeExport(ports.policy, { isSsnShown: caller?.isSsnShown === true, reason });
      }
      const answer = await run();
      return showsRecords.test(name)
        ? parts.state.maskSsns((input as { workspaceId: string }).workspaceId, answer)
        : answer;
    },
    onFailed(thrown, { name, input }) {
      markIfDamaged(parts.state, name, input, toDeskError(thrown));
      logFailure(ports.log, 'engine.failed', thrown, { procedure: name });
    },
  });

/** Builds the engine: it holds the records, calls the service, syncs, searches and exports. */
export function createEngine(ports: EnginePorts): Engine {
  const listeners = new Set<(event: AnyEvent) => void>();
  const parts = createParts(ports, (event) => {
    for (const listener of listeners) listener(event);
  });
  const { state, lists, connect, worklists, sync, exports } = parts;
  listeners.add(worklists.onEvent).add(parts.addSampleReviews).add(parts.team.onEvent);
  const { isClockConfirmed, audit } = state;
  const onFailed = (thrown: unknown): void => logFailure(ports.log, 'store.auditFailed', thrown);
  const auditTrim = createAuditTrim({ isClockConfirmed, trim: audit.trim, onFailed });
  listeners.add(auditTrim.onEvent);
  const answer = createAnswer(ports, parts);
  return {
    call: (name, input, caller = {}) => answer(name, input, caller),
    openAhead(workspaceId) {
      state.files.openAhead(workspaceId);
      void parts.team.start(workspaceId).catch((thrown) => logFailure(ports.log, 'engine.failed', thrown));
    },
    noteListed: (wanted) => noteListed(state, wanted),
    async readRecordTexts(wanted) {
      if (wanted.isSsnShown && ports.policy.allowSsnExport === false) throw new DeskError('policy.ssnMasked');
      return readRecordTexts(lists, wanted);
    },
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
      const ofTeam = workspace.team === undefined ? [] : parts.team.diagnose(workspaceId);
      const diagnosis = await diagnoseNetwork(workspace, {
        transport: state.transportOf(workspaceId),
        clock: ports.clock,
        environment: process.env,
        mayKnowOtherPaths: process.versions.electron !== undefined,
        getToken: (offsetSeconds) => ports.host.getToken({ workspaceId, offsetSeconds, isFresh: true }),
      });
      return { ...diagnosis, findings: [...diagnosis.findings, ...(await ofTeam)] };
    },
    refreshIfDue: ({ workspaceId, minutes }) => sync.refreshIfDue(workspaceId, minutes),
    appendAudit: (record) => state.audit.append(record),
    trimAudit: ({ before }) => auditTrim.trimBefore(before),
    readAuditLines: state.audit.readLines,
    verifyAuditFile: state.audit.verifyFile,
    verifyTeamFile: (path) => verifyTeamFile(path, ports.host),
    async closeWorkspace(workspaceId) {
      await stopWork(parts, workspaceId);
      await connect.stop(workspaceId);
      await state.files.closeStore(workspaceId);
    },
    async forgetWorkspace(workspaceId) {
      const { userData } = state.files;
      if (userData.isThere()) await userData.call('forgetWritten', { workspaceId });
    },
    async close() {
      await parts.team.stopAll();
      await sync.stopAll();
      await exports.stopAll();
      await connect.stopAll();
      await worklists.stopAll();
      parts.searches.end();
      await state.closeAll();
      listeners.clear();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
