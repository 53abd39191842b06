import { kindsSql, placedKinds } from '../../../../rules/review/event-kinds.ts';
import type { Database } from '../file/database.ts';
import type { KeptFact } from './kept-facts.ts';
import { createFactWriter } from './kept-facts.ts';
import { unsentOnly } from './list-events.ts';
import { type KeptMember, writeKeptMembers } from './member-rows.ts';
import { keepOtherLogs, keepRewound } from './other-logs.ts';
import type { createReviews, ImportedEntries } from './reviews.ts';
import { hasId, removeUnusedTexts, workspaceOf } from './stored-events.ts';
import { type BehindPosition, createCheckpointWriter, type KeptCheckpoint } from './team-checkpoints.ts';
import { createTeamRemovals, type PageRemovals } from './team-removals.ts';

/** The chain's hash before the first entry (`src/team-protocol/chain.ts`). */
const firstHash = Buffer.alloc(32).toString('base64url');

/** How far the log of a team was read. */
export interface TeamPosition {
  readonly team: string;
  /** The newest number, 0 before the first, and the chain's hash there. */
  readonly number: number;
  readonly hash: string;
  /** How many of the parts that arrived after their entries were read. */
  readonly parts: number;
  /** The hash after the first entry, from the invitation; null where this computer made the team. */
  readonly root: string | null;
  /**
   * Whether the log was once read up to the head that the server announced. Until then no review is written, because a
   * colleague may have decided or paid the same claim, or another one that decides it. Null: this computer waits to be
   * admitted.
   */
  readonly isRead: 0 | 1 | null;
}

/** An entry that changes the members: header, signature as base64url, head. */
export interface KeptMembership {
  readonly number: number;
  readonly header: string;
  readonly signature: string;
  readonly head: Uint8Array;
}

/** An entry that waits for parts, or for the event that it changes; `frame`: as it was sent. */
export interface WaitingEntry {
  readonly number: number;
  readonly frame: Uint8Array;
}

/** The additions of a page of the log, in one transaction with the position after it. */
export interface TeamPage extends ImportedEntries {
  readonly position: TeamPosition;
  readonly numbers: readonly { readonly number: number; readonly id: string; readonly hash: string }[];
  readonly memberships: readonly KeptMembership[];
  readonly waiting: readonly WaitingEntry[];
  readonly facts: readonly KeptFact[];
  readonly applied: readonly number[];
  readonly removals: PageRemovals;
  readonly checkpoints?: readonly KeptCheckpoint[];
  /** Events of a checkpoint, with their numbers in the log. */
  readonly placed?: readonly { readonly number: number; readonly id: string }[];
  /** How far the log before a checkpoint was read; with `isBehind` the page is of it, and `position` is not written. */
  readonly behind?: BehindPosition;
  readonly isBehind?: boolean;
  /** The members to store from now on, where they changed. */
  readonly kept?: readonly KeptMember[];
}

/** The condition for rows of `team_entries` that belong to the log of a workspace. */
export const ofLog = 'log=(SELECT log FROM team_position WHERE workspace_id=:workspaceId)';

/** An invitation that was made or used on this computer, with what is compared (`src/team-protocol/join-code.ts`). */
export interface KeptInvitation {
  readonly digest: string;
  readonly invitation: string;
  readonly request: string | null;
  readonly answer: string | null;
  /** The nonce of this computer, if it joins; null: it made the invitation. */
  readonly nonce: string | null;
}

/** Lost entries get negative numbers above this one. */
const firstLost = -(2 ** 50);

/** The tables of a team, which are read from its server again if lost. `team_entries` is lost with its position. */
export const teamTables = [
  'team_position',
  'team_memberships',
  'team_waiting',
  'team_invitations',
  'team_facts',
  'team_removals',
  'team_removed_entries',
  'team_kept_members',
  'team_checkpoints',
  'team_behind',
  'team_doubts',
  'team_rewound',
  'team_other_logs',
  'team_documents',
] as const;

/** The tables whose rows are lost and returned with their entries, and which of their rows belong to a workspace. */
const numberedTables = [
  ['team_entries', ofLog],
  ['team_memberships', 'workspace_id=:workspaceId'],
  ['team_facts', 'workspace_id=:workspaceId'],
] as const;

const kinds = kindsSql(placedKinds);
const byOthers = `EXISTS (SELECT 1 FROM review_event_claims o JOIN review_events b ON b.seq=o.event_seq
     WHERE o.claim_id=c.claim_id AND b.seq<>e.seq AND b.kind IN (${kinds}))`;

