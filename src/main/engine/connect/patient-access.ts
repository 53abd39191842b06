import { randomUUID } from 'node:crypto';
import type { PatientAccess } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import type { PatientAccessReply } from '../service/connect/connect-replies.ts';
import type { ConnectFile, StoredPatientAccess } from './connect-file.ts';
import type { Connections } from './connections.ts';
import type { WorkspaceIntegration } from './integration.ts';
import { isFineLogin } from './judge-connection.ts';
import { isSameEmail, type Members } from './members.ts';
import { checkCarrierUrl, describeSignIn, isOver, type SignIn, watchSignIn } from './watch-patient-access.ts';

type Entry = { readonly stored: StoredPatientAccess; readonly watch: ReturnType<typeof watchSignIn> };

/** Sign-ins at carriers' own pages: one per member at a time, watched until it ends. */
export function createPatientAccess(ports: {
  readonly integration: WorkspaceIntegration;
  readonly members: Members;
  readonly connections: Connections;
  readonly file: ConnectFile;
  readonly clock: Clock;
  readonly openUrl: (url: string) => Promise<boolean>;
  readonly onChange: (policyHolderId: number | null) => void;
}) {
  const { integration, members, connections, file, clock } = ports;
  const entries = new Map<string, Entry>();
  let isClosed = false;
  const keyOf = (scope: string, email: string): string => `${scope}/${email.trim().toLowerCase()}`;
  const isOf = (stored: StoredPatientAccess, scope: string, email: string): boolean =>
    stored.scope === scope && isSameEmail(stored.email, email);

  const remember = (stored: StoredPatientAccess, isKept: boolean): Promise<unknown> =>
    file.update((known) => ({
      ...known,
      patientAccess: [
        ...known.patientAccess.filter((one) => !isOf(one, stored.scope, stored.email)),
        ...(isKept ? [stored] : []),
      ],
    }));

  /** The IDs of the member's working connections to a carrier. */
  const listWorking = async (email: string, payerId: number): Promise<number[]> =>
    (await connections.list(email))
      .filter((one) => one.payerId === payerId && !one.isRunning && !one.needsCorrection)
      .filter(({ loginProblem }) => isFineLogin(loginProblem))
      .map(({ policyHolderId }) => policyHolderId);

  /** The state of a sign-in, from the service or from the member's list of connections. */
  const ask = async (stored: StoredPatientAccess, signal: AbortSignal): Promise<PatientAccessReply> => {
    const { email, payerId, stateId, workedBefore } = stored;
    if (workedBefore === null) {
      const { api } = await integration.open();
      return (await api.readPatientAccess({ email, stateId }, signal)).data;
    }
    await connections.refresh(email);
    const working = await listWorking(email, payerId);
    const made = working.find((id) => !workedBefore.includes(id));
    return made === undefined
      ? { status: 'IN_PROGRESS', ph_id: null, error: null }
      : { status: 'SUCCESS', ph_id: made, error: null };
  };

  const begin = async (stored: StoredPatientAccess): Promise<Entry> => {
    const key = keyOf(stored.scope, stored.email);
    await entries.get(key)?.watch.stop();
    if (isClosed) throw new DeskError('engine.stopped');
    const begun: SignIn = {
      phase: stored.isOpened ? 'waiting' : 'ready',
      status: 'IN_PROGRESS',
      policyHolderId: null,
      message: null,
      interruption: null,
      startedMs: Date.parse(stored.startedAt),
    };
    const watch = watchSignIn(begun, {
      ask: (signal) => ask(stored, signal),
      now: () => clock.now(),
      onChange(signIn) {
        ports.onChange(signIn.policyHolderId);
        if (!isOver(signIn)) return;
        void remember(stored, false).catch(() => undefined);
        if (signIn.phase === 'connected') {
          void connections.refresh(stored.email).then(
            () => ports.onChange(signIn.policyHolderId),
            () => undefined,
          );
        }
      },
    });
    const entry = { stored, watch };
    entries.set(key, entry);
    return entry;
  };

  /** @throws DeskError `connect.noCarrierPage` where the carrier has no address of its own either */
  const readCarrierAddress = async (member: ConnectMember, payerId: number): Promise<string> => {
    const { api } = await integration.open();
    const wanted = { email: member.email, employerId: member.employer.id, payerId };
    const { data, requestId } = await api.readPayer(wanted);
    const address = data.interoperability_authorization_url?.trim() ?? '';
    if (address === '') throw new DeskError('connect.noCarrierPage', { requestId: requestId ?? undefined });
    return address;
  };

  const find = async (email: string): Promise<Entry | null> => {
    const { scope } = await integration.open();
    const entry = entries.get(keyOf(scope, email));
    if (entry !== undefined) return entry;
    const stored = (await file.read()).patientAccess.find((one) => isOf(one, scope, email));
    return stored === undefined ? null : begin(stored);
  };

  return {
    async start(wanted: {
      email: string;
      employerId?: number | undefined;
      payerId: number;
      consents: { tenantIds: readonly number[] };
    }): Promise<PatientAccess> {
      const { api, baseUrl, scope } = await integration.open();
      const member = await members.find(wanted.email, wanted.employerId);
      // New for each session of the member (docs/service.md, "Connect requests").
      const stateId = randomUUID();
      const { email } = member;
      const begun = await api
        .beginPatientAccess({
          email,
          payerId: wanted.payerId,
          tenantIds: wanted.consents.tenantIds,
          stateId,
        })
        .then(({ data }) => ({ url: data, isTold: true }))
        .catch((thrown: unknown) => {
          if (!isNotOffered(thrown)) throw thrown;
          return { url: null, isTold: false };
        });
      const address = begun.url ?? (await readCarrierAddress(member, wanted.payerId));
      const checked = checkCarrierUrl(address, baseUrl).href;
      if (!begun.isTold) await connections.refresh(email).catch(() => undefined);
      const stored: StoredPatientAccess = {
        scope,
        email,
        employerId: member.employer.id,
        payerId: wanted.payerId,
        stateId,
        authorizationUrl: checked,
        startedAt: new Date(clock.now()).toISOString(),
        isOpened: false,
        workedBefore: begun.isTold ? null : await listWorking(email, wanted.payerId),
      };
      const entry = await begin(stored);
      await remember(stored, true);
      return toView(entry);
    },
    async open(email: string): Promise<{ url: string; isOpened: boolean }> {
      const entry = await find(email);
      if (entry === null || isOver(entry.watch.signIn)) throw new DeskError('connect.noPatientAccess');
      const url = entry.stored.authorizationUrl;
      const isOpened = await ports.openUrl(url);
      entry.watch.markOpened();
      await remember({ ...entry.stored, isOpened: true }, true);
      return { url, isOpened };
    },
    async get(email: string): Promise<PatientAccess | null> {
      const entry = await find(email);
      return entry === null ? null : toView(entry);
    },
    async stop(): Promise<void> {
      isClosed = true;
      await Promise.all([...entries.values()].map(({ watch }) => watch.stop()));
      entries.clear();
    },
    async forgetMember(email: string): Promise<void> {
      for (const [key, { stored, watch }] of entries) {
        if (!isSameEmail(stored.email, email)) continue;
        entries.delete(key);
        await watch.stop();
      }
    },
  };
}

/** A service without this call: the carrier's own address is used (docs/service.md, "Patient Access"). */
function isNotOffered(thrown: unknown): boolean {
  return thrown instanceof DeskError && [404, 405, 501].includes(Number(thrown.details?.status));
}

function toView({ stored, watch }: Entry): PatientAccess {
  const { phase, status, policyHolderId, message, interruption } = watch.signIn;
  return {
    email: stored.email,
    payerId: stored.payerId,
    phase,
    status,
    host: new URL(stored.authorizationUrl).host,
    authorizationUrl: stored.authorizationUrl,
    policyHolderId,
    message,
    interruption,
    startedAt: stored.startedAt,
    ...describeSignIn(watch.signIn),
  };
}
