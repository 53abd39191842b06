import type { Validation } from '../../../contract/carrier-connections.ts';
import { DeskError } from '../../lib/errors.ts';
import type { StoredConnection, StoredValidation, StoredVerdict } from './connect-file.ts';
import {
  type ConnectionWithTask,
  readConnection,
  refreshConnections,
  saveSubmitted,
  saveVerdict,
} from './connections.ts';
import { keepConsent } from './consents.ts';
import { emailKey, isOfConnection, isSameEmail } from './find-stored.ts';
import { findMember } from './members.ts';
import { listPayers } from './payers.ts';
import type { WatchedValidation } from './validation-entry.ts';
import { toValidation, toWatched, type ValidationEntry, verdictOf } from './validation-entry.ts';
import { isTerminal } from './watch-limits.ts';
import { watchValidation } from './watch-validation.ts';
import { nowText, type WorkspaceConnect } from './workspace-connect.ts';

// Validations are watched in the engine and not in a window, because several run in parallel. One that ran when the
// engine ended is found again through its policy holder.

interface LoginToSubmit {
  readonly email: string;
  readonly employerId?: number | undefined;
  readonly payerId: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly consents: { readonly terms: true; readonly tenantIds: readonly number[] };
}

/** How many ended validations are still listed. */
const maxEntries = 200;

const keyOf = ({ scope, policyHolderId }: Pick<StoredValidation, 'scope' | 'policyHolderId'>): string =>
  `${scope}/${policyHolderId}`;

const describe = ({ clock }: WorkspaceConnect, entry: ValidationEntry): Validation =>
  toValidation(entry, clock.now());

async function forget({ file }: WorkspaceConnect, stored: StoredValidation): Promise<void> {
  const isThis = isOfConnection(stored);
  await file.update((current) => ({
    ...current,
    validations: current.validations.filter(
      (validation) => !isThis(validation) || validation.taskId !== stored.taskId,
    ),
  }));
}

/** Stores a verdict when it is reported, because this process may end before the rest is read. */
function keepVerdict(connect: WorkspaceConnect, { stored, watch }: ValidationEntry): void {
  const verdict = verdictOf(watch.flow);
  if (verdict === null) return;
  const { verdictWrites } = connect;
  const write = saveVerdict(connect, stored, verdict).catch(() => undefined);
  verdictWrites.add(write);
  void write.finally(() => verdictWrites.delete(write));
}

/** Removes a validation that has ended from the stored ones, and reads its connection. */
async function finish(connect: WorkspaceConnect, { stored, watch }: ValidationEntry): Promise<void> {
  await watch.ended;
  if (watch.flow.outcome === null || connect.isStopped) return;
  await forget(connect, stored).catch(() => undefined);
  // A list needs the secret key, but this connection can be read without it.
  await refreshConnections(connect, stored.email)
    .catch(() => readConnection(connect, stored.policyHolderId))
    .catch(() => undefined);
  if (!connect.isStopped) connect.emit('connections', stored.policyHolderId);
}

/** Sends a change to windows; a poll or a ping without a change is not sent. */
function reportChange(connect: WorkspaceConnect, entry: ValidationEntry): void {
  const snapshot = JSON.stringify(toValidation({ ...entry, changedAt: '' }, connect.clock.now()));
  if (snapshot === entry.reported) return;
  if (!entry.isOver && isTerminal(entry.watch.flow.state)) {
    entry.isOver = true;
    keepVerdict(connect, entry);
  }
  entry.reported = snapshot;
  entry.changedAt = nowText(connect);
  connect.emit('validation', entry.stored.policyHolderId);
}

async function begin(
  connect: WorkspaceConnect,
  stored: StoredValidation,
  options: { taskToken?: string | null; isStartedHere: boolean; verdict?: StoredVerdict | null | undefined },
): Promise<ValidationEntry> {
  const { validations, clock } = connect;
  const { api, follow } = await connect.integration.open();
  const key = keyOf(stored);
  await validations.get(key)?.watch.stop();
  if (connect.isStopped) throw new DeskError('engine.stopped');
  const initialState = {
    taskId: stored.taskId,
    taskToken: options.taskToken ?? null,
    verdict: options.verdict ?? null,
  };
  const watch = watchValidation(stored, initialState, {
    api,
    follow,
    clock,
    onChange() {
      const entry = validations.get(key);
      if (entry !== undefined) reportChange(connect, entry);
    },
  });
  const { isStartedHere } = options;
  const entry = { stored, isStartedHere, watch, changedAt: stored.startedAt, reported: '', isOver: false };
  validations.delete(key);
  validations.set(key, entry);
  for (const [old, { watch: otherWatch }] of validations) {
    if (validations.size <= maxEntries) break;
    if (otherWatch.flow.outcome !== null) validations.delete(old);
  }
  void finish(connect, entry);
  connect.emit('validation', stored.policyHolderId);
  return entry;
}

