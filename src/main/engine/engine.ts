import type { DoctorFinding } from '../../contract/doctor.ts';
import type { AddedStepId } from '../../contract/doctor-steps.ts';
import type { AnyEvent } from '../../contract/events.ts';
import { type EngineProcedureName, type ParsedInput, procedures } from '../../contract/procedures.ts';
import { findSpellings } from '../../contract/stored-spellings.ts';
import type { TeamChange } from '../../rules/review/team-settings.ts';
import { teamPersonOf } from '../../rules/worklists/worklist-table.ts';
import { createDispatcher } from '../lib/dispatch.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { logFailure } from '../lib/log-failure.ts';
import { createAuditHandlers } from './audit/audit-handlers.ts';
import { createAuditTrim } from './audit/audit-trim.ts';
import { diagnoseTarget } from './audit/diagnose-target.ts';
import { createConnectHandlers } from './connect/connect-handlers.ts';
import type { Engine, EngineCaller, EnginePorts } from './engine-ports.ts';
import { checkExportPolicy } from './export/check-export-policy.ts';
import { auditListed, createExportHandlers } from './export/export-handlers.ts';
import { bindProcedures } from './ipc/bind-procedures.ts';
import { readsFacts } from './ipc/reads-facts.ts';
import { createOpenLists, readRecordTexts, readSnapshot } from './lists/open-lists.ts';
import { recordHandlers } from './lists/record-handlers.ts';
import { createSearchAudit } from './lists/search-audit.ts';
import { createViewHandlers, listViews } from './lists/view-handlers.ts';
import { createAccumulatorHandlers } from './review/accumulator-handlers.ts';
import { createReviewHandlers, createRunHandlers } from './review/review-handlers.ts';
import type { ReviewPorts } from './review/review-ports.ts';
import { createReviews } from './review/reviews.ts';
import { createRuleHandlers, readDecidingRules, readRules } from './review/rule-handlers.ts';
import { createSampleReviews } from './review/sample-reviews.ts';
import { createDuplicateHandlers, createWorklistHandlers } from './review/worklist-handlers.ts';
import { createWorklists } from './review/worklists.ts';
import { sleepFor } from './service/data-api.ts';
import { diagnoseBackups } from './state/diagnose-backups.ts';
import { createEngineState, type EngineState, setAuditToken } from './state/engine-state.ts';
import { restoreProfile } from './state/restore-profile.ts';
import { createBackupHandlers } from './store/backup-handlers.ts';
import { createStoreHandlers, finishRemoval, removeForTeam } from './store/store-handlers.ts';
import { createSyncHandlers } from './sync/sync-handlers.ts';
import { createFollowedTeams } from './team/followed-teams.ts';
import { changeTeamSettings } from './team/hold-team-settings.ts';
import { createLeases } from './team/lease-handlers.ts';
import { createTeamHandlers, createTeamMemberHandlers } from './team/team-handlers.ts';
import { createTeamLogHandlers, verifyTeamFile } from './team/team-log-handlers.ts';
import { createTeamRemovalHandlers } from './team/team-removal-handlers.ts';
import { createTeamSettingsHandlers } from './team/team-settings-handlers.ts';

