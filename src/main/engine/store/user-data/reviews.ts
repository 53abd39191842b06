import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ReviewFact } from '../../../../rules/review/event-kinds.ts';
import type { ReviewDetail } from '../../../../rules/review/folded-review.ts';
import type { ReviewedReceipt } from '../../../../rules/review/review.ts';
import { sharedOfMark } from '../../../../rules/review/rule-mark.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Database } from '../file/database.ts';
import { packSeen, type SeenEntry, unpackProof } from '../file/packed-proofs.ts';
import type { KeptCertificate } from './certificates.ts';
import { createEventTimes, type EventTimes, joinTimes, wasAhead } from './event-times.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { findTouched } from './rule-decisions.ts';
import { createEventWriter, type ReviewEventRow } from './stored-events.ts';
import {
  type ActedClaim,
  dropStaged,
  type ImportedEntry,
  insertEvent,
  prepareStatements,
  putClaims,
  type ReviewClaimRow,
  type StoredClaimRow,
  stageClaims,
  toBase64,
  toJournalEntry,
  toRows,
  toStored,
  type Writer,
} from './write-event.ts';

export interface ReopenedClaim extends ActedClaim {
  readonly digest: string;
  readonly detail: ReviewDetail & { readonly since: string };
}

/** Who makes an event, its best known time in milliseconds, and the receipt of the last sync before it. */
export interface EventOrigin {
  readonly workspaceId: string;
  readonly author: string;
  readonly nowMs: number;
  readonly receipt: ReviewedReceipt | null;
}

export interface AppendedAct extends EventOrigin {
  readonly id: string;
  readonly fact: ReviewFact;
  readonly filter: string | null;
  readonly undoes: string | null;
  /** All claims of the act, or those that were not staged before. */
  readonly claims: readonly ActedClaim[];
  readonly isStaged: boolean;
}

interface ReopenedClaims extends EventOrigin {
  readonly claims: readonly ReopenedClaim[];
}

export interface ImportedEntries {
  readonly workspaceId: string;
  /** The signers of entries are not stored: a proof names its certificate. */
  readonly entries: readonly (ImportedEntry & { readonly signer?: unknown })[];
  /** The best known time, in milliseconds. */
  readonly nowMs: number;
  /** Whether they are from a team's log, whose times apply on every computer, also to events that are here already. */
  readonly isOfTeam?: boolean;
  /** Whether this computer has sent them, so that nothing is added: what is not here was removed since. */
  readonly isSent?: boolean;
  /** Certificates with which these entries are signed. */
  readonly certificates?: readonly KeptCertificate[];
  /** Their numbers in the team's log, by event ID. */
  readonly numberOf?: ReadonlyMap<string, number>;
}
/** The claims that an entry of a file added, with a new event or to an existing one. */
export interface AddedEntry {
  readonly isNew: boolean;
  readonly claimIds: readonly number[];
}
type KnownEvent = EventTimes & {
  readonly seq: number;
  readonly workspace_id: string;
  readonly kind: string;
  readonly is_imported: number;
  readonly proof: Buffer | null;
};

/** The time of the next events of this computer, and the last entry of the team that it read, packed; null without a team. */
function stamp({ statements, times }: Writer, { workspaceId, nowMs }: EventOrigin) {
  const at = times.stamp(workspaceId, nowMs);
  const seen = statements.readSeen.get(workspaceId) as SeenEntry | undefined;
  return { at, seen: seen === undefined ? null : packSeen(seen) };
}

/** Writes an event that is made here; returns its entry for the journal. `isFirst`: the first of a transaction. */
function writeEvent(
  writer: Writer,
  act: Omit<AppendedAct, 'nowMs' | 'isStaged'>,
  stamped: ReturnType<typeof stamp>,
  isFirst = true,
): JournalEntry {
  const event: ReviewEventRow = {
    ...stamped,
    id: act.id,
    workspace_id: act.workspaceId,
    author: act.author,
    kind: act.fact.kind,
    fact: JSON.stringify(act.fact),
    filter: act.filter,
    undoes: act.undoes,
    receipt: act.receipt === null ? null : JSON.stringify(act.receipt),
    is_imported: 0,
    folds_at: null,
    more: null,
    proof: null,
  };
  const claims = toRows(act.claims);
  return toJournalEntry(event, claims, insertEvent(writer, event, claims, isFirst));
}