interface TeamLogState extends Pick<ReturnType<typeof createReviews>, 'importReviews' | 'moveTimes'> {
  readonly database: Database;
  readonly statements: ReturnType<typeof prepareStatements>;
  readonly putFacts: ReturnType<typeof createFactWriter>;
  readonly addRemovals: ReturnType<typeof createTeamRemovals>['addRemovals'];
  readonly checkpoints: ReturnType<typeof createCheckpointWriter>;
}

const prepareStatements = (database: Database) => ({
  putNumber: database.prepare(
    `INSERT OR REPLACE INTO team_entries (log, number, hash, id)
     VALUES ((SELECT log FROM team_position WHERE workspace_id=:workspaceId), :number, :hash, :id)`,
  ),
  numberEvent: database.prepare(
    `UPDATE stored_events SET number=:number WHERE ${hasId('id', ':id')} AND workspace=${workspaceOf(':workspaceId')}`,
  ),
  /** Stores the IDs of the events of entries after a number, because the events are no longer in the log. */
  nameLost: database.prepare(
    `UPDATE team_entries SET id=e.id FROM review_events e
     WHERE e.workspace_id=:workspaceId AND e.number>:number AND ${ofLog} AND team_entries.number=e.number`,
  ),
  unnumber: database.prepare(
    `UPDATE stored_events SET number=NULL WHERE workspace=${workspaceOf(':workspaceId')} AND number>:number`,
  ),
  putMembership: database.prepare(
    `INSERT OR REPLACE INTO team_memberships (workspace_id, number, header, signature, head) VALUES (?, ?, ?, ?, ?)`,
  ),
  putWaiting: database.prepare(
    'INSERT OR REPLACE INTO team_waiting (workspace_id, number, frame) VALUES (?, ?, ?)',
  ),
  removeWaiting: database.prepare('DELETE FROM team_waiting WHERE workspace_id=? AND number=?'),
  putPosition: database.prepare(
    `INSERT INTO team_position (workspace_id, team, number, hash, parts, sent_seq, root, is_read)
     VALUES (:workspaceId, :team, :number, :hash, :parts, 0, :root, :isRead)
     ON CONFLICT (workspace_id) DO UPDATE SET team=:team, number=:number, hash=:hash, parts=:parts, root=:root, is_read=:isRead`,
  ),
  newestSent: database
    .prepare(
      `SELECT at FROM review_events e WHERE workspace_id=? AND is_imported=0 AND at>? AND
         (number IS NOT NULL OR EXISTS (SELECT 1 FROM team_entries t WHERE t.id=e.id))
       ORDER BY at DESC LIMIT 1`,
    )
    .pluck(),
  newestLost: database.prepare(`SELECT max(number) FROM team_entries WHERE ${ofLog} AND number<0`).pluck(),
  /** Marks the claims of events after a number that were decided or paid more than once. */
  queueNumbered: database.prepare(
    `INSERT OR REPLACE INTO claims_to_settle (workspace_id, claim_id)
     SELECT e.workspace_id, c.claim_id FROM review_events e JOIN review_event_claims c ON c.event_seq=e.seq
     WHERE e.workspace_id=? AND e.number>? AND e.kind IN (${kinds}) AND ${byOthers}`,
  ),
  /** Does the same for all events that were not made on this computer: with a team, events of files count for less. */
  queueImported: database.prepare(
    `INSERT OR REPLACE INTO claims_to_settle (workspace_id, claim_id)
     SELECT e.workspace_id, c.claim_id FROM review_events e JOIN review_event_claims c ON c.event_seq=e.seq
     WHERE e.workspace_id=? AND e.is_imported=1 AND e.kind IN (${kinds}) AND ${byOthers}`,
  ),
  hasTeam: database.prepare('SELECT 1 FROM team_position WHERE workspace_id=? AND number>0'),
  raiseSent: database.prepare(
    `UPDATE team_position SET sent_seq=max(sent_seq, ifnull(
       (SELECT seq-1 FROM review_events e WHERE ${unsentOnly} ORDER BY seq LIMIT 1),
       (SELECT ifnull(max(seq), 0) FROM stored_events)))
     WHERE workspace_id=:workspaceId`,
  ),
});