/** Builds every part of the engine on its shell's ports. `emit` sends an event to windows and listening parts. */
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
    (await ports.main.findWorkspace(workspaceId)).workspace;
  const shared = {
    clock: ports.clock,
    isReadOnly: ports.isReadOnly,
    emit,
    getStore: state.getStore,
    getUserData: state.files.getUserData,
    getSettings: ports.main.getSettings,
    readRules: (workspaceId: string) => readRules(state, workspaceId),
    readSnapshot: (workspaceId: string, snapshotId: string) => readSnapshot(lists, workspaceId, snapshotId),
  };
  const reviewPorts: ReviewPorts = {
    ...shared,
    now: state.now,
    readDecidingRules: (workspaceId) => readDecidingRules(state, workspaceId),
    auditRule: state.auditAction,
    updateFacts: (workspaceId) => worklists.update(workspaceId),
    findOpened: (workspaceId, claimIds) => leases.findOpened(workspaceId, claimIds),
    findAuthor: async (workspaceId) => (await findWorkspace(workspaceId)).email,
    signer: ports.main,
    readSpellings: async (workspaceId) => findSpellings(await listViews(state, workspaceId)).spellings,
    requireWriter: async (workspaceId) => {
      if ((await findWorkspace(workspaceId)).team !== undefined) await team.requireWriter(workspaceId);
    },
    requireRead: async (workspaceId) => {
      if ((await findWorkspace(workspaceId)).team !== undefined) await team.requireRead(workspaceId);
    },
    findRemovedForTeam: async (workspaceId) => {
      if ((await findWorkspace(workspaceId)).team === undefined) return () => false;
      return (await team.sessionOf(workspaceId)).isRemoved();
    },
  };
  const reviews = createReviews(reviewPorts);
  const connect = createConnectHandlers(state);
  const worklists = createWorklists({
    ...shared,
    updateReviews: reviews.updateOnce,
    onFailed,
  });
  const worklistPorts = {
    ...state,
    ...reviews,
    readSnapshot: shared.readSnapshot,
    onFailed,
    findPerson: async (workspaceId: string) => teamPersonOf(await findWorkspace(workspaceId)),
    listPeople: (workspaceId: string) => team.listPeople(workspaceId),
    listConnections: connect.readConnections,
  };
  const { updateAfterSync, decideByRules } = reviews;
  const sync = createSyncHandlers(state, { wrote: updateAfterSync, completed: decideByRules });
  const exports = createExportHandlers(state, lists, reviews);
  /** Ends work on the records, except the team's, which removes them. */
  const stopOther = async (workspaceId: string): Promise<void> => {
    await sync.stop(workspaceId);
    await exports.stop(workspaceId);
    await worklists.stop(workspaceId);
  };
  const team = createFollowedTeams(
    {
      main: ports.main,
      clock: ports.clock,
      backups: state.backups,
      now: state.now,
      getStore: state.getStore,
      getUserData: state.files.getUserData,
      transportOf: state.teamTransportOf,
      sleep: sleepFor,
      random: ports.random ?? Math.random,
      onChanged: (workspaceId) => emit({ name: 'team:changed', payload: { workspaceId } }),
      onLeases: (workspaceId) => emit({ name: 'leases:changed', payload: { workspaceId } }),
      updateReviews: reviews.updateAfterSync,
      removeHere: (request) =>
        removeForTeam({ state, stopWork: stopOther, checkConnect: connect.checkFile }, request),
      onFailed,
      appendTeamFact: reviews.appendTeamFact,
      auditAction: state.auditAction,
      readAuditEnd: async () => {
        const { userData } = state.files;
        return userData.isThere() ? ((await userData.call('readAuditEnd', null)) ?? null) : null;
      },
      onSettings(workspaceId) {
        // Lists, reviews and worklists depend on the settings.
        emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: null } });
        emit({ name: 'views:changed', payload: { workspaceId } });
        emit({ name: 'team:changed', payload: { workspaceId } });
      },
    },
    ports.isReadOnly,
  );
  const leases = createLeases(team, ports.clock.now);
  return {
    leases,
    reviewPorts,
    stopOther,
    state,
    searches,
    lists,
    reviews,
    connect,
    worklists,
    worklistPorts,
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

const createRulePorts = ({ state, reviewPorts, reviews, team }: Parts) => ({
  state,
  reviewPorts,
  reviews,
  async changeTeam(workspaceId: string, changes: readonly TeamChange[]) {
    await changeTeamSettings(team.ports, await team.sessionOf(workspaceId), changes);
    team.wake(workspaceId);
  },
});

function createHandlers(parts: Parts) {
  const { state, lists, reviews, connect, worklists, worklistPorts, sync, exports, team, leases } = parts;
  return {
    ...sync.handlers,
    ...bindProcedures(recordHandlers, () => lists),
    ...exports.handlers,
    ...createAuditHandlers(state),
    ...createStoreHandlers({
      state,
      stopWork: (workspaceId) => stopWork(parts, workspaceId),
      checkConnect: connect.checkFile,
    }),
    ...createBackupHandlers(state),
    ...createViewHandlers(state),
    ...connect.handlers,
    ...createReviewHandlers(
      {
        ...state,
        fetchDocument: async (workspaceId, document) =>
          (await team.sessionOf(workspaceId)).fetchDocument(document),
      },
      reviews,
    ),
    ...createRunHandlers(state, reviews),
    ...createWorklistHandlers(worklistPorts, worklists),
    ...createDuplicateHandlers(worklistPorts),
    ...createAccumulatorHandlers(state, worklists),
    ...createRuleHandlers(createRulePorts(parts)),
    ...createTeamHandlers(team),
    ...createTeamMemberHandlers(team, reviews.undo),
    ...createTeamSettingsHandlers(team),
    ...createTeamLogHandlers(state, team.sessionOf),
    ...leases.handlers,
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

/**
 * The one gate for all answers with facts computed from claims and reviews: it updates these first. Returns true if
 * they are still outdated, which happens only for a call that waits a limited time.
 */
async function passFacts({ worklists }: Parts, name: EngineProcedureName, input: unknown): Promise<boolean> {
  if (!readsFacts(name, input)) return false;
  const { workspaceId } = input as { workspaceId: string };
  if (name === 'records:begin') return !(await worklists.updateSoon(workspaceId));
  await worklists.update(workspaceId);
  return false;
}

/** Answers the procedures of the contract. */
const createAnswer = (ports: EnginePorts, parts: Parts) =>
  createDispatcher<EngineCaller>({
    answeredBy: 'engine',
    handlers: createHandlers(parts),
    async around({ name: called, input, caller, run }) {
      const name = called as EngineProcedureName;
      if (name === 'export:start' || name === 'export:auditPrinted' || name === 'records:copy') {
        const asked = input as ParsedInput<typeof name>;
        checkExportPolicy(ports.policy, {
          isSsnShown: caller?.isSsnShown === true,
          reason: asked.reason ?? '',
          ...('format' in asked ? { format: asked.format } : {}),
        });
      }
      const isBehind = await passFacts(parts, name, input);
      const answer = (await run()) as object;
      const said = isBehind ? { ...answer, isBehind } : answer;
      return procedures[name].traits.hasRecords
        ? parts.state.maskSsns((input as { workspaceId: string }).workspaceId, said)
        : said;
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
  const { isClockConfirmed, audit } = state;
  const onFailed = (thrown: unknown): void => logFailure(ports.log, 'store.auditFailed', thrown);
  // Spellings are stored as a view, and lists show names with them.
  listeners.add(({ name, payload }) => {
    if (name === 'views:changed') parts.reviews.updateSpellings(payload.workspaceId).catch(onFailed);
  });
  const auditTrim = createAuditTrim({ isClockConfirmed, trim: audit.trim, onFailed });
  listeners.add(auditTrim.onEvent);
  const answer = createAnswer(ports, parts);
  const samplePorts = {
    ...parts.reviewPorts,
    answer,
    isSample: async (workspaceId: string) => (await ports.main.findWorkspace(workspaceId)).workspace.isSample,
    onFailed: (thrown: unknown): void => logFailure(ports.log, 'engine.failed', thrown),
  };
  listeners.add(worklists.onEvent);
  listeners.add(createSampleReviews(samplePorts, parts.reviews, worklists)).add(parts.team.onEvent);
  return {
    call: (name, input, caller = {}) => answer(name, input, caller),
    openAhead(workspaceId) {
      const onFailed = (thrown: unknown): void => logFailure(ports.log, 'engine.failed', thrown);
      // Commands that only read the open profile wait for what this process computes.
      const openAndUpdate = async (): Promise<void> => {
        if (await state.files.openAhead(workspaceId)) await worklists.update(workspaceId);
      };
      openAndUpdate().catch(onFailed);
      void parts.team.start(workspaceId).catch(onFailed);
    },
    auditListed: (listing) => auditListed(state, listing),
    async readRecordTexts(request) {
      if (request.isSsnShown && ports.policy.allowSsnExport === false)
        throw new DeskError('policy.ssnMasked');
      return readRecordTexts(lists, request);
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
      const { workspace } = await ports.main.findWorkspace(workspaceId);
      const ofTeam = workspace.team === undefined ? null : parts.team.diagnose(workspaceId);
      const ofTarget = state.forwarder && diagnoseTarget(state.forwarder);
      const ofBackups = diagnoseBackups(state.backups);
      // Loaded only when needed: its HTTP client takes 25 ms of each start.
      const { diagnoseNetwork } = await import('./doctor/diagnose-network.ts');
      const diagnosis = await diagnoseNetwork(workspace, {
        transport: state.transportOf(workspaceId),
        clock: ports.clock,
        environment: process.env,
        mayKnowOtherPaths: process.versions.electron !== undefined,
        getToken: (offsetSeconds) => ports.main.getToken({ workspaceId, offsetSeconds, isFresh: true }),
      });
      const added = {
        ...((await ofTeam) ?? { teamServer: null, teamClock: null, teamStream: null }),
        auditTarget: await ofTarget,
        backupFolder: await ofBackups,
      } satisfies Record<AddedStepId, DoctorFinding | null>;
      const results = Object.values(added).filter((result) => result !== null);
      return { ...diagnosis, findings: [...diagnosis.findings, ...results] };
    },
    refreshIfDue: ({ workspaceId, minutes }) => sync.refreshIfDue(workspaceId, minutes),
    appendAudit: (record) => state.audit.append(record),
    trimAudit: ({ before }) => auditTrim.trimBefore(before),
    readAuditLines: state.audit.readLines,
    setAuditToken: (token) => setAuditToken(ports, token),
    verifyAuditFile: state.audit.verifyFile,
    backUpIfDue: () => state.backups.ifDue(),
    restore: (request) => restoreProfile(state, request),
    verifyTeamFile: (path) => verifyTeamFile(path, ports.main),
    async closeWorkspace(workspaceId) {
      await stopWork(parts, workspaceId);
      await connect.stop(workspaceId);
      await state.files.closeStore(workspaceId);
    },
    async forgetWorkspace(workspaceId) {
      const { userData } = state.files;
      if (!userData.isThere()) return;
      await state.backups.keepRemoved({ workspaceId }, () => userData.call('forgetWritten', { workspaceId }));
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