/**
 * Updates an event that is already here and is now in the team's log. For an event of this computer, what its author
 * had seen is taken from the log. An event of another computer has a new number, so what happened at the same time may
 * have changed.
 */
function keepNumbered({ statements }: Writer, { id, proof }: ImportedEntry, stored: KnownEvent): void {
  if (stored.is_imported === 1) statements.queueEvent.run(stored.seq);
  else if (proof !== null) {
    const { seen } = unpackProof(proof);
    const packed = seen === null ? null : packSeen(seen);
    if (statements.putSeen.run({ id, seen: packed }).changes > 0) statements.queueEvent.run(stored.seq);
  }
}

function appendAct(writer: Writer, act: AppendedAct): null {
  // A removal or another act happened in between.
  if (act.isStaged && writer.staged?.id !== act.id) throw new DeskError('store.busy');
  // Acts run one after another, so claims staged for another act were left by one that failed.
  if (!act.isStaged) dropStaged(writer);
  writer.journal.append(writeEvent(writer, act, stamp(writer, act)));
  return null;
}

function appendReopenings(writer: Writer, reopened: ReopenedClaims): { known: number[] } {
  const stamped = stamp(writer, reopened);
  const { workspaceId } = reopened;
  const { findReopened, endDoubt, queueClaim } = writer.statements;
  const knownIds: number[] = [];
  const written: JournalEntry[] = [];
  for (const claim of reopened.claims) {
    const { claimId, digest, detail } = claim;
    const reopeningIds = findReopened.all(
      claimId,
      digest,
      workspaceId,
      detail.since,
      detail.after ?? null,
    ) as string[];
    for (const id of reopeningIds)
      if (endDoubt.run(workspaceId, id).changes > 0) queueClaim.run(workspaceId, claimId);
    if (reopeningIds.length > 0) {
      knownIds.push(claimId);
      continue;
    }
    // The ID is random, so that no one can have sent another entry with it before.
    const made = { id: randomUUID(), fact: { kind: 'reopened' }, filter: null, undoes: null } as const;
    written.push(
      writeEvent(writer, { ...reopened, ...made, claims: [claim] }, stamped, written.length === 0),
    );
  }
  if (written.length > 0) writer.journal.append(...written);
  return { known: knownIds };
}

/** Acts with one claim each: what rules decide, and undos. */
interface AppendedEach extends EventOrigin {
  readonly acts: readonly (Pick<AppendedAct, 'fact' | 'undoes'> & { readonly claim: ActedClaim })[];
}

/** A rule's decision from a record. `doubt` null: it counts, or did until it was undone. */
interface FoundByRule {
  readonly id: string;
  readonly detail: string;
  readonly doubt: number | null;
}

/** Whether another computer's event says what this one would write; an altered program may have sent anything. */
function isSameByRule({ detail: text }: FoundByRule, ownDetail: ReviewDetail | undefined): boolean {
  const { rule, amounts } = JSON.parse(text) as ReviewDetail;
  return (
    rule !== undefined &&
    ownDetail?.rule !== undefined &&
    isDeepStrictEqual([sharedOfMark(rule), amounts], [sharedOfMark(ownDetail.rule), ownDetail.amounts])
  );
}

/**
 * Appends an event for each of these acts; returns the claims of those that were written. Acts of rules are left out
 * (`leftOut`) for claims that have been acted on by now, or that the rule already decided from the same record. Claims
 * where this ends the doubt about a colleague's equal event are not in `leftOut`.
 */
