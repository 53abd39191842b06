import type {
  AuditAction,
  AuditEntry,
  AuditFilter,
  AuditRecord,
  AuditVerdict,
} from '../../../../contract/audit.ts';
import { auditActions, kindOfAction } from '../../../../contract/audit.ts';
import type { Database } from '../file/database.ts';
import type { SqlValue } from '../record/decompose.ts';
import { type AuditAnchor, type AuditRow, genesis, keyedHash } from './audit-chain.ts';

/** The values of a new entry. `key`: 32 bytes. */
interface NewEntry {
  readonly record: AuditRecord;
  readonly at: string;
  readonly actor: string | null;
  readonly key: Uint8Array;
}
type OnRow = (row: Readonly<Record<string, unknown>>) => void;

const newest = (database: Database): AuditAnchor | undefined =>
  database.prepare('SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1').get() as AuditAnchor | undefined;

function insert(
  database: Database,
  entry: NewEntry,
  place: { seq: number; before: string },
  onRow: OnRow,
): AuditAnchor {
  const { record, at, actor, key } = entry;
  const row = {
    seq: place.seq,
    at,
    action: record.action,
    workspace_id: record.workspaceId,
    details: JSON.stringify(record.details),
    actor,
  };
  const hash = keyedHash(key, place.before, row);
  database
    .prepare(
      `INSERT INTO audit (seq, at, action, workspace_id, details, actor, hash)
       VALUES (:seq, :at, :action, :workspace_id, :details, :actor, :hash)`,
    )
    .run({ ...row, hash });
  onRow({ ...row, hash });
  return { seq: row.seq, hash };
}

/** Appends one entry after the newest. */
function append(database: Database, entry: NewEntry, onRow: OnRow): AuditAnchor {
  const last = newest(database);
  return insert(database, entry, { seq: (last?.seq ?? 0) + 1, before: last?.hash ?? genesis }, onRow);
}

/** The newest entry before an append, and the appended entry. */
export interface Appended {
  readonly before: AuditAnchor | null;
  readonly newest: AuditAnchor;
}

/**
 * Appends one entry. The write lock is taken first, so that concurrent processes write one chain. With `onceSince`,
 * nothing is appended and null is returned where the same action on this record was recorded since then. `onRow`
 * receives each row before it is committed.
 */
export const appendAudit = (
  database: Database,
  entry: NewEntry & { readonly onceSince?: string | undefined },
  onRow: OnRow = () => undefined,
): Appended | null =>
  database
    .transaction((): Appended | null => {
      const { record, onceSince } = entry;
      if (onceSince !== undefined && isNoted(database, record, onceSince)) return null;
      const before = newest(database) ?? null;
      return { before, newest: append(database, entry, onRow) };
    })
    .immediate();

function isNoted(database: Database, { action, workspaceId, details }: AuditRecord, since: string): boolean {
  return (
    database
      .prepare(
        `SELECT 1 FROM audit WHERE workspace_id=? AND json_extract(details, '$.recordId')=? AND at>=?
         AND action=? AND json_extract(details, '$.list')=?`,
      )
      .get(workspaceId, details.recordId, since, action, details.list) !== undefined
  );
}

/**
 * Appends an entry that records that the user accepted the log. It contains the hash that it follows, that of the
 * newest remaining entry, and its number is above every known one, so that no number is used twice.
 */
export const acceptAudit = (
  database: Database,
  entry: Omit<NewEntry, 'record'> & { readonly found: AuditVerdict; readonly known: readonly AuditAnchor[] },
  onRow: OnRow = () => undefined,
): AuditAnchor =>
  database
    .transaction((): AuditAnchor => {
      const last = newest(database);
      const follows = last?.hash ?? genesis;
      const { reason, firstBad, entries } = entry.found;
      const record: AuditRecord = {
        action: 'audit.accepted',
        workspaceId: null,
        details: { found: reason, firstBad, entries, follows },
      };
      const seq = Math.max(last?.seq ?? 0, ...entry.known.map((anchor) => anchor.seq)) + 1;
      return insert(database, { ...entry, record }, { seq, before: follows }, onRow);
    })
    .immediate();