function addPage(log: TeamLogState, page: TeamPage): null {
  const { database, statements } = log;
  const { workspaceId, position, entries, nowMs, isSent = false, certificates = [] } = page;
  if (statements.hasTeam.get(workspaceId) === undefined) statements.queueImported.run(workspaceId);
  const placed = [...(page.placed ?? []), ...page.numbers];
  const numberOf = new Map(placed.map(({ id, number }) => [id, number]));
  const added =
    entries.length + certificates.length === 0
      ? []
      : log.importReviews({ workspaceId, entries, nowMs, isOfTeam: true, isSent, certificates, numberOf });
  if (page.isBehind !== true) statements.putPosition.run({ workspaceId, ...position });
  // New events were written with their number.
  const isNew = new Set(entries.filter((_one, at) => added[at]?.isNew).map(({ id }) => id));
  const numberEvent = (number: number, id: string): boolean =>
    isNew.has(id) || statements.numberEvent.run({ workspaceId, number, id }).changes > 0;
  for (const { number, id } of page.placed ?? []) numberEvent(number, id);
  for (const { number, id, hash } of page.numbers) {
    const isHere = numberEvent(number, id);
    const bytes = Buffer.from(hash, 'base64url');
    statements.putNumber.run({ workspaceId, number, hash: bytes, id: isHere ? null : id });
  }
  for (const { number, header, signature, head } of page.memberships)
    statements.putMembership.run(workspaceId, number, header, signature, Buffer.from(head));
  for (const { number, frame } of page.waiting)
    statements.putWaiting.run(workspaceId, number, Buffer.from(frame));
  log.putFacts(workspaceId, page.facts);
  for (const number of page.applied) statements.removeWaiting.run(workspaceId, number);
  log.addRemovals(workspaceId, page.removals);
  log.checkpoints.putCheckpoints(workspaceId, page.checkpoints ?? []);
  if (page.behind !== undefined) log.checkpoints.putBehind(workspaceId, page.behind);
  if (page.kept !== undefined) writeKeptMembers(database, workspaceId, page.kept);
  statements.raiseSent.run({ workspaceId });
  keepOtherLogs(
    database,
    workspaceId,
    entries.filter((_one, at) => added[at]?.isNew),
  );
  return null;
}

/**
 * `position`: where the log continues; `kept`: the members' state that the log lacks there; `readUpTo`: if the server's
 * log went back, the number up to which it was read; `isForgotten`: events of colleagues are removed, to be read again.
 */
interface Rewinding {
  readonly isForgotten: boolean;
  readonly readUpTo: number | null;
  readonly workspaceId: string;
  readonly position: TeamPosition;
  readonly kept: readonly KeptMember[];
}

const ofColleagues = `SELECT seq FROM stored_events WHERE workspace=${workspaceOf(':workspaceId')} AND is_imported=1 AND number IS NOT NULL`;
const forgetColleagues = [
  `INSERT OR REPLACE INTO claims_to_settle (workspace_id, claim_id)
   SELECT :workspaceId, claim_id FROM review_event_claims WHERE event_seq IN (${ofColleagues})`,
  `DELETE FROM stored_claims WHERE event_seq IN (${ofColleagues})`,
  `DELETE FROM stored_events WHERE seq IN (${ofColleagues})`,
] as const;

function rewind({ database, statements }: TeamLogState, rewinding: Rewinding): null {
  const { workspaceId, position, kept, readUpTo, isForgotten } = rewinding;
  if (readUpTo !== null) keepRewound(database, { workspaceId, readUpTo, common: position.number });
  writeKeptMembers(database, workspaceId, kept);
  // The claims are queued again: what else was done at that time may count differently now.
  statements.queueNumbered.run(workspaceId, position.number);
  if (isForgotten) {
    for (const sql of forgetColleagues) database.prepare(sql).run({ workspaceId });
    database.exec(removeUnusedTexts());
  }
  // The new lost entries follow those that were lost before and not returned since.
  const moved = (statements.newestLost.get({ workspaceId }) as number | null) ?? firstLost;
  statements.nameLost.run({ workspaceId, number: position.number });
  statements.unnumber.run({ workspaceId, number: position.number });
  // The server may have lost parts of earlier entries as well, which are sent again.
  database.prepare('DELETE FROM team_documents WHERE workspace_id=?').run(workspaceId);
  for (const [table, isOfTeam] of numberedTables)
    database
      .prepare(`UPDATE ${table} SET number=number-:number+:moved WHERE ${isOfTeam} AND number>:number`)
      .run({ workspaceId, number: position.number, moved });
  for (const [table, number] of [
    ['team_waiting', 'number'],
    ['team_checkpoints', 'entry'],
    // If the log went back to before the checkpoint, it is read from there; otherwise, what is before the checkpoint
    // still has to be read.
    ['team_behind', "act ->> '$.number'"],
  ] as const)
    database
      .prepare(`DELETE FROM ${table} WHERE workspace_id=? AND ${number}>?`)
      .run(workspaceId, position.number);
  statements.putPosition.run({ workspaceId, ...position });
  database.prepare('UPDATE team_position SET sent_seq=0 WHERE workspace_id=?').run(workspaceId);
  return null;
}

