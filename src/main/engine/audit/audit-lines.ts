import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type AuditEntry, type AuditVerdict, auditEntrySchema } from '../../../contract/audit.ts';
import { DeskError } from '../../lib/errors.ts';
import { type AuditRow, genesis } from '../store/user-data/audit-chain.ts';
import { checkChain, type Start } from '../store/user-data/verify-audit.ts';

/** An entry as a line of an export, with the hash of the previous entry, so that a removed line is detected. */
const lineSchema = auditEntrySchema.extend({ action: z.string(), follows: z.string() });
type Line = z.infer<typeof lineSchema>;

/** Converts entries, oldest first, to lines. `start` is the hash that precedes the first of them. */
export function createLineWriter(start: string): (entry: AuditEntry) => string {
  let before = start;
  return (entry) => {
    const follows = before;
    before = entry.hash;
    return `${JSON.stringify({ ...entry, follows })}\n`;
  };
}

/**
 * Verifies an exported file with the key of the profile that wrote it.
 * @throws DeskError `audit.notAFile`
 */
export async function verifyLines(path: string, key: Uint8Array | null): Promise<AuditVerdict> {
  const lines: Line[] = [];
  const input = createReadStream(path, 'utf8');
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (text !== '') lines.push(lineSchema.parse(JSON.parse(text)));
    }
  } catch (thrown) {
    throw new DeskError('audit.notAFile', { cause: thrown });
  }
  const [first] = lines;
  if (first === undefined) throw new DeskError('audit.notAFile');
  const check = (start: Start, checked: readonly Line[]): AuditVerdict =>
    checkChain(checked.map(toRow), start, { anchors: [], key }, lines.length);
  // An export is the whole log: it begins with the first entry, or after entries that an `audit.trimmed` entry lists as
  // removed.
  const cut = lines.findLast(({ action }) => action === 'audit.trimmed')?.details;
  const isCut = cut !== undefined && cut.through === first.seq - 1;
  const verdict = check(
    isCut ? { seq: first.seq, before: String(cut.hash) } : { seq: 1, before: genesis },
    lines,
  );
  const at = lines.findLastIndex(({ action }) => action === 'audit.accepted');
  const accepted = lines[at];
  if (verdict.isIntact || accepted === undefined || (verdict.firstBad ?? 0) > accepted.seq) return verdict;
  return check({ seq: accepted.seq, before: String(accepted.details.follows) }, lines.slice(at));
}

const toRow = (line: Line): AuditRow => ({
  seq: line.seq,
  at: line.at,
  action: line.action,
  workspace_id: line.workspaceId,
  details: JSON.stringify(line.details),
  actor: line.actor,
  hash: line.hash,
});