/** `forwarded`: the newest entry that the organization has; undefined: entries are not forwarded. */
type TrimEntry = Omit<NewEntry, 'record'> & {
  readonly before: string;
  readonly forwarded?: number | undefined;
};

const dayMs = 86_400_000;
/** How many more days entries stay that the organization does not have yet. */
const keptForForwardingDays = 366;
/** How many days pass between the announcement of a removal and the removal. */
const announcedDays = 3;
/** The most days that one removal covers, from the oldest entry on. */
const trimmedDays = 366;

interface Announced {
  readonly seq: number;
  readonly at: string;
  readonly before: string;
  readonly through: number;
}

/**
 * The removal that was last announced, unless it was carried out, or a later entry has an earlier time: in that case,
 * the clock was ahead when it was announced.
 */
function findAnnounced(database: Database): Announced | null {
  const row = database
    .prepare(
      `SELECT a.seq, a.at, a.details FROM audit a WHERE a.action='audit.trimAnnounced'
         AND NOT EXISTS (SELECT 1 FROM audit b WHERE b.seq>a.seq AND (b.action='audit.trimmed' OR b.at<a.at))
       ORDER BY a.seq DESC LIMIT 1`,
    )
    .get() as { seq: number; at: string; details: string } | undefined;
  if (row === undefined) return null;
  const { before, through } = JSON.parse(row.details) as { before: string; through: number };
  return { seq: row.seq, at: row.at, before, through };
}

/** The announced removal that is due; null: none is. */
export function findDueTrim(database: Database, { at, before }: TrimEntry): Announced | null {
  const announced = findAnnounced(database);
  if (announced === null || announced.before > before) return null;
  return Date.parse(at) - Date.parse(announced.at) >= announcedDays * dayMs ? announced : null;
}

/**
 * The oldest entries that may be removed: those before `before`, and at most one year after the oldest. Of entries that
 * were not forwarded, only those that are a year older.
 */
function findOldest(
  database: Database,
  { before, forwarded }: TrimEntry,
): { before: string; cut: AuditAnchor } | null {
  const oldest = database.prepare('SELECT at FROM audit ORDER BY seq LIMIT 1').pluck().get() as
    | string
    | undefined;
  if (oldest === undefined) return null;
  const yearLater = new Date(Date.parse(oldest) + trimmedDays * dayMs).toISOString();
  const end = yearLater < before ? yearLater : before;
  const unforwardedFrom = new Date(Date.parse(before) - keptForForwardingDays * dayMs).toISOString();
  const kept = database
    .prepare('SELECT min(seq) FROM audit WHERE at>=? OR (seq>? AND at>=?)')
    .pluck()
    .get(end, forwarded ?? null, unforwardedFrom) as number | null;
  const cut = database
    .prepare('SELECT seq, hash FROM audit WHERE ? IS NULL OR seq<? ORDER BY seq DESC LIMIT 1')
    .get(kept, kept) as AuditAnchor | undefined;
  return cut === undefined ? null : { before: end, cut };
}

/**
 * Removes the entries before a moment in two steps, at least three days apart: the first announces the removal by an
 * entry, the second removes the announced entries, unless an entry in between has an earlier time than the
 * announcement. A clock that is ahead at one start therefore removes nothing, and one that stays ahead removes at most
 * a year at a time. The entry about a removal holds the hash of the last removed entry, from which the rest is
 * verified. Returns how many entries were removed.
 */
