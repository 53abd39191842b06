import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { AuditEntry, AuditRecord, AuditVerdict } from '../../../contract/audit.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AuditAnchor } from '../store/audit-entries.ts';
import { type StoreThread, startStoreThread } from '../store/store-thread.ts';

/** The audit log of a profile: what was revealed, exported, copied, and done with keys, lock and settings. */
export interface AuditLog {
  /** Resolves when the entry is durable. @throws DeskError `store.*`, `disk.full`, `keychain.*` */
  append(record: AuditRecord): Promise<void>;
  list(page: { offset: number; limit: number }): Promise<{ entries: AuditEntry[]; total: number }>;
  /** Finds any entry that was altered or taken out, the newest included. */
  verify(): Promise<AuditVerdict>;
  close(): Promise<void>;
}

const anchorSchema = z.object({ seq: z.number().int().positive(), hash: z.string().length(64) });

/**
 * Opens the log lazily: the file and its key are made with the first entry. Several processes may append;
 * the chain is kept by the file's write lock, and the anchor beside it only ever moves forward.
 */
export function createAuditLog(ports: {
  readonly filePath: string;
  readonly anchorPath: string;
  readonly clock: Clock;
  /** The database key; `mayCreate` is false once the file exists. */
  readonly readKey: (mayCreate: boolean) => Promise<Buffer>;
}): AuditLog {
  const { filePath, anchorPath, clock } = ports;
  let opening: Promise<StoreThread> | null = null;
  let anchoring: Promise<void> = Promise.resolve();

  const open = (): Promise<StoreThread> => {
    opening ??= (async () => {
      const key = await ports.readKey(!existsSync(filePath));
      await mkdir(dirname(filePath), { recursive: true, mode: 0o700 });
      return startStoreThread({ filePath, key, role: 'ours' });
    })();
    opening.catch(() => {
      opening = null;
    });
    return opening;
  };

  const readAnchor = async (): Promise<AuditAnchor | null> => {
    try {
      return anchorSchema.parse(JSON.parse(await readFile(anchorPath, 'utf8')));
    } catch {
      return null;
    }
  };

  const noteAnchor = async (anchor: AuditAnchor): Promise<void> => {
    const noted = await readAnchor();
    if (noted === null || noted.seq < anchor.seq)
      await writeFileAtomic(anchorPath, `${JSON.stringify(anchor)}\n`);
  };

  return {
    async append(record) {
      const at = new Date(clock.now()).toISOString();
      const anchor = (await (await open()).call('appendAudit', { ...record, at })) as AuditAnchor;
      anchoring = anchoring.catch(() => undefined).then(() => noteAnchor(anchor));
      await anchoring;
    },
    async list(page) {
      if (!existsSync(filePath)) return { entries: [], total: 0 };
      return (await (await open()).call('listAudit', page)) as { entries: AuditEntry[]; total: number };
    },
    async verify() {
      const anchor = await readAnchor();
      if (!existsSync(filePath)) {
        return anchor === null
          ? { isIntact: true, entries: 0, firstBad: null, reason: null }
          : { isIntact: false, entries: 0, firstBad: 1, reason: 'endMissing' };
      }
      return (await (await open()).call('verifyAudit', anchor)) as AuditVerdict;
    },
    async close() {
      const thread = await opening?.catch(() => null);
      opening = null;
      await thread?.close();
    },
  };
}
