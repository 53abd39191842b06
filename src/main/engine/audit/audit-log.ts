import type { AuditAction, AuditEntry, AuditRecord, AuditVerdict } from '../../../contract/audit.ts';
import type { AnchorStore } from '../../keychain/anchor-store.ts';
import { getOrCreateSecret, type SecretStore } from '../../keychain/secret-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { DeskError } from '../../lib/errors.ts';
import { createSerialQueue } from '../../lib/serial-queue.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { type AuditAnchor, genesis } from '../store/user-data/audit-chain.ts';
import type { Appended, AuditPage } from '../store/user-data/audit-entries.ts';
import { createAuditAnchors } from './audit-anchors.ts';
import { createLineWriter, verifyLines } from './audit-lines.ts';
import type { AuditForwarder } from './forward-audit.ts';

/** The audit log of a profile: what was viewed, exported and copied, and actions on keys, lock and settings. */
export interface AuditLog {
  /** Resolves when the entry is durable. @throws DeskError `store.*`, `disk.full`, `keychain.*` */
  append(record: AuditRecord, options?: { onceSince?: string }): Promise<void>;
  list(page: AuditPage): Promise<{ entries: AuditEntry[]; total: number }>;
  /** Every entry as a line of JSON, oldest first, in pages. */
  readLines(): AsyncIterable<string[]>;
  /** Verifies an exported file with the key of this profile. @throws DeskError `audit.notAFile` */
  verifyFile(path: string): Promise<AuditVerdict>;
  /** Detects entries that were altered or removed, and a log that is an older copy or missing. */
  verify(): Promise<AuditVerdict>;
  /**
   * Records that the user accepts the log, and what was found; later checks begin after that entry.
   * @throws DeskError `audit.notConfirmed` where the check now finds something else
   */
  accept(seen: Pick<AuditVerdict, 'reason' | 'firstBad'>): Promise<AuditVerdict>;
  /** Removes entries that are older than a moment, as `trimAudit()` does. Returns how many were removed. */
  trim(before: string): Promise<number>;
  /** Continues a restored log with the key of the profile that wrote it. @throws DeskError `keychain.*`, `vault.*` */
  adopt(key: Buffer): Promise<void>;
  /** Stores the newest entry in the keychain; called when the engine ends. Never rejects. */
  close(): Promise<void>;
}

const entriesPerPage = 1_000;

