import type { Validation } from '../../../contract/carrier-connections.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ConnectFile, StoredConnection, StoredValidation, StoredVerdict } from './connect-file.ts';
import type { Connections, ConnectionWithTask } from './connections.ts';
import type { WorkspaceIntegration } from './integration.ts';
import { isSameEmail, type Members } from './members.ts';
import { type Entry, toView, toWatched, verdictOf, type WatchedValidation } from './validation-entry.ts';
import type { Flow } from './validation-state.ts';
import { isTerminal } from './watch-limits.ts';
import { watchValidation } from './watch-validation.ts';

export interface LoginToSubmit {
  readonly email: string;
  readonly employerId?: number | undefined;
  readonly payerId: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly consents: { readonly terms: true; readonly tenantIds: readonly number[] };
}

/** Limit of ended validations that are still listed. */
const maxEntries = 200;

/**
 * The validations of a workspace. They are here and not in a window: several run in parallel, and one that was
 * running when the engine ended is found again through its policy holder.
 */
export function createValidations(ports: {
  readonly integration: WorkspaceIntegration;
  readonly members: Members;
  readonly connections: Connections;
  readonly file: ConnectFile;
  readonly clock: Clock;
  readonly onChange: (policyHolderId: number) => void;
  /** Called when the state of a connection may have changed. */
  readonly onEnded: (policyHolderId: number) => void;
}) {
  const { integration, members, connections, file, clock } = ports;
  const entries = new Map<string, Entry>();
  /** Logins that are being sent: a second click must not send one twice, which locks accounts. */
  const submitting = new Set<string>();
  let isClosed = false;
  /** Verdicts that are being stored. */
  const writes = new Set<Promise<void>>();
  const keyOf = (scope: string, policyHolderId: number): string => `${scope}/${policyHolderId}`;

  const forget = async (
    { scope, policyHolderId }: StoredValidation,
    taskId: string | null,
  ): Promise<void> => {
    await file.update((known) => ({
      ...known,
      validations: known.validations.filter(
        (one) => !(one.scope === scope && one.policyHolderId === policyHolderId && one.taskId === taskId),
      ),
    }));
  };
  /** As soon as it is told, since this process may end before everything is read. */
  const keepVerdict = ({ stored, watch }: Entry): void => {
    const verdict = verdictOf(watch.flow);
    if (verdict === null) return;
    const write = connections.saveVerdict(stored, verdict).catch(() => undefined);
    writes.add(write);
    void write.finally(() => writes.delete(write));
  };
  const settle = async (entry: Entry): Promise<void> => {
    await entry.watch.ended;
    if (entry.watch.flow.outcome === null || isClosed) return;
    await forget(entry.stored, entry.stored.taskId).catch(() => undefined);
    const { policyHolderId, email } = entry.stored;
    // A list needs the secret key; this connection can be read without it.
    await connections
      .refresh(email)
      .catch(() => connections.read(policyHolderId))
      .catch(() => undefined);
    if (!isClosed) ports.onEnded(policyHolderId);
  };

  const begin = async (
    stored: StoredValidation,
    taskToken: string | null,
    isStartedHere: boolean,
    verdict: StoredVerdict | null = null,
  ): Promise<Entry> => {
    const { api, follow } = await integration.open();
    const key = keyOf(stored.scope, stored.policyHolderId);
    await entries.get(key)?.watch.stop();
    if (isClosed) throw new DeskError('engine.stopped');
    const watch = watchValidation(
      stored,
      { taskId: stored.taskId, taskToken, verdict },
      {
        api,
        follow,
        clock,
        onChange: () => {
          const entry = entries.get(key);
          // A poll or a ping without change is not reported.
          const told =
            entry === undefined ? '' : JSON.stringify(toView({ ...entry, changedAt: '' }, clock.now()));
          if (entry === undefined || told === entry.told) return;
          if (!entry.isOver && isTerminal(entry.watch.flow.state)) {
            entry.isOver = true;
            keepVerdict(entry);
          }
          entry.told = told;
          entry.changedAt = new Date(clock.now()).toISOString();
          ports.onChange(stored.policyHolderId);
        },
      },
    );
    const entry: Entry = {
      stored,
      isStartedHere,
      watch,
      changedAt: stored.startedAt,
      told: '',
      isOver: false,
    };
    entries.delete(key);
    entries.set(key, entry);
    for (const [old, { watch: one }] of entries) {
      if (entries.size <= maxEntries) break;
      if (one.flow.outcome !== null) entries.delete(old);
    }
    void settle(entry);
    ports.onChange(stored.policyHolderId);
    return entry;
  };

  const submit = async (login: LoginToSubmit, policyHolderId: number | null): Promise<Validation> => {
    const key = JSON.stringify([login.email.trim().toLowerCase(), login.payerId]);
    if (submitting.has(key)) throw new DeskError('connect.submitRunning');
    submitting.add(key);
    return send(login, policyHolderId).finally(() => submitting.delete(key));
  };
  const send = async (login: LoginToSubmit, policyHolderId: number | null): Promise<Validation> => {
    const { api, scope } = await integration.open();
    const member = await members.find(login.email, login.employerId);
    const sent = {
      email: member.email,
      employerId: member.employer.id,
      payerId: login.payerId,
      fields: login.fields,
      tenantIds: login.consents.tenantIds,
    };
    const { data } = await (policyHolderId === null
      ? api.submitLogin(sent)
      : api.correctLogin({ ...sent, policyHolderId }));
    const payers = await members.listPayers(member.email).catch(() => []);
    const stored: StoredValidation = {
      scope,
      policyHolderId: data.policy_holder_id,
      email: member.email,
      employerId: member.employer.id,
      payerId: login.payerId,
      payerName: payers.find(({ id }) => id === login.payerId)?.name ?? null,
      taskId: data.task_id,
      startedAt: new Date(clock.now()).toISOString(),
    };
    // What runs at the service is watched even where it cannot be stored here.
    const entry = await begin(stored, data.task_token, true);
    await connections.saveSubmitted(stored);
    keepVerdict(entry);
    await file.update((known) => ({
      ...known,
      validations: [
        ...known.validations.filter(
          (one) => one.scope !== scope || one.policyHolderId !== stored.policyHolderId,
        ),
        stored,
      ],
    }));
    if (entry.watch.flow.outcome !== null) await forget(stored, stored.taskId);
    return toView(entry, clock.now());
  };

  const findRow = async (scope: string, policyHolderId: number): Promise<StoredConnection | undefined> =>
    (await file.read()).connections.find(
      (one) => one.scope === scope && one.policyHolderId === policyHolderId,
    );
  /** One that was submitted here and not watched to its end; its end may have been told all the same. */
  const resume = async (stored: StoredValidation): Promise<Entry> => {
    const row = await findRow(stored.scope, stored.policyHolderId);
    const verdict = row?.verdict?.taskId === stored.taskId ? row.verdict : null;
    return begin(stored, null, true, verdict);
  };

  /** A known validation: running here, or stored before the engine last ended. */
  const findKnown = async (policyHolderId: number): Promise<Entry | null> => {
    const { scope } = await integration.open();
    const entry = entries.get(keyOf(scope, policyHolderId));
    if (entry !== undefined) return entry;
    const stored = (await file.read()).validations.find(
      (one) => one.scope === scope && one.policyHolderId === policyHolderId,
    );
    return stored === undefined ? null : resume(stored);
  };
  /** Also finds one that was started elsewhere, where the email of its member is given. */
  const findOrBegin = async (policyHolderId: number, email?: string): Promise<Entry> => {
    const known = await findKnown(policyHolderId);
    if (known !== null) {
      if (email !== undefined && !isSameEmail(email, known.stored.email))
        throw new DeskError('connect.validationUnknown');
      return known;
    }
    const { scope } = await integration.open();
    const row = await findRow(scope, policyHolderId);
    const owner = email ?? row?.email;
    if (owner === undefined) throw new DeskError('connect.validationUnknown');
    const member = await members.find(owner);
    // The service knows it under one of the member's employers, which need not be the one added last.
    const found = row === undefined ? null : await connections.readWithTask(policyHolderId).catch(() => null);
    return begin(
      {
        scope,
        policyHolderId,
        email: member.email,
        employerId: found?.employerId ?? member.employer.id,
        payerId: row?.payerId ?? null,
        payerName: row?.payerName ?? null,
        taskId: null,
        startedAt: new Date(clock.now()).toISOString(),
      },
      null,
      false,
      row?.verdict,
    );
  };
  /** Waits until it is known whether the carrier asks: one found again knows nothing at first. */
  const heardOf = async (entry: Entry, isEnough: (flow: Flow) => boolean): Promise<void> => {
    const untilMs = performance.now() + 15_000;
    while (!isEnough(entry.watch.flow) && entry.watch.flow.outcome === null && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, 50));
  };
  const answer = async (
    wanted: { policyHolderId: number; email?: string | undefined },
    given: { method: string } | { code: string },
  ): Promise<Validation> => {
    const entry = await findOrBegin(wanted.policyHolderId, wanted.email);
    const { flow } = entry.watch;
    if (flow.watchedBy === null && flow.outcome === null) {
      await heardOf(entry, ({ watchedBy, interruption }) => watchedBy !== null || interruption !== null);
    }
    await entry.watch.answer(given);
    return toView(entry, clock.now());
  };

  return {
    submit: (login: LoginToSubmit) => submit(login, null),
    correct: (login: LoginToSubmit, policyHolderId: number) => submit(login, policyHolderId),
    watch: async (policyHolderId: number, email?: string): Promise<Validation> =>
      toView(await findOrBegin(policyHolderId, email), clock.now()),
    /** One whose result is unknown is watched again from its current state; any other continues, or stays ended. */
    async checkAgain(policyHolderId: number, email?: string): Promise<Validation> {
      const entry = await findOrBegin(policyHolderId, email);
      const { outcome, taskId } = entry.watch.flow;
      const again =
        outcome === 'unknown' ? await begin({ ...entry.stored, taskId }, null, entry.isStartedHere) : entry;
      return toView(again, clock.now());
    },
    async get(policyHolderId: number): Promise<Validation | null> {
      const entry = await findKnown(policyHolderId);
      return entry === null ? null : toView(entry, clock.now());
    },
    async list(): Promise<Validation[]> {
      const { scope } = await integration.open();
      for (const one of (await file.read()).validations) {
        if (one.scope === scope && !entries.has(keyOf(scope, one.policyHolderId))) await resume(one);
      }
      return [...entries.values()]
        .filter(({ stored }) => stored.scope === scope)
        .map((entry) => toView(entry, clock.now()))
        .sort((a, b) => b.startedAt.localeCompare(a.startedAt));
    },
    answer,
    /** In the order in which they were started, of the current integration. */
    async listWatched(): Promise<WatchedValidation[]> {
      const { scope } = await integration.open();
      return [...entries.values()].filter(({ stored }) => stored.scope === scope).map(toWatched);
    },
    /** Watches a validation of a connection that was started elsewhere. Nothing of it is stored. */
    async watchElsewhere({ view, employerId, taskId, taskToken }: ConnectionWithTask): Promise<void> {
      const { scope } = await integration.open();
      const { policyHolderId, email, payerId, payerName } = view;
      const startedAt = new Date(clock.now()).toISOString();
      const found = { scope, policyHolderId, email, employerId, payerId, payerName, taskId, startedAt };
      await begin(found, taskToken, false);
    },
    /** Stops watching; it is found again by reading its connection. */
    async leave(policyHolderId: number): Promise<void> {
      const { scope } = await integration.open();
      const key = keyOf(scope, policyHolderId);
      const entry = entries.get(key);
      entries.delete(key);
      await entry?.watch.stop();
      ports.onChange(policyHolderId);
    },
    async stop(): Promise<void> {
      isClosed = true;
      await Promise.all([...entries.values()].map(({ watch }) => watch.stop()));
      await Promise.all(writes);
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

export type Validations = ReturnType<typeof createValidations>;
