import type { connectProcedures } from '../../../contract/connect-procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import { bindProcedures, type ProceduresOver } from '../ipc/bind-procedures.ts';
import type { EngineState } from '../state/engine-state.ts';
import { addMember, listEmployers, planNewMember } from './add-member.ts';
import { beginCorrection, listConnections, readConnection, refreshConnections } from './connections.ts';
import { readTerms } from './consents.ts';
import { forgetIfKnown, forgetMember, listMembers } from './members.ts';
import { openConnect } from './open-connect.ts';
import { getPatientAccess, openPatientAccess, startPatientAccess } from './patient-access.ts';
import { findNewCarrier, listPayers, readPayer } from './payers.ts';
import { watchRunning } from './running-elsewhere.ts';
import { showSamplePeople } from './show-sample-people.ts';
import {
  answerValidation,
  checkAgain,
  getValidation,
  listValidations,
  submitLogin,
  watchAgain,
} from './validations.ts';
import { nowText, stopConnect, type WorkspaceConnect } from './workspace-connect.ts';

type Names = keyof typeof connectProcedures;

/** Procedures that a process without the profile's write lock answers with `profile.busy`. */
const writing: ReadonlySet<string> = new Set<Names>([
  'connect:saveSettings',
  'connect:addMember',
  'connect:forgetMember',
  'connect:submit',
  'connect:correct',
  'connect:startPatientAccess',
]);

const procedures: ProceduresOver<Names, WorkspaceConnect> = {
  'connect:getSettings': ({ integration }) => integration.getSettings(),
  'connect:saveSettings': async (connect, { workspaceId: _workspaceId, ...change }) => {
    const settings = await connect.integration.saveSettings(change);
    const { isDemo, hasSecret } = settings;
    const names = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    await connect.audit('connect.settingsChanged', { changed: names.sort().join(' '), isDemo, hasSecret });
    connect.emit('settings');
    return settings;
  },
  'connect:mint': async (connect) => {
    const { api } = await connect.integration.open();
    const { requestId } = await api.mint();
    return { mintedAt: nowText(connect), requestId };
  },

  'connect:listEmployers': async (connect) => ({ employers: await listEmployers(connect) }),
  'connect:planMember': planNewMember,
  'connect:addMember': async (connect, input) => {
    const added = await addMember(connect, input);
    return { ...added, connections: await listConnections(connect, added.member.email) };
  },
  'connect:listMembers': async (connect) => {
    await showSamplePeople(connect);
    return { members: await listMembers(connect) };
  },
  'connect:forgetMember': async (connect, { email }) => {
    await forgetMember(connect, email);
    return { isDone: true };
  },
  'connect:listPayers': async (connect, { email, employerId }) => ({
    payers: await listPayers(connect, email, employerId),
  }),
  'connect:getPayer': (connect, { email, payerId, employerId }) =>
    readPayer(connect, email, payerId, employerId),
  'connect:getTerms': async (connect, { email }) => ({ untrustedHtml: await readTerms(connect, email) }),

  'connect:submit': async (connect, login) => {
    // The audit entry is written before the request, so that no login goes to a carrier without an entry.
    await connect.audit('connect.loginSubmitted', { payerId: login.payerId });
    return submitLogin(connect, login);
  },
  'connect:correct': async (connect, { policyHolderId, ...login }) => {
    await connect.audit('connect.loginCorrected', { payerId: login.payerId, policyHolderId });
    return submitLogin(connect, login, policyHolderId);
  },
  'connect:listConnections': async (connect, { email, policyHolderIds, isFresh }) => {
    await showSamplePeople(connect);
    const failures = isFresh === true ? await refreshConnections(connect, email) : [];
    if (isFresh === true) connect.emit('connections');
    return { connections: await listConnections(connect, email, policyHolderIds), failures };
  },
  'connect:fix': async (connect, { email }) => {
    await refreshConnections(connect, email);
    return { connections: await listConnections(connect, email) };
  },
  'connect:readConnection': async (connect, { policyHolderId }) => {
    const { connection } = await readConnection(connect, policyHolderId);
    connect.emit('connections', policyHolderId);
    return connection;
  },
  'connect:beginCorrection': async (connect, { policyHolderId }) => {
    const begun = await beginCorrection(connect, policyHolderId);
    connect.emit('connections', policyHolderId);
    return begun;
  },
  'connect:findNewCarrier': (connect, { policyHolderId }) => findNewCarrier(connect, policyHolderId),

  'connect:watch': (connect, { policyHolderId, email }) => watchAgain(connect, policyHolderId, email),
  'connect:watchRunning': async (connect, { onScreenId }) => ({
    watched: await watchRunning(connect, onScreenId),
  }),
  'connect:checkAgain': (connect, { policyHolderId, email }) => checkAgain(connect, policyHolderId, email),
  'connect:getValidation': (connect, { policyHolderId }) => getValidation(connect, policyHolderId),
  'connect:listValidations': async (connect) => ({ validations: await listValidations(connect) }),
  'connect:chooseMethod': (connect, { method, ...target }) => answerValidation(connect, target, { method }),
  'connect:sendCode': (connect, { code, ...target }) => answerValidation(connect, target, { code }),

  'connect:startPatientAccess': async (connect, request) => {
    await connect.audit('connect.patientAccessBegun', { payerId: request.payerId });
    return startPatientAccess(connect, request);
  },
  'connect:openPatientAccess': (connect, { email }) => openPatientAccess(connect, email),
  'connect:getPatientAccess': (connect, { email }) => getPatientAccess(connect, email),
};

/** Answers the procedures of Connect: the integration of each workspace, its members, validations and sign-ins. */
export function createConnectHandlers(state: EngineState) {
  const opened = new Map<string, Promise<WorkspaceConnect>>();
  const connectOf = (workspaceId: string): Promise<WorkspaceConnect> => {
    let connect = opened.get(workspaceId);
    if (connect === undefined) {
      connect = openConnect(state, workspaceId);
      opened.set(workspaceId, connect);
      connect.catch(() => opened.delete(workspaceId));
    }
    return connect;
  };
  const stop = async (workspaceId: string): Promise<void> => {
    const opening = opened.get(workspaceId);
    opened.delete(workspaceId);
    const connect = await opening?.catch(() => undefined);
    if (connect !== undefined) await stopConnect(connect);
  };
  const handlers = bindProcedures(procedures, (name, { workspaceId }) => {
    if (state.isReadOnly && writing.has(name)) throw new DeskError('profile.busy');
    return connectOf(workspaceId);
  });
  return {
    handlers,
    /** The stored connections, without a request to the service. */
    async readConnections(workspaceId: string) {
      const connect = await connectOf(workspaceId);
      await showSamplePeople(connect);
      return listConnections(connect);
    },
    /** Removes what is stored of a member, and all backups, which may hold more than the file. */
    forgetIfKnown: async (workspaceId: string, email: string) =>
      forgetIfKnown(await connectOf(workspaceId), email),
    checkFile: async (workspaceId: string, isFull: boolean) =>
      (await connectOf(workspaceId)).file.check(isFull),
    stop,
    stopAll: async () => void (await Promise.all([...opened.keys()].map(stop))),
  };
}
