import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AuditRecord } from '../../src/contract/audit.ts';
import { createAuditLog } from '../../src/main/engine/audit/audit-log.ts';
import { openAuditTarget } from '../../src/main/engine/audit/audit-target.ts';
import { startForwarding } from '../../src/main/engine/audit/forward-audit.ts';
import { sleepFor } from '../../src/main/engine/service/data-api.ts';
import type { Transport } from '../../src/main/engine/service/transport.ts';
import { type Database, openDatabase } from '../../src/main/engine/store/file/database.ts';
import { createUserDataStore } from '../../src/main/engine/store/threads/user-data-store.ts';
import { createEphemeralStore } from '../../src/main/keychain/secret-store.ts';
import { testBytes } from './seeds.ts';

const fileKey = testBytes(32, 11);
/** The key of the file, in hexadecimal. */
export const testAuditKey = Buffer.from(fileKey).toString('hex');

/** How many times as fast as this computer's the clock of forwarding runs. */
const speed = 1_000;

/**
 * A profile's audit log in a new folder, with the real file and a keychain in memory. `forward`: where it is sent to,
 * with pauses that are a thousandth as long.
 */
export function openTestAudit(
  forward: {
    readonly address: string;
    readonly transport: Transport;
    readonly readTrusted: () => string[];
    readonly token?: string;
  } | null = null,
) {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-audit-'));
  const filePath = join(folder, 'ours.db');
  const anchorPath = join(folder, 'audit-anchor.json');
  const secrets = createEphemeralStore();
  const anchors = createEphemeralStore();
  const troubles: unknown[] = [];
  let nowMs = Date.UTC(2026, 10, 20, 12);
  let running: ReturnType<typeof start> | null = null;
  const began = performance.now();
  const now = (): number => nowMs + (forward === null ? 0 : Math.round((performance.now() - began) * speed));
  const start = () => {
    const store = createUserDataStore({ filePath, readKey: async () => Buffer.from(fileKey) });
    const onTrouble = (thrown: unknown) => void troubles.push(thrown);
    const forwarder =
      forward === null
        ? null
        : startForwarding({
            ...{ store, clock: { now }, onTrouble, address: forward.address },
            cursorPath: join(folder, 'audit-forwarded.json'),
            target: openAuditTarget(forward.address, {
              ...forward,
              getToken: async () => forward.token ?? null,
            }),
            getComputer: async () => '0123456789abcdef',
            sleep: (ms, signal) => sleepFor(ms / speed, signal),
          });
    const log = createAuditLog({
      store,
      anchorPath,
      secrets,
      anchors,
      getProfileId: async () => 'p',
      actor: 'dana',
      forwarder,
      clock: { now },
      onTrouble,
    });
    return { store, log, forwarder };
  };
  const close = async (): Promise<void> => {
    await running?.forwarder?.stop();
    await running?.log.close();
    await running?.store.close();
    running = null;
  };
  onTestFinished(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return {
    folder,
    filePath,
    anchorPath,
    secrets,
    anchors,
    troubles,
    /** The log as a process uses it: open until `close`. */
    get log() {
      running ??= start();
      return running.log;
    },
    get store() {
      running ??= start();
      return running.store;
    },
    get forwarder() {
      running ??= start();
      return running.forwarder;
    },
    now,
    /** Closes it as a process that exits normally, which writes an anchor. */
    close,
    /** Closes it as a process that is killed. */
    async kill(): Promise<void> {
      await running?.store.close();
      running = null;
    },
    passDays(days: number): void {
      nowMs += days * 86_400_000;
    },
    /** Opens the file directly, as another process of Claimdesk does. */
    open<T>(use: (database: Database) => T, path = filePath): T {
      const database = openDatabase(path, fileKey);
      try {
        return use(database);
      } finally {
        database.close();
      }
    },
    /** Changes the file as an attacker with the database key could. */
    tamper(...statements: string[]): void {
      const database = openDatabase(filePath, fileKey);
      for (const name of ['audit_stays', 'audit_is_final']) database.exec(`DROP TRIGGER IF EXISTS ${name}`);
      for (const sql of statements) database.exec(sql);
      database.pragma('wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}

export const revealed = (recordId: number): AuditRecord => ({
  action: 'ssn.revealed',
  workspaceId: 'w',
  details: { list: 'members', count: 1, recordId },
});
export const opened = (recordId: number): AuditRecord => ({
  action: 'record.opened',
  workspaceId: 'w',
  details: { list: 'claims', recordId },
});
