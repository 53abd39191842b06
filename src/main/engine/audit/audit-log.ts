import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AuditEntry, AuditRecord, AuditVerdict } from '../../../contract/audit.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { Clock } from '../../lib/clock.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { AuditAnchor } from '../store/user-data/audit-entries.ts';

/** The audit log of a profile: what was revealed, exported, copied, and done with keys, lock and settings. */
export interface AuditLog {
  /** Resolves when the entry is durable. @throws DeskError `store.*`, `disk.full`, `keychain.*` */
  append(record: AuditRecord): Promise<void>;
  list(page: { offset: number; limit: number }): Promise<{ entries: AuditEntry[]; total: number }>;
  /** Finds any entry that was altered or taken out, the newest included. */
  verify(): Promise<AuditVerdict>;
}

const anchorSchema = z.object({ seq: z.number().int().positive(), hash: z.string().length(64) });

/**
 * The log lies in the second file and is made with the first entry. Several processes may append; the chain is
 * kept by the file's write lock, and the anchor beside it only ever moves forward.
 */
export function createAuditLog(ports: {
  readonly store: UserDataStore;
  readonly anchorPath: string;
  readonly clock: Clock;
}): AuditLog {
  const { store, anchorPath, clock } = ports;
  let anchoring: Promise<void> = Promise.resolve();

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
      const anchor = await store.call('appendAudit', { ...record, at });
      anchoring = anchoring.catch(() => undefined).then(() => noteAnchor(anchor));
      await anchoring;
    },
    async list(page) {
      if (!store.isThere()) return { entries: [], total: 0 };
      return store.call('listAudit', page);
    },
    async verify() {
      const anchor = await readAnchor();
      if (!store.isThere()) {
        return anchor === null
          ? { isIntact: true, entries: 0, firstBad: null, reason: null }
          : { isIntact: false, entries: 0, firstBad: 1, reason: 'endMissing' };
      }
      return store.call('verifyAudit', anchor);
    },
  };
}
