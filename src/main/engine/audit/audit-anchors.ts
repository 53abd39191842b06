import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { AnchorStore } from '../../keychain/anchor-store.ts';
import { writeFileAtomic } from '../../lib/atomic-file.ts';
import type { AuditAnchor } from '../store/user-data/audit-chain.ts';
import type { Appended } from '../store/user-data/audit-entries.ts';

const anchorSchema = z.object({ seq: z.number().int().min(0), hash: z.string().min(64).max(80) });
const parse = (text: string): AuditAnchor | null => {
  try {
    return anchorSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

/**
 * Stores the newest entry of the audit log outside the log: after every entry in a file next to it, which reveals a
 * truncated log, and at times in the keychain, which reveals that the whole profile is an older copy. An anchor whose
 * entry is missing from the log is not replaced: the difference is reported until it is accepted.
 */
export function createAuditAnchors(ports: {
  readonly filePath: string;
  readonly store: AnchorStore;
  readonly account: () => Promise<string>;
  /** Whether the log has this entry. */
  readonly has: (anchor: AuditAnchor) => Promise<boolean>;
}) {
  const readNoted = async (): Promise<AuditAnchor | null> =>
    parse(await readFile(ports.filePath, 'utf8').catch(() => ''));
  const writeNoted = (anchor: AuditAnchor) => writeFileAtomic(ports.filePath, `${JSON.stringify(anchor)}\n`);
  const readKept = async (): Promise<AuditAnchor | null> => {
    const kept = await ports.store.get(await ports.account());
    return kept === null ? null : parse(kept.toString('utf8'));
  };
  const writeKept = async ({ seq, hash }: AuditAnchor) =>
    ports.store.set(await ports.account(), Buffer.from(JSON.stringify({ seq, hash })));

  return {
    readNoted,
    readKept,
    writeKept,
    /** Stores a new entry in the file next to the log. */
    async advance({ before, newest }: Appended): Promise<void> {
      const noted = await readNoted();
      // A process that was killed right after the first entry has not stored it.
      const isMissing = noted === null;
      if (isMissing && (before?.seq ?? 0) > 1) return;
      if (!isMissing && noted.seq >= newest.seq) return;
      if (!isMissing && noted.hash !== before?.hash && !(await ports.has(noted))) return;
      await writeNoted(newest);
    },
    /** Stores an entry in the keychain. @throws DeskError `keychain.*`, `vault.*` */
    async keep(newest: AuditAnchor): Promise<void> {
      const kept = await readKept();
      if (kept === null || kept.seq >= newest.seq || !(await ports.has(kept))) return;
      await writeKept(newest);
    },
    /** Replaces both anchors by this entry, after the user accepted the log. */
    async begin(newest: AuditAnchor): Promise<void> {
      await writeKept(newest);
      await writeNoted(newest);
    },
  };
}