/**
 * Submits a login, or corrects that of a connection, and watches its validation.
 * @throws DeskError `connect.submitRunning`, `connect.memberUnknown`, and what the service refuses
 */
export async function submitLogin(
  connect: WorkspaceConnect,
  login: LoginToSubmit,
  policyHolderId: number | null = null,
): Promise<Validation> {
  const { submitting } = connect;
  const key = JSON.stringify([emailKey(login.email), login.payerId]);
  if (submitting.has(key)) throw new DeskError('connect.submitRunning');
  submitting.add(key);
  return send(connect, login, policyHolderId).finally(() => submitting.delete(key));
}

async function send(
  connect: WorkspaceConnect,
  login: LoginToSubmit,
  policyHolderId: number | null,
): Promise<Validation> {
  const { api, scope } = await connect.integration.open();
  const { email, employer } = await findMember(connect, login.email, login.employerId);
  const { payerId, fields } = login;
  const sent = { email, employerId: employer.id, payerId, fields, tenantIds: login.consents.tenantIds };
  const { data } = await (policyHolderId === null
    ? api.submitLogin(sent)
    : api.correctLogin({ ...sent, policyHolderId }));
  const payers = await listPayers(connect, email).catch(() => []);
  const stored: StoredValidation = {
    scope,
    policyHolderId: data.policy_holder_id,
    email,
    employerId: employer.id,
    payerId,
    payerName: payers.find(({ id }) => id === payerId)?.name ?? null,
    taskId: data.task_id,
    startedAt: nowText(connect),
  };
  // A validation that runs at the service is watched even if it could not be stored here.
  const entry = await begin(connect, stored, { taskToken: data.task_token, isStartedHere: true });
  await saveSubmitted(connect, stored, await keepConsent(connect, email, login.consents.tenantIds));
  keepVerdict(connect, entry);
  const isThis = isOfConnection(stored);
  await connect.file.update((current) => ({
    ...current,
    validations: [...current.validations.filter((validation) => !isThis(validation)), stored],
  }));
  if (entry.watch.flow.outcome !== null) await forget(connect, stored);
  return describe(connect, entry);
}

async function findRow(
  { file }: WorkspaceConnect,
  target: Pick<StoredConnection, 'scope' | 'policyHolderId'>,
): Promise<StoredConnection | undefined> {
  return (await file.read()).connections.find(isOfConnection(target));
}

/** Continues a validation that was submitted here and not watched to its end, unless its verdict is already stored. */
async function resume(connect: WorkspaceConnect, stored: StoredValidation): Promise<ValidationEntry> {
  const row = await findRow(connect, stored);
  const verdict = row?.verdict?.taskId === stored.taskId ? row.verdict : null;
  return begin(connect, stored, { isStartedHere: true, verdict });
}

/** Finds a validation that runs here, or that was stored before the engine last ended. */
async function findKnown(connect: WorkspaceConnect, policyHolderId: number): Promise<ValidationEntry | null> {
  const { scope } = await connect.integration.open();
  const entry = connect.validations.get(keyOf({ scope, policyHolderId }));
  if (entry !== undefined) return entry;
  const { validations } = await connect.file.read();
  const stored = validations.find(isOfConnection({ scope, policyHolderId }));
  return stored === undefined ? null : resume(connect, stored);
}