function restampUnsent(
  { database, statements, moveTimes }: TeamLogState,
  { workspaceId, nowMs }: { workspaceId: string; nowMs: number },
): null {
  const now = new Date(nowMs).toISOString();
  const ahead = database
    .prepare(`SELECT id, seq FROM review_events e WHERE ${unsentOnly} AND at>:now ORDER BY at, seq`)
    .all({ workspaceId, now }) as { id: string; seq: number }[];
  const sent = statements.newestSent.get(workspaceId, now) as string | undefined;
  const fromMs = sent === undefined ? nowMs : Date.parse(sent) + 1;
  return moveTimes(
    ahead.map((event, index) => ({ ...event, at: new Date(fromMs + index).toISOString(), folds_at: null })),
  );
}

function forget({ database, statements }: TeamLogState, workspaceId: string): null {
  statements.queueImported.run(workspaceId);
  database
    .prepare(`UPDATE stored_events SET seen=NULL, number=NULL WHERE workspace=${workspaceOf('?')}`)
    .run(workspaceId);
  for (const table of teamTables)
    database.prepare(`DELETE FROM ${table} WHERE workspace_id=?`).run(workspaceId);
  return null;
}

/** Writes what was read of a team's log. `importReviews` adds the events of a page. */
export function createTeamLog(
  database: Database,
  { importReviews, moveTimes }: Pick<TeamLogState, 'importReviews' | 'moveTimes'>,
) {
  const { addRemovals, ...removals } = createTeamRemovals(database);
  const putFacts = createFactWriter(database);
  const statements = prepareStatements(database);
  const checkpoints = createCheckpointWriter(database);
  const log = { database, statements, putFacts, addRemovals, checkpoints, importReviews, moveTimes };
  return {
    ...removals,
    addTeamPage: (page: TeamPage): null => database.transaction(() => addPage(log, page)).immediate(),
    /**
     * Continues after this number: events of this computer after it are sent again, and all entries after it count as
     * lost until they are returned. `position`: the position at this number.
     */
    rewindTeam: (rewinding: Rewinding): null =>
      database.transaction(() => rewind(log, rewinding)).immediate(),
    /** Records that the log was read up to the head, and that lists contain its events. */
    keepRead: ({ workspaceId }: { workspaceId: string }): null => {
      database.prepare('UPDATE team_position SET is_read=1 WHERE workspace_id=?').run(workspaceId);
      return null;
    },
    /** Called when the team has the report that the server's log went back. */
    forgetRewound: ({ workspaceId }: { workspaceId: string }): null => {
      database.prepare('DELETE FROM team_rewound WHERE workspace_id=?').run(workspaceId);
      return null;
    },
    /** Forgets lost entries up to this one, which were returned or can't be. */
    forgetLost: ({ workspaceId, upTo }: { workspaceId: string; upTo: number }): null => {
      for (const [table, isOfTeam] of numberedTables)
        database
          .prepare(`DELETE FROM ${table} WHERE ${isOfTeam} AND number<0 AND number<=:upTo`)
          .run({ workspaceId, upTo });
      return null;
    },
    /**
     * Moves events that are not in the log and are ahead of this time to just after it, or after the newest event of
     * this computer in the log, in their order.
     */
    restampUnsent: (input: { workspaceId: string; nowMs: number }): null => restampUnsent(log, input),
    /** Called before the first page of a team that another computer made. */
    beginTeam: ({ workspaceId, team, root }: { workspaceId: string; team: string; root: string }): null => {
      const position = { team, number: 0, hash: firstHash, parts: 0, root, isRead: null };
      statements.putPosition.run({ workspaceId, ...position });
      return null;
    },
    keepInvitation: (invitation: Omit<KeptInvitation, 'answer'> & { workspaceId: string }): null => {
      database
        .prepare(
          `INSERT INTO team_invitations (workspace_id, digest, invitation, request, nonce)
           VALUES (:workspaceId, :digest, :invitation, :request, :nonce)`,
        )
        .run(invitation);
      return null;
    },
    /** Stores the request and the answer of an invitation, only the first of each. Returns what is stored. */
    answerInvitation: (
      input: { workspaceId: string } & Record<'digest' | 'request' | 'answer', string>,
    ): KeptInvitation =>
      database
        .prepare(
          `UPDATE team_invitations SET request=ifnull(request, :request), answer=ifnull(answer, :answer)
           WHERE workspace_id=:workspaceId AND digest=:digest
           RETURNING digest, invitation, request, answer, nonce`,
        )
        .get(input) as KeptInvitation,
    /** Forgets what was read of the team of a workspace; its events stay. */
    forgetTeam: ({ workspaceId }: { workspaceId: string }): null =>
      database.transaction(() => forget(log, workspaceId)).immediate(),
  };
}
