import { basename, join } from 'node:path';
import type { connectProcedures } from '../../../contract/connect-procedures.ts';
import type { EventPayload } from '../../../contract/events.ts';
import type { Handlers } from '../../../contract/procedures.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { ConnectRecords } from '../connect/add-member.ts';
import { createConnectFile } from '../connect/connect-file.ts';
import type { IntegrationSecret } from '../connect/integration.ts';
import { type ConnectRoom, createConnectRoom } from '../connect/workspace-connect.ts';
import type { Store } from '../store/threads/store.ts';
import type { EngineState } from './engine-state.ts';

/** Connect: the integration of each workspace, its members, validations and sign-ins. */
export function createConnectHandlers(state: EngineState) {
  const rooms = new Map<string, Promise<ConnectRoom>>();

  const changed = (
    workspaceId: string,
    what: EventPayload<'connect:changed'>['what'],
    policyHolderId: number | null = null,
  ): void => state.emit({ name: 'connect:changed', payload: { workspaceId, what, policyHolderId } });

  const open = async (workspaceId: string): Promise<ConnectRoom> => {
    const { workspace, folder, connectSecretAccount } = await state.host.findWorkspace(workspaceId);
    const file = createConnectFile({
      path: join(folder, 'connect.sealed'),
      readKey: () => state.readDatabaseKey(workspaceId),
      isReadOnly: state.isReadOnly,
    });
    return createConnectRoom({
      findWorkspace: async () => (await state.host.findWorkspace(workspaceId)).workspace,
      file,
      secret: workspace.isSample ? inMemory() : inSecrets(connectSecretAccount),
      getSample: async () => (workspace.isSample ? state.host.getSampleConnect() : null),
      transport: state.transportOf(workspaceId),
      clock: state.clock,
      ...(state.random === undefined ? {} : { random: state.random }),
      records: readRecords(state, workspaceId),
      openUrl: (url) => state.host.openUrl(url),
      emit: (what, policyHolderId) => changed(workspaceId, what, policyHolderId),
      onCall({ method, route, status, durationMs, requestId, code }) {
        state.log.write('connect.called', {
          method,
          route,
          durationMs,
          ...(status === null ? {} : { status }),
          ...(requestId === null ? {} : { requestId }),
          ...(code === null ? {} : { code }),
        });
      },
    });
  };
  const inSecrets = (account: string): IntegrationSecret => ({
    read: async () => (await state.secrets.get(account))?.toString('utf8') ?? null,
    write: async (value) => {
      if (value === null) await state.secrets.delete(account);
      else await state.secrets.set(account, Buffer.from(value, 'utf8'));
    },
  });
  const roomOf = (workspaceId: string): Promise<ConnectRoom> => {
    let room = rooms.get(workspaceId);
    if (room === undefined) {
      room = open(workspaceId);
      rooms.set(workspaceId, room);
      room.catch(() => rooms.delete(workspaceId));
    }
    return room;
  };
  const mustWrite = (): void => {
    if (state.isReadOnly) throw new DeskError('profile.busy');
  };
  const stop = async (workspaceId: string): Promise<void> => {
    const room = rooms.get(workspaceId);
    rooms.delete(workspaceId);
    await (await room?.catch(() => undefined))?.stop();
  };

  const handlers: Handlers<keyof typeof connectProcedures> = {
    'connect:getSettings': async ({ workspaceId }) => (await roomOf(workspaceId)).integration.getSettings(),
    'connect:saveSettings': async ({ workspaceId, ...change }) => {
      mustWrite();
      const room = await roomOf(workspaceId);
      const settings = await room.integration.saveSettings(change);
      const names = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      await state.noteDone(workspaceId, 'connect.settingsChanged', {
        changed: names.sort().join(' '),
        isDemo: settings.isDemo,
        hasSecret: settings.hasSecret,
      });
      changed(workspaceId, 'settings');
      return settings;
    },
    'connect:mint': async ({ workspaceId }) => {
      const { api } = await (await roomOf(workspaceId)).integration.open();
      const { requestId } = await api.mint();
      return { mintedAt: new Date(state.clock.now()).toISOString(), requestId };
    },

    'connect:listEmployers': async ({ workspaceId }) => ({
      employers: await (await roomOf(workspaceId)).adding.listEmployers(),
    }),
    'connect:planMember': async ({ workspaceId, ...input }) => (await roomOf(workspaceId)).adding.plan(input),
    'connect:bootstrap': async ({ workspaceId, ...input }) => {
      mustWrite();
      const { adding, connections } = await roomOf(workspaceId);
      const answer = await adding.add(input).catch(async (thrown: unknown) => {
        // The service has done something all the same, and the employer it named is kept.
        if (thrown instanceof DeskError && thrown.code === 'connect.employerMismatch') {
          const employerId = thrown.details?.employerId ?? null;
          await state.noteDone(workspaceId, 'connect.memberBroughtIn', { employerId, isAsChosen: false });
          changed(workspaceId, 'members');
        }
        throw thrown;
      });
      await state.noteDone(workspaceId, 'connect.memberBroughtIn', {
        employerId: answer.member.employer.id,
        tenantId: answer.member.tenant.id,
      });
      changed(workspaceId, 'members');
      return { ...answer, connections: await connections.list(answer.member.email) };
    },
    'connect:listMembers': async ({ workspaceId }) => ({
      members: await (await roomOf(workspaceId)).members.list(),
    }),
    'connect:forgetMember': async ({ workspaceId, email }) => {
      mustWrite();
      const room = await roomOf(workspaceId);
      await room.validations.forgetMember(email);
      await room.patientAccess.forgetMember(email);
      await room.members.forget(email);
      await state.noteDone(workspaceId, 'connect.memberForgotten', {});
      changed(workspaceId, 'members');
      return { isDone: true };
    },
    'connect:listPayers': async ({ workspaceId, email, employerId }) => ({
      payers: await (await roomOf(workspaceId)).members.listPayers(email, employerId),
    }),
    'connect:getPayer': async ({ workspaceId, email, payerId, employerId }) =>
      (await roomOf(workspaceId)).members.readPayer(email, payerId, employerId),
    'connect:getTerms': async ({ workspaceId, email }) => ({
      untrustedHtml: await (await roomOf(workspaceId)).members.readTerms(email),
    }),

    'connect:submit': async ({ workspaceId, ...login }) => {
      mustWrite();
      // Before it leaves: nothing goes to a carrier that is not written down.
      await state.noteDone(workspaceId, 'connect.loginSubmitted', { payerId: login.payerId });
      return (await roomOf(workspaceId)).validations.submit(login);
    },
    'connect:correct': async ({ workspaceId, policyHolderId, ...login }) => {
      mustWrite();
      await state.noteDone(workspaceId, 'connect.loginCorrected', {
        payerId: login.payerId,
        policyHolderId,
      });
      return (await roomOf(workspaceId)).validations.correct(login, policyHolderId);
    },
    'connect:listConnections': async ({ workspaceId, email, isFresh }) => {
      const { connections } = await roomOf(workspaceId);
      const failures = isFresh === true ? await connections.refresh(email) : [];
      if (isFresh === true) changed(workspaceId, 'connections');
      return { connections: await connections.list(email), failures };
    },
    'connect:fix': async ({ workspaceId, email }) => {
      const { connections } = await roomOf(workspaceId);
      await connections.refresh(email);
      return { connections: await connections.list(email) };
    },
    'connect:readConnection': async ({ workspaceId, policyHolderId }) => {
      const connection = await (await roomOf(workspaceId)).connections.read(policyHolderId);
      changed(workspaceId, 'connections', policyHolderId);
      return connection;
    },
    'connect:beginCorrection': async ({ workspaceId, policyHolderId }) => {
      const begun = await (await roomOf(workspaceId)).connections.beginCorrection(policyHolderId);
      changed(workspaceId, 'connections', policyHolderId);
      return begun;
    },
    'connect:findNewCarrier': async ({ workspaceId, policyHolderId }) =>
      (await roomOf(workspaceId)).findNewCarrier(policyHolderId),

    'connect:watch': async ({ workspaceId, policyHolderId, email }) =>
      (await roomOf(workspaceId)).validations.watch(policyHolderId, email),
    'connect:watchRunning': async ({ workspaceId, onScreenId }) => ({
      watched: await (await roomOf(workspaceId)).runningElsewhere.watch(onScreenId),
    }),
    'connect:checkAgain': async ({ workspaceId, policyHolderId, email }) =>
      (await roomOf(workspaceId)).validations.checkAgain(policyHolderId, email),
    'connect:getValidation': async ({ workspaceId, policyHolderId }) =>
      (await roomOf(workspaceId)).validations.get(policyHolderId),
    'connect:listValidations': async ({ workspaceId }) => ({
      validations: await (await roomOf(workspaceId)).validations.list(),
    }),
    'connect:chooseMethod': async ({ workspaceId, policyHolderId, email, method }) =>
      (await roomOf(workspaceId)).validations.answer({ policyHolderId, email }, { method }),
    'connect:sendCode': async ({ workspaceId, policyHolderId, email, code }) =>
      (await roomOf(workspaceId)).validations.answer({ policyHolderId, email }, { code }),

    'connect:startPatientAccess': async ({ workspaceId, ...wanted }) => {
      mustWrite();
      await state.noteDone(workspaceId, 'connect.patientAccessBegun', { payerId: wanted.payerId });
      return (await roomOf(workspaceId)).patientAccess.start(wanted);
    },
    'connect:openPatientAccess': async ({ workspaceId, email }) =>
      (await roomOf(workspaceId)).patientAccess.open(email),
    'connect:getPatientAccess': async ({ workspaceId, email }) =>
      (await roomOf(workspaceId)).patientAccess.get(email),

    'connect:listCalls': async ({ workspaceId }) => ({ calls: (await roomOf(workspaceId)).calls.list() }),
    'connect:exportCalls': async ({ workspaceId, targetId }) => {
      const calls = (await roomOf(workspaceId)).calls.list();
      const path = await state.host.resolveSaveTarget({ targetId, purpose: 'callLog' });
      const text = calls.map((call) => `${JSON.stringify(call)}\n`).join('');
      await writeFileAtomic(path, text).catch((thrown) => {
        throw toDeskError(thrown);
      });
      return { displayPath: basename(path), calls: calls.length };
    },
  };

  return { handlers, stop, stopAll: async () => void (await Promise.all([...rooms.keys()].map(stop))) };
}

/** A key is looked up in one small request; who waits for it sees nothing happen. */
const keyCheckMs = 8_000;

/** The records of a workspace; a process that only reads finds none before the first sync. */
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
        // Without a registered key, or without a network, nothing can be said.
        return thrown instanceof DeskError && thrown.code === 'service.notFound' ? false : null;
      }
    },
  };
}

/** The sample's secrets live as long as its engine. */
function inMemory(): IntegrationSecret {
  let held: string | null = null;
  return {
    read: async () => held,
    write: async (value) => {
      held = value;
    },
  };
}
