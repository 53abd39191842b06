import { randomUUID } from 'node:crypto';
import type { PatientAccess } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { DeskError } from '../../lib/errors.ts';
import type { PatientAccessReply } from '../service/connect/connect-replies.ts';
import { isFineLogin } from './assess-connection.ts';
import type { StoredPatientAccess } from './connect-file.ts';
import { listConnections, refreshConnections } from './connections.ts';
import { emailKey, isSameEmail } from './find-stored.ts';
import { findMember } from './members.ts';
import {
  checkCarrierUrl,
  describeSignIn,
  isOver,
  type SignIn,
  type SignInEntry,
  watchSignIn,
} from './watch-patient-access.ts';
import { nowText, type WorkspaceConnect } from './workspace-connect.ts';

// Sign-ins at carriers' own pages: one per member at a time, watched until it ends.

const keyOf = (scope: string, email: string): string => `${scope}/${emailKey(email)}`;

const isOf = (stored: StoredPatientAccess, scope: string, email: string): boolean =>
  stored.scope === scope && isSameEmail(stored.email, email);

/** Replaces the stored sign-in of the member; `isKept` false: removes it. */
const store = ({ file }: WorkspaceConnect, stored: StoredPatientAccess, isKept: boolean): Promise<unknown> =>
  file.update((current) => ({
    ...current,
    patientAccess: [
      ...current.patientAccess.filter((session) => !isOf(session, stored.scope, stored.email)),
      ...(isKept ? [stored] : []),
    ],
  }));

const listWorking = async (connect: WorkspaceConnect, email: string, payerId: number): Promise<number[]> =>
  (await listConnections(connect, email))
    .filter(
      (connection) => connection.payerId === payerId && !connection.isRunning && !connection.needsCorrection,
    )
    .filter(({ loginProblem }) => isFineLogin(loginProblem))
    .map(({ policyHolderId }) => policyHolderId);

/** The state of a sign-in, from the service or from the member's list of connections. */
async function ask(
  connect: WorkspaceConnect,
  { email, payerId, stateId, workedBefore }: StoredPatientAccess,
  signal: AbortSignal,
): Promise<PatientAccessReply> {
  if (workedBefore === null) {
    const { api } = await connect.integration.open();
    return (await api.readPatientAccess({ email, stateId }, signal)).data;
  }
  await refreshConnections(connect, email);
  const made = (await listWorking(connect, email, payerId)).find((id) => !workedBefore.includes(id));
  return made === undefined
    ? { status: 'IN_PROGRESS', ph_id: null, error: null }
    : { status: 'SUCCESS', ph_id: made, error: null };
}

async function begin(connect: WorkspaceConnect, stored: StoredPatientAccess): Promise<SignInEntry> {
  const { signIns, clock } = connect;
  const key = keyOf(stored.scope, stored.email);
  await signIns.get(key)?.watch.stop();
  if (connect.isStopped) throw new DeskError('engine.stopped');
  const begun: SignIn = {
    phase: stored.isOpened ? 'waiting' : 'ready',
    status: 'IN_PROGRESS',
    policyHolderId: null,
    message: null,
    interruption: null,
    startedMs: Date.parse(stored.startedAt),
  };
  const watch = watchSignIn(begun, {
    ask: (signal) => ask(connect, stored, signal),
    now: () => clock.now(),
    onChange(signIn) {
      connect.emit('patientAccess', signIn.policyHolderId);
      if (!isOver(signIn)) return;
      void store(connect, stored, false).catch(() => undefined);
      if (signIn.phase === 'connected') {
        void refreshConnections(connect, stored.email).then(
          () => connect.emit('patientAccess', signIn.policyHolderId),
          () => undefined,
        );
      }
    },
  });
  const entry = { stored, watch };
  signIns.set(key, entry);
  return entry;
}

