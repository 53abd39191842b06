import { join } from 'node:path';
import type { connectProcedures } from '../../../contract/connect-procedures.ts';
import type { EventPayload } from '../../../contract/events.ts';
import type { Handlers } from '../../../contract/procedures.ts';
import { DeskError } from '../../lib/errors.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { ConnectRecords } from '../connect/add-member.ts';
import { type ConnectData, type ConnectFile, createConnectFile } from '../connect/connect-file.ts';
import type { IntegrationSecret } from '../connect/integration.ts';
import { isSameEmail } from '../connect/members.ts';
import { withSamplePeople } from '../connect/sample-people.ts';
import { createWorkspaceConnect, type WorkspaceConnect } from '../connect/workspace-connect.ts';
import type { Store } from '../store/threads/store.ts';
import type { EngineState } from './engine-state.ts';

/** Connect: the integration of each workspace, its members, validations and sign-ins. */
export function createConnectHandlers(state: EngineState) {
  const opened = new Map<string, Promise<WorkspaceConnect>>();
  const peopled = new Map<string, Promise<void>>();

  const changed = (
    workspaceId: string,
    what: EventPayload<'connect:changed'>['what'],
    policyHolderId: number | null = null,
  ): void => state.emit({ name: 'connect:changed', payload: { workspaceId, what, policyHolderId } });

  const open = async (workspaceId: string): Promise<WorkspaceConnect> => {
    const { workspace, folder, connectSecretAccount } = await state.host.findWorkspace(workspaceId);
    const file = withCarriers(
      createConnectFile({
        path: join(folder, 'connect.sealed'),
        readKey: () => state.readDatabaseKey(workspaceId),
        isReadOnly: state.isReadOnly,
        clock: state.clock,
        onBackupFailed: (thrown) => logFailure(state.log, 'store.trouble', thrown),
        onRestored: () =>
          state.auditLater(workspaceId, async () => ({
            action: 'store.repaired',
            details: { file: 'connect', steps: 'backup done', lost: 'latestWrites unknown' },
          })),
      }),
      state,
      workspaceId,
    );
    return createWorkspaceConnect({
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
  const connectOf = (workspaceId: string): Promise<WorkspaceConnect> => {
    let connect = opened.get(workspaceId);
    if (connect === undefined) {
      connect = open(workspaceId);
      opened.set(workspaceId, connect);
      connect.catch(() => opened.delete(workspaceId));
    }
    return connect;
  };
  /** Has the sample show what was connected before: once for each start of its service, and again where it failed. */
  const addSamplePeople = async (workspaceId: string): Promise<void> => {
    const { workspace } = await state.host.findWorkspace(workspaceId);
    const sample = workspace.isSample ? await state.host.getSampleConnect() : null;
    if (sample === null || state.isReadOnly) return;
    const start = `${workspaceId} ${sample.publicToken}`;
    const adding = peopled.get(start) ?? addPeople(workspaceId, sample.publicToken);
    peopled.set(start, adding);
    await adding.catch((thrown) => {
      peopled.delete(start);
      logFailure(state.log, 'connect.samplePeopleFailed', thrown);
    });
  };
  const addPeople = async (workspaceId: string, publicToken: string): Promise<void> => {
    const { integration, members, file } = await connectOf(workspaceId);
    const settings = await integration.getSettings();
    if (settings.publicToken !== publicToken || (await members.list()).length > 0) return;
    const { scope } = await integration.open();
    const people = await state.host.getSamplePeople();
    const readAt = new Date(state.clock.now()).toISOString();
    if (people.length > 0) await file.update((known) => withSamplePeople(known, scope, people, readAt));
  };
  const mustWrite = (): void => {
    if (state.isReadOnly) throw new DeskError('profile.busy');
  };
  const stop = async (workspaceId: string): Promise<void> => {
    const connect = opened.get(workspaceId);
    opened.delete(workspaceId);
    for (const start of [...peopled.keys()]) if (start.startsWith(`${workspaceId} `)) peopled.delete(start);
    await (await connect?.catch(() => undefined))?.stop();
  };

  const forgetMember = async (workspaceId: string, email: string): Promise<void> => {
    mustWrite();
    const connect = await connectOf(workspaceId);
    await connect.validations.forgetMember(email);
    await connect.patientAccess.forgetMember(email);
    await connect.members.forget(email);
    await state.auditAction(workspaceId, 'connect.memberForgotten', {});
    changed(workspaceId, 'members');
  };

  const handlers: Handlers<keyof typeof connectProcedures> = {
    'connect:getSettings': async ({ workspaceId }) =>
      (await connectOf(workspaceId)).integration.getSettings(),
    'connect:saveSettings': async ({ workspaceId, ...change }) => {
      mustWrite();
      const connect = await connectOf(workspaceId);
      const settings = await connect.integration.saveSettings(change);
      const names = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
      await state.auditAction(workspaceId, 'connect.settingsChanged', {
        changed: names.sort().join(' '),
        isDemo: settings.isDemo,
        hasSecret: settings.hasSecret,
      });
      changed(workspaceId, 'settings');
      return settings;
    },
    'connect:mint': async ({ workspaceId }) => {
      const { api } = await (await connectOf(workspaceId)).integration.open();
      const { requestId } = await api.mint();
      return { mintedAt: new Date(state.clock.now()).toISOString(), requestId };
    },

    'connect:listEmployers': async ({ workspaceId }) => ({
      employers: await (await connectOf(workspaceId)).adding.listEmployers(),
    }),
    'connect:planMember': async ({ workspaceId, ...input }) =>
      (await connectOf(workspaceId)).adding.plan(input),
    'connect:bootstrap': async ({ workspaceId, ...input }) => {
      mustWrite();
      const { adding, connections } = await connectOf(workspaceId);
      const answer = await adding.add(input).catch(async (thrown: unknown) => {
        // The service did add the member, and the employer it returned is kept.
        if (thrown instanceof DeskError && thrown.code === 'connect.employerMismatch') {
          const employerId = thrown.details?.employerId ?? null;
          await state.auditAction(workspaceId, 'connect.memberBroughtIn', { employerId, isAsChosen: false });
          changed(workspaceId, 'members');
        }
        throw thrown;
      });
      await state.auditAction(workspaceId, 'connect.memberBroughtIn', {
        employerId: answer.member.employer.id,
        tenantId: answer.member.tenant.id,
      });
      changed(workspaceId, 'members');
      return { ...answer, connections: await connections.list(answer.member.email) };
    },
    'connect:listMembers': async ({ workspaceId }) => {
      await addSamplePeople(workspaceId);
      return { members: await (await connectOf(workspaceId)).members.list() };
    },
    'connect:forgetMember': async ({ workspaceId, email }) => {
      await forgetMember(workspaceId, email);
      return { isDone: true };
    },
    'connect:listPayers': async ({ workspaceId, email, employerId }) => ({
      payers: await (await connectOf(workspaceId)).members.listPayers(email, employerId),
    }),
    'connect:getPayer': async ({ workspaceId, email, payerId, employerId }) =>
      (await connectOf(workspaceId)).members.readPayer(email, payerId, employerId),
    'connect:getTerms': async ({ workspaceId, email }) => ({
      untrustedHtml: await (await connectOf(workspaceId)).members.readTerms(email),
    }),

    'connect:submit': async ({ workspaceId, ...login }) => {
      mustWrite();
      // Audited before it is sent: nothing goes to a carrier without an entry.
      await state.auditAction(workspaceId, 'connect.loginSubmitted', { payerId: login.payerId });
      return (await connectOf(workspaceId)).validations.submit(login);
    },
    'connect:correct': async ({ workspaceId, policyHolderId, ...login }) => {
      mustWrite();
      await state.auditAction(workspaceId, 'connect.loginCorrected', {
        payerId: login.payerId,
        policyHolderId,
      });
      return (await connectOf(workspaceId)).validations.correct(login, policyHolderId);
    },
    'connect:listConnections': async ({ workspaceId, email, policyHolderIds, isFresh }) => {
      const { connections } = await connectOf(workspaceId);
      await addSamplePeople(workspaceId);
      const failures = isFresh === true ? await connections.refresh(email) : [];
      if (isFresh === true) changed(workspaceId, 'connections');
      return { connections: await connections.list(email, policyHolderIds), failures };
    },
    'connect:fix': async ({ workspaceId, email }) => {
      const { connections } = await connectOf(workspaceId);
      await connections.refresh(email);
      return { connections: await connections.list(email) };
    },
    'connect:readConnection': async ({ workspaceId, policyHolderId }) => {
      const connection = await (await connectOf(workspaceId)).connections.read(policyHolderId);
      changed(workspaceId, 'connections', policyHolderId);
      return connection;
    },
    'connect:beginCorrection': async ({ workspaceId, policyHolderId }) => {
      const begun = await (await connectOf(workspaceId)).connections.beginCorrection(policyHolderId);
      changed(workspaceId, 'connections', policyHolderId);
      return begun;
    },
    'connect:findNewCarrier': async ({ workspaceId, policyHolderId }) =>
      (await connectOf(workspaceId)).findNewCarrier(policyHolderId),

    'connect:watch': async ({ workspaceId, policyHolderId, email }) =>
      (await connectOf(workspaceId)).validations.watch(policyHolderId, email),
    'connect:watchRunning': async ({ workspaceId, onScreenId }) => ({
      watched: await (await connectOf(workspaceId)).runningElsewhere.watch(onScreenId),
    }),
    'connect:checkAgain': async ({ workspaceId, policyHolderId, email }) =>
      (await connectOf(workspaceId)).validations.checkAgain(policyHolderId, email),
    'connect:getValidation': async ({ workspaceId, policyHolderId }) =>
      (await connectOf(workspaceId)).validations.get(policyHolderId),
    'connect:listValidations': async ({ workspaceId }) => ({
      validations: await (await connectOf(workspaceId)).validations.list(),
    }),
    'connect:chooseMethod': async ({ workspaceId, policyHolderId, email, method }) =>
      (await connectOf(workspaceId)).validations.answer({ policyHolderId, email }, { method }),
    'connect:sendCode': async ({ workspaceId, policyHolderId, email, code }) =>
      (await connectOf(workspaceId)).validations.answer({ policyHolderId, email }, { code }),

    'connect:startPatientAccess': async ({ workspaceId, ...wanted }) => {
      mustWrite();
      await state.auditAction(workspaceId, 'connect.patientAccessBegun', { payerId: wanted.payerId });
      return (await connectOf(workspaceId)).patientAccess.start(wanted);
    },
    'connect:openPatientAccess': async ({ workspaceId, email }) =>
      (await connectOf(workspaceId)).patientAccess.open(email),
    'connect:getPatientAccess': async ({ workspaceId, email }) =>
      (await connectOf(workspaceId)).patientAccess.get(email),
  };

  return {
    handlers,
    /** The connections that are known here, without asking the service. */
    async readConnections(workspaceId: string) {
      await addSamplePeople(workspaceId);
      return (await connectOf(workspaceId)).connections.list();
    },
    /** Removes what is stored of a member, and all backups, which may hold more than the file. */
    async forgetIfKnown(workspaceId: string, email: string): Promise<void> {
      const { file } = await connectOf(workspaceId);
      const { members, connections, validations, patientAccess } = await file.read();
      const stored = [...members, ...connections, ...validations, ...patientAccess];
      if (stored.some((one) => isSameEmail(one.email, email))) await forgetMember(workspaceId, email);
      else await file.forget((known) => known);
    },
    checkFile: async (workspaceId: string, isFull: boolean) =>
      (await connectOf(workspaceId)).file.check(isFull),
    stop,
    stopAll: async () => void (await Promise.all([...opened.keys()].map(stop))),
  };
}

/** Checking a key is one small request, and the person waiting for it sees no progress. */
const keyCheckMs = 8_000;

/**
 * Has claims show the carriers of the connections that the file holds, from its first read on and after each change.
 * A failure is in the log alone: no call of Connect fails because a list of claims could not be brought up to date.
 */
function withCarriers(file: ConnectFile, state: EngineState, workspaceId: string): ConnectFile {
  let isWritten = false;
  const write = async ({ connections }: ConnectData): Promise<void> => {
    if (state.isReadOnly) return;
    const carriers = connections
      .toSorted((a, b) => a.readAt.localeCompare(b.readAt))
      .flatMap(({ policyHolderId, payerName }) =>
        payerName === null ? [] : [{ policyHolderId, carrier: payerName }],
      );
    try {
      await (await state.getStore(workspaceId)).write('writeCarriers', carriers);
      isWritten = true;
    } catch (thrown) {
      logFailure(state.log, 'store.carriersFailed', thrown);
    }
  };
  const writing = async (
    act: ConnectFile['update'],
    change: (known: ConnectData) => ConnectData,
  ): Promise<ConnectData> => {
    let before: ConnectData['connections'] = [];
    const data = await act((known) => {
      before = known.connections;
      return change(known);
    });
    if (before.length + data.connections.length > 0 && before !== data.connections) await write(data);
    return data;
  };
  return {
    ...file,
    async read() {
      const data = await file.read();
      // Without a connection no store is opened, which may not be there yet.
      if (!isWritten && data.connections.length > 0) await write(data);
      return data;
    },
    update: (change) => writing(file.update, change),
    forget: (change) => writing(file.forget, change),
  };
}

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
        // Without a registered key or a network it cannot be told.
        return thrown instanceof DeskError && thrown.code === 'service.notFound' ? false : null;
      }
    },
  };
}

/** The sample's secrets exist as long as its engine. */
function inMemory(): IntegrationSecret {
  let held: string | null = null;
  return {
    read: async () => held,
    write: async (value) => {
      held = value;
    },
  };
}