/** This also finds one that was started elsewhere, if its member's email is given. */
async function findOrBegin(
  connect: WorkspaceConnect,
  policyHolderId: number,
  email?: string,
): Promise<ValidationEntry> {
  const entry = await findKnown(connect, policyHolderId);
  if (entry !== null) {
    if (email !== undefined && !isSameEmail(email, entry.stored.email))
      throw new DeskError('connect.validationUnknown');
    return entry;
  }
  const { scope } = await connect.integration.open();
  const row = await findRow(connect, { scope, policyHolderId });
  const owner = email ?? row?.email;
  if (owner === undefined) throw new DeskError('connect.validationUnknown');
  const member = await findMember(connect, owner);
  // The service finds it under one of the member's employers, which need not be the one added last.
  const reading = row === undefined ? null : await readConnection(connect, policyHolderId).catch(() => null);
  const stored: StoredValidation = {
    scope,
    policyHolderId,
    email: member.email,
    employerId: reading?.employerId ?? member.employer.id,
    payerId: row?.payerId ?? null,
    payerName: row?.payerName ?? null,
    taskId: null,
    startedAt: nowText(connect),
  };
  return begin(connect, stored, { isStartedHere: false, verdict: row?.verdict });
}

/** Watches a validation, or continues. @throws DeskError `connect.validationUnknown` if its member is unknown. */
export async function watchAgain(
  connect: WorkspaceConnect,
  policyHolderId: number,
  email?: string,
): Promise<Validation> {
  return describe(connect, await findOrBegin(connect, policyHolderId, email));
}

/** Watches a validation with an unknown result again from its current state; otherwise continues or stays ended. */
export async function checkAgain(
  connect: WorkspaceConnect,
  policyHolderId: number,
  email?: string,
): Promise<Validation> {
  const entry = await findOrBegin(connect, policyHolderId, email);
  const { outcome, taskId } = entry.watch.flow;
  if (outcome !== 'unknown') return describe(connect, entry);
  const { isStartedHere } = entry;
  return describe(connect, await begin(connect, { ...entry.stored, taskId }, { isStartedHere }));
}

export async function getValidation(
  connect: WorkspaceConnect,
  policyHolderId: number,
): Promise<Validation | null> {
  const entry = await findKnown(connect, policyHolderId);
  return entry === null ? null : describe(connect, entry);
}

/** Newest first; those that were stored as running are watched again. */
export async function listValidations(connect: WorkspaceConnect): Promise<Validation[]> {
  const { scope } = await connect.integration.open();
  const { validations } = connect;
  for (const validation of (await connect.file.read()).validations)
    if (validation.scope === scope && !validations.has(keyOf(validation))) await resume(connect, validation);
  return [...validations.values()]
    .filter(({ stored }) => stored.scope === scope)
    .map((entry) => describe(connect, entry))
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
}

/** Answers the carrier's question. @throws DeskError `connect.notAsked`, `connect.*`, `service.*` */
export async function answerValidation(
  connect: WorkspaceConnect,
  target: { policyHolderId: number; email?: string | undefined },
  answer: { method: string } | { code: string },
): Promise<Validation> {
  const entry = await findOrBegin(connect, target.policyHolderId, target.email);
  const { watch } = entry;
  const hasReport = (): boolean =>
    watch.flow.watchedBy !== null || watch.flow.outcome !== null || watch.flow.interruption !== null;
  // A validation that was found again has no state yet, so whether the carrier asks is unknown.
  const untilMs = performance.now() + 15_000;
  while (!hasReport() && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 50));
  await watch.answer(answer);
  return describe(connect, entry);
}

/** Lists the watched validations of the current integration, in the order in which they were started. */
export async function listWatched(connect: WorkspaceConnect): Promise<WatchedValidation[]> {
  const { scope } = await connect.integration.open();
  return [...connect.validations.values()].filter(({ stored }) => stored.scope === scope).map(toWatched);
}

/** Watches a validation that was started elsewhere. Nothing of it is stored. */
export async function watchElsewhere(
  connect: WorkspaceConnect,
  { connection, employerId, taskId, taskToken }: ConnectionWithTask,
): Promise<void> {
  const { scope } = await connect.integration.open();
  const { policyHolderId, email, payerId, payerName } = connection;
  const startedAt = nowText(connect);
  const stored = { scope, policyHolderId, email, employerId, payerId, payerName, taskId, startedAt };
  await begin(connect, stored, { taskToken, isStartedHere: false });
}

/** Stops watching a validation; reading its connection finds it again. */
export async function leaveValidation(connect: WorkspaceConnect, policyHolderId: number): Promise<void> {
  const { scope } = await connect.integration.open();
  const key = keyOf({ scope, policyHolderId });
  const entry = connect.validations.get(key);
  connect.validations.delete(key);
  await entry?.watch.stop();
  connect.emit('validation', policyHolderId);
}