/** @throws DeskError `connect.noCarrierPage` if the carrier has no address either */
async function readCarrierAddress(
  { integration }: WorkspaceConnect,
  member: ConnectMember,
  payerId: number,
): Promise<string> {
  const { api } = await integration.open();
  const query = { email: member.email, employerId: member.employer.id, payerId };
  const { data, requestId } = await api.readPayer(query);
  const address = data.interoperability_authorization_url?.trim() ?? '';
  if (address === '') throw new DeskError('connect.noCarrierPage', { requestId: requestId ?? undefined });
  return address;
}

async function find(connect: WorkspaceConnect, email: string): Promise<SignInEntry | null> {
  const { scope } = await connect.integration.open();
  const entry = connect.signIns.get(keyOf(scope, email));
  if (entry !== undefined) return entry;
  const stored = (await connect.file.read()).patientAccess.find((session) => isOf(session, scope, email));
  return stored === undefined ? null : begin(connect, stored);
}

/** The service does not have this call, so the carrier's own address is used (docs/service.md, "Patient Access"). */
const isNotOffered = (thrown: unknown): boolean =>
  thrown instanceof DeskError && [404, 405, 501].includes(Number(thrown.details?.status));

/** Asks for the carrier's own page, and watches the sign-in there. */
export async function startPatientAccess(
  connect: WorkspaceConnect,
  request: {
    email: string;
    employerId?: number | undefined;
    payerId: number;
    consents: { tenantIds: readonly number[] };
  },
): Promise<PatientAccess> {
  const { api, baseUrl, scope } = await connect.integration.open();
  const member = await findMember(connect, request.email, request.employerId);
  // A new ID for each session of the member (docs/service.md, "Connect requests").
  const stateId = randomUUID();
  const { email } = member;
  const { payerId } = request;
  const begun = await api
    .beginPatientAccess({ email, payerId, tenantIds: request.consents.tenantIds, stateId })
    .then(({ data }) => ({ url: data, isReported: true }))
    .catch((thrown: unknown) => {
      if (!isNotOffered(thrown)) throw thrown;
      return { url: null, isReported: false };
    });
  const address = begun.url ?? (await readCarrierAddress(connect, member, payerId));
  const authorizationUrl = checkCarrierUrl(address, baseUrl).href;
  if (!begun.isReported) await refreshConnections(connect, email).catch(() => undefined);
  const stored: StoredPatientAccess = {
    scope,
    email,
    employerId: member.employer.id,
    payerId,
    stateId,
    authorizationUrl,
    startedAt: nowText(connect),
    isOpened: false,
    workedBefore: begun.isReported ? null : await listWorking(connect, email, payerId),
  };
  const entry = await begin(connect, stored);
  await store(connect, stored, true);
  return describe(entry);
}

/** Opens the carrier's page. @throws DeskError `connect.noPatientAccess` where none was started, or it has ended */
export async function openPatientAccess(
  connect: WorkspaceConnect,
  email: string,
): Promise<{ url: string; isOpened: boolean }> {
  const entry = await find(connect, email);
  if (entry === null || isOver(entry.watch.signIn)) throw new DeskError('connect.noPatientAccess');
  const url = entry.stored.authorizationUrl;
  const isOpened = await connect.openUrl(url);
  entry.watch.markOpened();
  await store(connect, { ...entry.stored, isOpened: true }, true);
  return { url, isOpened };
}

export async function getPatientAccess(
  connect: WorkspaceConnect,
  email: string,
): Promise<PatientAccess | null> {
  const entry = await find(connect, email);
  return entry === null ? null : describe(entry);
}

function describe({ stored, watch }: SignInEntry): PatientAccess {
  const { startedMs: _startedMs, ...signIn } = watch.signIn;
  const { email, payerId, authorizationUrl, startedAt } = stored;
  const host = new URL(authorizationUrl).host;
  return { email, payerId, host, authorizationUrl, startedAt, ...signIn, ...describeSignIn(watch.signIn) };
}
