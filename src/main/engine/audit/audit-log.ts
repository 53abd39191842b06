import type { AuditAction, AuditEntry, AuditRecord, AuditVerdict } from '../../../contract/audit.ts';
import type { AnchorStore } from '../../keychain/anchor-store.ts';
import { getOrCreateSecret, type SecretStore } from '../../keychain/secret-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { type AuditAnchor, genesis } from '../store/user-data/audit-chain.ts';
import type { Appended, AuditPage } from '../store/user-data/audit-entries.ts';
import { createAuditAnchors } from './audit-anchors.ts';
import { createLineWriter, verifyLines } from './audit-lines.ts';

/** The audit log of a profile: what was seen, exported, copied, and done with keys, lock and settings. */
export interface AuditLog {
  /** Resolves when the entry is durable. @throws DeskError `store.*`, `disk.full`, `keychain.*` */
  append(record: AuditRecord, options?: { onceSince?: string }): Promise<void>;
  list(page: AuditPage): Promise<{ entries: AuditEntry[]; total: number }>;
  /** Every entry as a line of JSON, oldest first, a page of them at a time. */
  readLines(): AsyncIterable<string[]>;
  /** Verifies what was exported, with the key of this profile. @throws DeskError `audit.notAFile` */
  verifyFile(path: string): Promise<AuditVerdict>;
  /** Finds any entry that was altered or taken out, and a log that is an older copy or not there at all. */
  verify(): Promise<AuditVerdict>;
  /**
   * Writes down that a person accepts the log as it is, with what was found; it is verified from there on.
   * @throws DeskError `audit.notConfirmed` where something else is found now
   */
  accept(seen: Pick<AuditVerdict, 'reason' | 'firstBad'>): Promise<AuditVerdict>;
  /** Removes what is older than a moment, as `trimAudit()` does. Returns how many entries went. */
  trim(before: string): Promise<number>;
  /** Anchors the newest entry in the keychain; for the end of the engine. Never rejects. */
  close(): Promise<void>;
}

const entriesPerPage = 1_000;

/** Acts before which the newest entry is anchored in the keychain. */
const anchored: ReadonlySet<AuditAction> = new Set([
  'ssn.revealed',
  'export.begun',
  'audit.exported',
  'key.backedUp',
  'unlock.passphraseSet',
  'unlock.passphraseRemoved',
  'profile.removed',
  'key.retired',
  'workspace.removed',
  'records.removed',
  'store.asideRemoved',
  'audit.trimmed',
  'desk.locked',
]);

/**
 * The log lies in the second file and is made with the first entry. Several processes may append; the chain is
 * kept by the file's write lock. Its key is a secret of the profile, made with the first entry under it, once the
 * keychain holds an anchor: so a key without an anchor shows that the anchor was removed.
 */