function appendEach(writer: Writer, { acts, ...appended }: AppendedEach) {
  const { workspaceId } = appended;
  const ofRules = acts.flatMap(({ claim }) => (claim.detail?.rule === undefined ? [] : [claim.claimId]));
  const touched = findTouched(writer.database, { workspaceId, claimIds: ofRules });
  const stamped = stamp(writer, appended);
  const { findByRule, endDoubt, queueClaim } = writer.statements;
  const claimIds: number[] = [];
  const leftOut: number[] = [];
  const written: JournalEntry[] = [];
  for (const { fact, undoes, claim } of acts) {
    const { claimId, digest, detail } = claim;
    const { id: ruleId, version } = detail?.rule ?? {};
    const isTouched = ruleId !== undefined && touched.has(claimId);
    const stored =
      ruleId === undefined || isTouched
        ? []
        : (findByRule.all({ claimId, digest, workspaceId, ruleId, version }) as FoundByRule[]);
    const undoubted = stored.filter((event) => event.doubt === null || isSameByRule(event, detail));
    for (const { id } of undoubted)
      if (endDoubt.run(workspaceId, id).changes > 0) queueClaim.run(workspaceId, claimId);
    if (isTouched || (undoubted.length > 0 && undoubted.every(({ doubt }) => doubt === null)))
      leftOut.push(claimId);
    if (isTouched || undoubted.length > 0) continue;
    const made = { ...appended, id: randomUUID(), fact, undoes, filter: null, claims: [claim] };
    written.push(writeEvent(writer, made, stamped, written.length === 0));
    claimIds.push(claimId);
  }
  if (written.length > 0) writer.journal.append(...written);
  return { claimIds, leftOut };
}

/**
 * Adds claims that an existing event lacks: its sender, or this computer, had removed some of them; or the event is new
 * and has more than one entry.
 */
function addClaims(writer: Writer, sent: readonly ReviewClaimRow[], seq: number): StoredClaimRow[] {
  const { hasClaim } = writer.statements;
  const claims = toStored(sent.filter(([claimId]) => hasClaim.get(seq, claimId) === undefined));
  putClaims(writer, seq, claims);
  return claims;
}

/** Whether a colleague's event counts only after a comparison with the record here. */
const isDoubted = ({ kind, fact }: ImportedEntry): boolean =>
  kind === 'reopened' || (kind === 'byRule' && (JSON.parse(fact) as { how?: unknown }).how === 'done');

/**
 * Adds events from other computers. A known event keeps its times, except one that was ahead here: it gets the earlier
 * time, or the one in a team's log. A colleague's reopening, and what a rule did there, counts only after a comparison
 * with the record here (`team-doubts.ts`). An event that was made on this computer gets no further claims; an imported
 * one that came without a signature gets it. What is from a team's log is not written to the journal: after a repair,
 * the log is read again (`teamTables`).
 */
function importEntries(
  writer: Writer,
  {
    workspaceId,
    entries,
    nowMs,
    isOfTeam = false,
    isSent = false,
    certificates = [],
    numberOf,
  }: ImportedEntries,
): AddedEntry[] {
  const { times } = writer;
  const written: JournalEntry[] = [];
  const journal = (row: ReviewEventRow, stored: readonly StoredClaimRow[], seq: number): void => {
    if (!isOfTeam) written.push(toJournalEntry(row, stored, seq));
  };
  if (!isSent) times.bound(workspaceId, nowMs);
  /** The events that were not here: further entries of them, with more of their claims, change nothing else. */
  const isNew = new Set<string>();
  const added = entries.map((entry): AddedEntry => {
    const { claims, signer: _signer, ...sent } = entry;
    const event = { ...sent, workspace_id: workspaceId, is_imported: 1 };
    const storedEvent = writer.statements.findKnown.get({ id: entry.id }) as KnownEvent | undefined;
    const isColleagues = isOfTeam && !isSent && storedEvent?.is_imported !== 0;
    if (isColleagues && isDoubted(entry)) writer.statements.doubt.run(workspaceId, entry.id);
    if (storedEvent === undefined && isSent) return { isNew: false, claimIds: [] };
    if (storedEvent === undefined) {
      const timed = { ...event, ...times.take(entry, workspaceId, nowMs) };
      const stored = toStored(claims);
      journal(
        timed,
        stored,
        insertEvent(writer, timed, stored, isNew.size === 0, numberOf?.get(entry.id) ?? null),
      );
      isNew.add(entry.id);
      return { isNew: true, claimIds: claims.map(([claimId]) => claimId) };
    }
    if (storedEvent.workspace_id !== workspaceId) return { isNew: false, claimIds: [] };
    const { seq, at, folds_at } = storedEvent;
    if (isNew.has(entry.id)) {
      const stored = addClaims(writer, claims, seq);
      journal({ ...event, at, folds_at }, stored, seq);
      return { isNew: false, claimIds: stored.map(([claimId]) => claimId) };
    }
    if (isOfTeam) keepNumbered(writer, entry, storedEvent);
    const joinedHere = wasAhead(storedEvent) ? joinTimes(storedEvent, entry) : { at, folds_at };
    const joined = isOfTeam ? { at: entry.at, folds_at: null } : joinedHere;
    const row = { ...event, ...joined };
    const stored = storedEvent.is_imported === 0 ? [] : addClaims(writer, claims, seq);
    for (const [claimId] of stored) writer.statements.queueClaim.run(workspaceId, claimId);
    if (stored.length > 0) journal(row, stored, seq);
    if (storedEvent.is_imported === 1 && storedEvent.proof === null && entry.proof !== null) {
      writer.events.putProof(entry.id, entry.proof);
      written.push({
        kind: 'put',
        table: 'reviewProofs',
        row: { id: entry.id, proof: toBase64(entry.proof) },
      });
    }
    if (joined.at !== at || joined.folds_at !== folds_at) written.push(times.move(entry.id, seq, joined));
    return { isNew: false, claimIds: stored.map(([claimId]) => claimId) };
  });
  for (const certificate of certificates) {
    const row = { ...certificate, workspace_id: workspaceId };
    if (writer.statements.putCertificate.run(row).changes > 0)
      written.push({ kind: 'put', table: 'certificates', row });
  }
  if (written.length > 0) writer.journal.append(...written);
  return added;
}

