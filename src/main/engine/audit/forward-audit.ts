import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type AuditForwarding, auditForwardingSchema } from '../../../contract/audit.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { Clock } from '../../lib/clock.ts';
import { toDeskError } from '../../lib/errors.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import { sleepFor } from '../service/data-api.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { genesis } from '../store/user-data/audit-chain.ts';
import type { AuditTarget } from './audit-target.ts';
import { type ForwardedEntry, toForwarded } from './forwarded-entry.ts';

/** Forwards the audit log in order. The log is the queue; only the position up to which it was received is stored. */
export interface AuditForwarder {
  /** Sends new entries soon. */
  wake(): void;
  /** The number of the newest entry that the target received; 0: none. */
  readThrough(): Promise<number>;
  read(): Promise<AuditForwarding>;
  /**
   * For the doctor: resends the last received entry and, in the same batch, the waiting ones. False: the log is empty.
   * @throws DeskError `audit.target*`, `store.*`
   */
  check(): Promise<boolean>;
  /** Sends the waiting entries for at most a second, unless the target can't be reached. Never rejects. */
  stop(): Promise<void>;
}

const cursorSchema = z.object({
  /** The target that received the entry; another target gets the log from the first entry. */
  address: z.string(),
  seq: z.int().min(0),
  hash: z.string(),
  failing: auditForwardingSchema.shape.failing,
});
type Cursor = z.infer<typeof cursorSchema>;

const entriesPerBatch = 200;
/** Entries that are written within this time are sent together. */
const gatherMs = 500;
/** How often to check for entries of other processes. */
const lookEveryMs = 30_000;
/** The longest pause between attempts while the target can't be reached. */
const maxPauseMs = 60_000;
const stopLimitMs = 1_000;

/**
 * Starts forwarding. An entry counts as received after the target accepted its batch; a process that was killed before
 * it stored this sends the batch again, and its numbers show the repetition.
 */
export function startForwarding(ports: {
  readonly address: string;
  readonly cursorPath: string;
  readonly store: Pick<UserDataStore, 'isThere' | 'call'>;
  readonly target: AuditTarget;
  readonly getComputer: () => Promise<string>;
  readonly clock: Clock;
  /** Whether another process sends the log; then only `check` sends, and nothing is stored. */
  readonly isReadOnly?: boolean;
  readonly sleep?: typeof sleepFor;
  readonly onTrouble: (thrown: unknown) => void;
}): AuditForwarder {
  const { address, cursorPath, store, target, clock, isReadOnly = false, sleep = sleepFor } = ports;
  const start: Cursor = { address, seq: 0, hash: genesis, failing: null };
  const ended = new AbortController();
  const inTurn = createSerialQueue();
  let isDue = false;
  let wakeUp = (): void => undefined;

  const readCursor = async (): Promise<Cursor> => {
    const text = await readFile(cursorPath, 'utf8').catch(() => '');
    try {
      const cursor = cursorSchema.parse(JSON.parse(text));
      return cursor.address === address ? cursor : start;
    } catch {
      return start;
    }
  };
  const writeCursor = async (cursor: Cursor): Promise<void> => {
    if (!isReadOnly) await writeFileAtomic(cursorPath, `${JSON.stringify(cursor)}\n`);
  };

  /**
   * The entries after the cursor. If the log no longer has the entry of the cursor, or has a different one, the log is
   * sent from its first entry: the target finds the gap, or numbers with two hashes.
   */
  const readBatch = async (cursor: Cursor, isAgain: boolean): Promise<ForwardedEntry[]> => {
    if (!store.isThere()) return [];
    const from = cursor.seq - (isAgain ? 1 : 0);
    let entries = await store.call('readAuditFrom', { seq: from, limit: entriesPerBatch });
    let follows = entries[0]?.hash ?? genesis;
    const isThere = entries.some(({ seq, hash }) => seq === cursor.seq && hash === cursor.hash);
    if (isThere && entries[0]?.seq === from) {
      entries.shift();
    } else {
      const { seq, before } = await store.call('readAuditStart', null);
      entries = await store.call('readAuditFrom', { seq, limit: entriesPerBatch });
      follows = before;
    }
    const computer = await ports.getComputer();
    return entries.map((entry) => {
      const forwarded = toForwarded(entry, follows, computer);
      follows = entry.hash;
      return forwarded;
    });
  };

  /** Sends one batch. Returns false where there was nothing to send. */
  const sendNext = async (isAgain: boolean): Promise<boolean> => {
    const cursor = await readCursor();
    const batch = await readBatch(cursor, isAgain);
    const last = batch.at(-1);
    if (last === undefined) return false;
    try {
      await target.send(batch, ended.signal);
    } catch (thrown) {
      if (ended.signal.aborted) throw thrown;
      if (cursor.failing === null) ports.onTrouble(thrown);
      const since = cursor.failing?.since ?? new Date(clock.now()).toISOString();
      await writeCursor({ ...cursor, failing: { since, code: toDeskError(thrown).code } });
      throw thrown;
    }
    await writeCursor({ address, seq: last.seq, hash: last.hash, failing: null });
    return true;
  };
  /** The doctor's check runs between two batches. */
  const sendAll = async (): Promise<void> => {
    while (await inTurn(() => sendNext(false)));
  };

  const pause = (ms: number, ...signals: AbortSignal[]): Promise<void> =>
    sleep(ms, AbortSignal.any([ended.signal, ...signals])).catch(() => undefined);
  const awaitEntries = async (): Promise<void> => {
    const woken = new AbortController();
    wakeUp = () => woken.abort();
    if (!isDue) await pause(lookEveryMs, woken.signal);
  };
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!ended.signal.aborted) {
      await pause(gatherMs);
      isDue = false;
      try {
        await sendAll();
        failures = 0;
        await awaitEntries();
      } catch {
        failures += 1;
        await pause(Math.min(maxPauseMs, gatherMs * 2 ** failures));
      }
    }
  };
  const running = isReadOnly ? Promise.resolve() : run();

  return {
    wake() {
      isDue = true;
      wakeUp();
    },
    readThrough: async () => (await readCursor()).seq,
    async read() {
      const { seq, failing } = await readCursor();
      const end = store.isThere() ? await store.call('readAuditEnd', null) : null;
      return { address, through: seq, newest: end?.seq ?? 0, failing };
    },
    check: () => inTurn(() => sendNext(true)),
    async stop() {
      if (!isReadOnly && (await readCursor()).failing === null) {
        const sending = sendAll().catch(() => undefined);
        await Promise.race([sending, wait(stopLimitMs, undefined, { ref: false })]);
      }
      ended.abort();
      await running;
    },
  };
}