export function trimAudit(
  database: Database,
  entry: TrimEntry,
  onRow: OnRow = () => undefined,
): { removed: number; appended: Appended | null } {
  return database
    .transaction(() => {
      const last = newest(database);
      const oldest = findOldest(database, entry);
      if (last === undefined || oldest === null) return { removed: 0, appended: null };
      const countThrough = (seq: number): number =>
        database.prepare('SELECT count(*) FROM audit WHERE seq<=?').pluck().get(seq) as number;
      const write = (action: AuditRecord['action'], details: AuditRecord['details']): Appended => ({
        before: last,
        newest: append(database, { ...entry, record: { action, workspaceId: null, details } }, onRow),
      });
      const due = findDueTrim(database, entry);
      if (due === null) {
        if (findAnnounced(database) !== null) return { removed: 0, appended: null };
        const { before, cut } = oldest;
        const details = { before, entries: countThrough(cut.seq), through: cut.seq };
        return { removed: 0, appended: write('audit.trimAnnounced', details) };
      }
      const cut = database.prepare('SELECT seq, hash FROM audit WHERE seq=?').get(due.through) as
        | AuditAnchor
        | undefined;
      if (cut === undefined || cut.seq > oldest.cut.seq) return { removed: 0, appended: null };
      const removed = countThrough(cut.seq);
      const { before } = due;
      const appended = write('audit.trimmed', { before, entries: removed, through: cut.seq, hash: cut.hash });
      // A trigger prevents every other deletion from the log; it is dropped for this one statement.
      const { sql } = database.prepare("SELECT sql FROM sqlite_schema WHERE name='audit_stays'").get() as {
        sql: string;
      };
      database.exec('DROP TRIGGER audit_stays');
      database.prepare('DELETE FROM audit WHERE seq<=?').run(cut.seq);
      database.exec(sql);
      return { removed, appended };
    })
    .immediate();
}

/** Whether the log contains the entry of an anchor. Entries before the first one were removed or accepted. */
export function hasAnchored(database: Database, anchor: AuditAnchor): boolean {
  if (anchor.seq === 0) return true;
  const hash = database.prepare('SELECT hash FROM audit WHERE seq=?').pluck().get(anchor.seq);
  if (hash !== undefined) return hash === anchor.hash;
  const cut = database
    .prepare("SELECT details FROM audit WHERE action='audit.trimmed' ORDER BY seq DESC LIMIT 1")
    .pluck()
    .get() as string | undefined;
  return cut !== undefined && anchor.seq <= ((JSON.parse(cut) as { through?: number }).through ?? 0);
}

/** The newest entry; null: there is none. */
export const readAuditEnd = (database: Database): AuditAnchor | null => newest(database) ?? null;

export interface AuditPage {
  readonly offset: number;
  readonly limit: number;
  readonly filter?: AuditFilter | undefined;
}

/** Entries, newest first. */
export function listAudit(database: Database, page: AuditPage) {
  const { text, values } = whereOf(page.filter ?? {});
  const rows = database
    .prepare(`SELECT * FROM audit ${text} ORDER BY seq DESC LIMIT ? OFFSET ?`)
    .all(...values, page.limit, page.offset) as AuditRow[];
  const total = database
    .prepare(`SELECT count(*) FROM audit ${text}`)
    .pluck()
    .get(...values) as number;
  return { entries: rows.map(toEntry), total };
}

/** Entries, oldest first, from a number on: the order of the chain. */
export function readAuditFrom(database: Database, page: { seq: number; limit: number }): AuditEntry[] {
  const rows = database
    .prepare('SELECT * FROM audit WHERE seq>=? ORDER BY seq LIMIT ?')
    .all(page.seq, page.limit) as AuditRow[];
  return rows.map(toEntry);
}

function whereOf({ kinds, since, before, record }: AuditFilter): { text: string; values: SqlValue[] } {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  const add = (term: string, ...more: SqlValue[]): void => {
    terms.push(term);
    values.push(...more);
  };
  if (kinds !== undefined) {
    const actions = auditActions.filter((action) => kinds.includes(kindOfAction(action)));
    add(`action IN (${actions.map(() => '?').join(',')})`, ...actions);
  }
  if (since !== undefined) add('at>=?', new Date(since).toISOString());
  if (before !== undefined) add('at<?', new Date(before).toISOString());
  if (record !== undefined) {
    add(
      "workspace_id=? AND json_extract(details, '$.recordId')=? AND json_extract(details, '$.list')=?",
      record.workspaceId,
      record.id,
      record.list,
    );
  }
  return { text: terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`, values };
}

const toEntry = (row: AuditRow): AuditEntry => ({
  seq: row.seq,
  at: row.at,
  action: row.action as AuditAction,
  workspaceId: row.workspace_id,
  details: JSON.parse(row.details) as AuditEntry['details'],
  actor: row.actor,
  hash: row.hash,
});