/** Writes events of reviews. Each is in the journal, or in a team's log, before it is committed; no event is ever changed. */
export function createReviews(database: Database, journal: Journal) {
  const events = createEventWriter(database);
  const times = createEventTimes(database, journal, events.move);
  const writer: Writer = {
    database,
    journal,
    times,
    events,
    statements: prepareStatements(database),
    staged: null,
  };
  /**
   * Runs a write in one transaction, which takes the write lock at its start; within a transaction, runs it directly.
   * For a savepoint, SQLite would keep each changed page in memory again for each row, and go through all of them for
   * each: 200 MB at 10,000 events.
   */
  const writing = <I, O>(write: (writer: Writer, input: I) => O): ((input: I) => O) => {
    const inOne = database.transaction((input: I) => write(writer, input));
    return (input) => (database.inTransaction ? write(writer, input) : inOne.immediate(input));
  };
  return {
    /**
     * Adds events that are not here yet, with their IDs, and missing claims of known events from other computers. A
     * file is checked before (`review/check-file.ts`).
     */
    importReviews: writing(importEntries),
    /** Gives events that are further ahead than clocks may differ a time that is not. */
    boundTimes: writing((_writer, input: { workspaceId: string; nowMs: number }): null => {
      times.bound(input.workspaceId, input.nowMs);
      return null;
    }),
    /** Changes the times of events that only this computer has. */
    moveTimes: writing((_writer, moved: readonly (EventTimes & { id: string; seq: number })[]): null => {
      const written = moved.map(({ id, seq, at, folds_at }) => times.move(id, seq, { at, folds_at }));
      if (written.length > 0) journal.append(...written);
      return null;
    }),
    /** Marks these claims as updated in lists (`findReviewedAfter`). */
    removeQueued: (input: { workspaceId: string; upTo: number }): null => {
      database
        .prepare('DELETE FROM claims_to_settle WHERE workspace_id=? AND n<=?')
        .run(input.workspaceId, input.upTo);
      return null;
    },
    stageClaims: writing(stageClaims),
    isStaging: (): boolean => writer.staged !== null,
    dropStaged: writing((_writer, _input: null): null => {
      dropStaged(writer);
      return null;
    }),
    /**
     * Appends an event for each claim, with one write to the journal; returns the claims for which another computer's
     * event was there already, which counts from then on.
     */
    appendReopened: writing(appendReopenings),
    /** Appends events for decisions of rules, and for undos of them; returns the claims of the appended events. */
    appendEach: writing(appendEach),
    /** Appends one act on any number of claims. @throws DeskError `store.busy` where its staged claims were dropped */
    appendReview: writing(appendAct),
  };
}