/** Actions before which the newest entry is stored in the keychain. */
const anchored: ReadonlySet<AuditAction> = new Set([
  'ssn.revealed',
  'records.listed',
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
 * The log is in the second file and is created with the first entry. Several processes may append; the file's write
 * lock keeps the hash chain in order. The key of the chain is a secret of the profile, made with the first entry after
 * the keychain holds an anchor: a key without an anchor therefore shows that the anchor was removed.
 */
export function createAuditLog(ports: {
  readonly store: UserDataStore;
  readonly anchorPath: string;
  readonly secrets: SecretStore;
  readonly anchors: AnchorStore;
  readonly getProfileId: () => Promise<string>;
  readonly actor: string | null;
  /** Null if entries are not forwarded. */
  readonly forwarder?: Pick<AuditForwarder, 'wake' | 'readThrough'> | null;
  readonly clock: Clock;
  readonly onTrouble: (thrown: unknown) => void;
}): AuditLog {
  const { store, clock, secrets, actor, forwarder = null } = ports;
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
      witnessed: store.isThere() ? await store.call('readWitnessed', null) : [],
      noted,
      kept: await anchors.readKept(),
      key: await secrets.get(await keyAccount()),
    });
  };

  return {
    async append(record, { onceSince } = {}) {
      const appended = await store.call('appendAudit', { ...(await entry()), record, onceSince });
      if (appended === null) return;
      await anchoring.advance(appended, anchored.has(record.action));
      forwarder?.wake();
    },
    async list(page) {
      if (!store.isThere()) return { entries: [], total: 0 };
      return store.call('listAudit', page);
    },
    readLines: () => readLines(store),
    verifyFile: async (path) => verifyLines(path, await secrets.get(await keyAccount())),
    verify,
    async accept(seen) {
      const verdict = await verify();
      if (verdict.isIntact || verdict.reason !== seen.reason || verdict.firstBad !== seen.firstBad)
        throw new DeskError('audit.notConfirmed');
      const account = await keyAccount();
      // Earlier entries cannot be verified without the old key, so the chain begins again with a new key.
      held ??= await getOrCreateSecret(secrets, account, { mayCreate: true });
      const witnessed = store.isThere() ? await store.call('readWitnessed', null) : [];
      const outside = [await anchors.readNoted(), await anchors.readKept(), ...witnessed];
      const stored = outside.filter((anchor) => anchor !== null);
      const newest = await store.call('acceptAudit', { ...(await entry()), found: verdict, known: stored });
      await anchoring.begin(newest);
      return verify();
    },
    async trim(before) {
      if (!store.isThere()) return 0;
      const forwarded = await forwarder?.readThrough();
      const { removed, appended } = await store.call('trimAudit', { ...(await entry()), before, forwarded });
      if (appended !== null) await anchoring.advance(appended, true);
      return removed;
    },
    async adopt(key) {
      await secrets.set(await keyAccount(), key);
      held = null;
      const end = await store.call('readAuditEnd', null);
      if (end !== null) await anchoring.begin(end);
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

async function* readLines(store: UserDataStore): AsyncGenerator<string[]> {
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
}

/** Stores anchors one after another. */
function createAnchoring(anchors: ReturnType<typeof createAuditAnchors>) {
  /** The newest entry that is not stored in the keychain yet. */
  let unkept: AuditAnchor | null = null;
  const inTurn = createSerialQueue();
  return {
    /** Stores a new entry next to the log and, with `isKept`, in the keychain. */
    advance: (appended: Appended, isKept: boolean): Promise<void> =>
      inTurn(async () => {
        unkept = appended.newest;
        await anchors.advance(appended);
        if (!isKept) return;
        await anchors.keep(appended.newest);
        if (unkept?.seq === appended.newest.seq) unkept = null;
      }),
    async begin(newest: AuditAnchor): Promise<void> {
      await inTurn(() => anchors.begin(newest));
      unkept = null;
    },
    /** Stores the newest entry in the keychain. */
    end: (): Promise<void> =>
      inTurn(async () => {
        if (unkept !== null) await anchors.keep(unkept);
      }),
  };
}

const bad = (reason: AuditVerdict['reason'], entries: number, firstBad = 1): AuditVerdict => ({
  isIntact: false,
  entries,
  from: 1,
  firstBad,
  reason,
});

/**
 * `noted` and `kept`: the newest entry according to the file next to the log and according to the keychain;
 * `witnessed`: this computer's entries that teams have seen.
 */
async function verifyLog(
  store: UserDataStore,
  {
    noted,
    kept,
    witnessed,
    key,
  }: {
    noted: AuditAnchor | null;
    kept: AuditAnchor | null;
    witnessed: readonly AuditAnchor[];
    key: Buffer | null;
  },
): Promise<AuditVerdict> {
  const presentAnchors = [noted, kept, ...witnessed].filter(
    (anchor): anchor is AuditAnchor => anchor !== null && anchor.seq > 0,
  );
  const total = store.isThere() ? (await store.call('listAudit', { offset: 0, limit: 1 })).total : 0;
  if (total === 0) {
    const isExpected = presentAnchors.length > 0 || (key !== null && kept === null);
    if (isExpected) return bad('logMissing', 0);
    return { isIntact: true, entries: 0, from: 1, firstBad: null, reason: null };
  }
  const verdict = await store.call('verifyAudit', { anchors: presentAnchors, key });
  const isAnchorMissing = noted === null || (key !== null && kept === null);
  return verdict.isIntact && isAnchorMissing ? bad('anchorMissing', total, total) : verdict;
}