export function createAuditLog(ports: {
  readonly store: UserDataStore;
  readonly anchorPath: string;
  readonly secrets: SecretStore;
  readonly anchors: AnchorStore;
  readonly getProfileId: () => Promise<string>;
  readonly actor: string | null;
  readonly clock: Clock;
  readonly onTrouble: (thrown: unknown) => void;
}): AuditLog {
  const { store, clock, secrets, actor } = ports;
  const keyAccount = async (): Promise<string> => `audit-key/${await ports.getProfileId()}`;
  const anchors = createAuditAnchors({
    filePath: ports.anchorPath,
    store: ports.anchors,
    account: async () => `audit-anchor/${await ports.getProfileId()}`,
    has: async (anchor) => store.call('hasAuditAnchor', anchor),
  });
  let held: Buffer | null = null;
  const anchoring = createAnchoring(anchors);

  const readKey = async (): Promise<Buffer> => {
    held ??= await getOrCreateSecret(secrets, await keyAccount(), {
      async mayCreate() {
        if (await anchors.readKept()) return false;
        const end = store.isThere() ? await store.call('readAuditEnd', null) : null;
        if (end !== null) return false;
        await anchors.writeKept({ seq: 0, hash: genesis });
        return true;
      },
    });
    return held;
  };
  const now = (): string => new Date(clock.now()).toISOString();
  const entry = async () => ({ at: now(), actor, key: await readKey() });

  const verify = async (): Promise<AuditVerdict> => {
    const noted = await anchors.readNoted();
    return verifyLog(store, {
      noted,
      kept: await anchors.readKept(),
      key: await secrets.get(await keyAccount()),
    });
  };

  return {
    async append(record, { onceSince } = {}) {
      const appended = await store.call('appendAudit', { ...(await entry()), record, onceSince });
      if (appended !== null) await anchoring.note(appended, anchored.has(record.action));
    },
    async list(page) {
      if (!store.isThere()) return { entries: [], total: 0 };
      return store.call('listAudit', page);
    },
    async *readLines() {
      if (!store.isThere()) return;
      const start = await store.call('readAuditStart', null);
      const write = createLineWriter(start.before);
      for (let { seq } = start; ; ) {
        const entries = await store.call('readAuditFrom', { seq, limit: entriesPerPage });
        const last = entries.at(-1);
        if (last === undefined) return;
        yield entries.map(write);
        seq = last.seq + 1;
      }
    },
    verifyFile: async (path) => verifyLines(path, await secrets.get(await keyAccount())),
    verify,
    async accept(seen) {
      const found = await verify();
      if (found.isIntact || found.reason !== seen.reason || found.firstBad !== seen.firstBad) {
        throw new DeskError('audit.notConfirmed');
      }
      const account = await keyAccount();
      // Without the old key nothing is verified by it any more: the chain begins again under a new one.
      held ??= await getOrCreateSecret(secrets, account, { mayCreate: true });
      const known = [await anchors.readNoted(), await anchors.readKept()].filter((one) => one !== null);
      const newest = await store.call('acceptAudit', { ...(await entry()), found, known });
      await anchoring.begin(newest);
      return verify();
    },
    async trim(before) {
      if (!store.isThere()) return 0;
      const { removed, appended } = await store.call('trimAudit', { ...(await entry()), before });
      if (appended !== null) await anchoring.note(appended, true);
      return removed;
    },
    async close() {
      try {
        await anchoring.end();
      } catch (thrown) {
        ports.onTrouble(thrown);
      }
      held?.fill(0);
      held = null;
    },
  };
}

/** Anchors entries one after the other. */
function createAnchoring(anchors: ReturnType<typeof createAuditAnchors>) {
  /** The newest entry that the keychain does not name. */
  let unkept: AuditAnchor | null = null;
  let last: Promise<void> = Promise.resolve();
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    last = last.catch(() => undefined).then(act);
    return last;
  };
  return {
    /** Notes a new entry beside the log; `isKept`: in the keychain as well. */
    note: (appended: Appended, isKept: boolean): Promise<void> =>
      inTurn(async () => {
        unkept = appended.newest;
        await anchors.note(appended);
        if (!isKept) return;
        await anchors.keep(appended.newest);
        if (unkept?.seq === appended.newest.seq) unkept = null;
      }),
    async begin(newest: AuditAnchor): Promise<void> {
      await inTurn(() => anchors.begin(newest));
      unkept = null;
    },
    /** Anchors the newest entry in the keychain. */
    async end(): Promise<void> {
      await last.catch(() => undefined);
      if (unkept !== null) await anchors.keep(unkept);
    },
  };
}

const bad = (reason: AuditVerdict['reason'], entries: number, firstBad = 1): AuditVerdict => ({
  isIntact: false,
  entries,
  from: 1,
  firstBad,
  reason,
});

/** `noted` and `kept`: the newest entry, as the file beside the log and the keychain name it. */
async function verifyLog(
  store: UserDataStore,
  { noted, kept, key }: { noted: AuditAnchor | null; kept: AuditAnchor | null; key: Buffer | null },
): Promise<AuditVerdict> {
  const found = [noted, kept].filter((anchor) => anchor !== null && anchor.seq > 0) as AuditAnchor[];
  const total = store.isThere() ? (await store.call('listAudit', { offset: 0, limit: 1 })).total : 0;
  if (total === 0) {
    const isExpected = found.length > 0 || (key !== null && kept === null);
    if (isExpected) return bad('logMissing', 0);
    return { isIntact: true, entries: 0, from: 1, firstBad: null, reason: null };
  }
  const verdict = await store.call('verifyAudit', { anchors: found, key });
  const isAnchorMissing = noted === null || (key !== null && kept === null);
  return verdict.isIntact && isAnchorMissing ? bad('anchorMissing', total, total) : verdict;
}
