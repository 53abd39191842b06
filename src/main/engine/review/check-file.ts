import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ReviewFact } from '../../../rules/review/event-kinds.ts';
import { findAct, type ReviewAct } from '../../../rules/review/event-kinds.ts';
import { readContained, readFact } from '../../../rules/review/fold-review.ts';
import type { ListedFact } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import { isPlausible } from '../store/user-data/event-times.ts';
import type { KnownEntry } from '../store/user-data/known-entries.ts';
import type { FiledEntry, Signer } from './filed-entry.ts';
import { readAtOnce } from './read-claims.ts';

/** An event of a file, without its claims. */
export interface FiledEvent {
  readonly kind: ListedFact['kind'];
  readonly author: string;
  /** The signer; null: not signed. */
  readonly signer: Signer | null;
  /** Differs where two entries with one ID are not parts of one event. */
  readonly mark: string;
  /** The ID of the event that it undoes, edits or deletes. */
  readonly target: string | null;
  /** A rule decided it, so no one is its author: in a team, every member who may write can undo it. */
  readonly isByRule: boolean;
}

/** The most acts that may undo each other in a row. */
const maxUndone = 100;

const isByRule = (fact: ReviewFact | null): boolean => fact?.kind === 'byRule' && fact.how === 'done';

const targetOf = (fact: ReviewFact | null, undoes: string | null): string | null =>
  fact === null ? null : (findAct(fact.kind)?.target?.(fact as ReviewAct) ?? undoes);

/** The proof of a signed entry, whose signature no other entry has. */
const markOf = ({ at, author, fact, undoes, proof }: FiledEntry): string =>
  proof === null
    ? hash('sha256', JSON.stringify([at, author, fact, undoes]), 'base64')
    : Buffer.from(proof.buffer, proof.byteOffset, proof.byteLength).toString('latin1');

/**
 * Whether an act is by the author of what it changes. For signed events this means the same computer or the same SSH
 * key, so that an author who changed the key still counts as the same.
 */
const isByAuthor = (
  act: Pick<FiledEvent, 'author' | 'signer'>,
  changed: Pick<FiledEvent, 'author' | 'signer'>,
): boolean =>
  act.author === changed.author &&
  (changed.signer === null ||
    act.signer?.computer === changed.signer.computer ||
    act.signer?.fingerprint === changed.signer.fingerprint);

/** Whether an event of a file is the one that is already here. */
const isSame = (entry: FiledEntry, stored: KnownEntry): boolean =>
  entry.author === stored.author &&
  entry.undoes === stored.undoes &&
  entry.at === stored.at &&
  (entry.fact === stored.fact || isDeepStrictEqual(JSON.parse(entry.fact), JSON.parse(stored.fact)));

/**
 * Checks a whole file of reviews before anything in it is added. It is known who signed it, but not whose key that is,
 * so the file can't change what is here: an event with a known ID must be that event. What was made on this computer is
 * undone, edited and deleted only here, other events only by their own author; other such acts in the file are left
 * out. They do not make the file invalid: up to version 0.2, users could delete a colleague's note. In a team, whose
 * log proves who wrote what, users change what they wrote from any of their computers, and every member can undo what a
 * rule decided.
 * @param find returns the events that are here, by IDs and claims
 * @param look receives every entry
 * @param findSigner returns who signs with a certificate that is here
 * @param isOfTeam whether they are from a team's log
 * @returns the events; the IDs of those to leave out; and claims of this computer's events that are missing here
 * @throws DeskError `review.entryDiffers`, `review.badDate`, and what reading the file throws
 */
export async function checkFile(
  entries: AsyncIterable<FiledEntry> | Iterable<FiledEntry>,
  nowMs: number,
  find: (entries: { id: string; claimIds: readonly number[] }[]) => Promise<KnownEntry[]>,
  look: (entry: FiledEntry) => void,
  findSigner: (certificate: string) => Signer | null,
  isOfTeam = false,
) {
  const events = new Map<string, FiledEvent>();
  /** The events here that are in the file or to which it refers. */
  const here = new Map<
    string,
    Pick<FiledEvent, 'author' | 'signer' | 'isByRule'> & Pick<KnownEntry, 'isImported'>
  >();
  const lackingHere = new Set<number>();
  /** Known and signed events to which the file adds claims without their author's signature. */
  const unproven = new Set<string>();

  const keep = ({ id, author, isImported, certificate, fact }: KnownEntry) => {
    const signer = certificate === null ? null : findSigner(certificate);
    const event = {
      author,
      isImported,
      signer,
      isByRule: isByRule(readContained(() => readFact(fact), null)),
    };
    here.set(id, event);
    return event;
  };
  const compare = async (some: readonly FiledEntry[]): Promise<void> => {
    const storedEntries = await find(
      some.map(({ id, claims }) => ({ id, claimIds: claims.map(([claimId]) => claimId) })),
    );
    // Among these entries, an event may have several.
    let next = 0;
    for (const entry of some) {
      const stored = storedEntries[next]?.id === entry.id ? storedEntries[next] : undefined;
      if (stored === undefined) {
        if (!isPlausible(entry, nowMs)) throw new DeskError('review.badDate');
        continue;
      }
      next += 1;
      if (!isSame(entry, stored)) throw new DeskError('review.entryDiffers');
      const event = keep(stored);
      if (stored.lacking.length > 0 && !isByAuthor(entry, event)) unproven.add(stored.id);
      if (!stored.isImported) for (const claimId of stored.lacking) lackingHere.add(claimId);
    }
  };
  let [some, rows]: [FiledEntry[], number] = [[], 0];
  for await (const entry of entries) {
    const fact = readFact(entry.fact);
    const mark = markOf(entry);
    const before = events.get(entry.id);
    if (before !== undefined && before.mark !== mark) throw new DeskError('review.entryDiffers');
    const { id, author, signer, undoes } = entry;
    events.set(id, {
      kind: fact?.kind ?? 'newer',
      author,
      signer,
      mark,
      target: targetOf(fact, undoes),
      isByRule: isByRule(fact),
    });
    look(entry);
    some.push(entry);
    rows += entry.claims.length + 1;
    if (rows < readAtOnce) continue;
    await compare(some);
    [some, rows] = [[], 0];
  }
  await compare(some);

  const acts = [...events].flatMap(([id, { target }]) => (target === null || here.has(id) ? [] : [target]));
  const targets = acts.filter((id) => !events.has(id)).map((id) => ({ id, claimIds: [] }));
  for (let at = 0; at < targets.length; at += readAtOnce)
    for (const stored of await find(targets.slice(at, at + readAtOnce))) keep(stored);

  const isAllowed = (id: string, depth: number): boolean => {
    const event = events.get(id) as FiledEvent;
    const { target } = event;
    if (target === null || here.has(id)) return !unproven.has(id);
    const undoesRule = (of: Pick<FiledEvent, 'isByRule'>): boolean => of.isByRule && event.kind === 'undo';
    const storedEvent = here.get(target);
    const changed = storedEvent ?? events.get(target);
    if (changed === undefined) return false;
    const mayChange = isOfTeam
      ? event.author === changed.author || undoesRule(changed)
      : storedEvent?.isImported !== false &&
        (isByAuthor(event, changed) || (!storedEvent && undoesRule(changed)));
    return mayChange && (storedEvent !== undefined || (depth < maxUndone && isAllowed(target, depth + 1)));
  };
  return {
    events,
    leftOut: new Set([...events.keys()].filter((id) => !isAllowed(id, 0))),
    lackingHere,
  };
}

export type CheckedFile = Awaited<ReturnType<typeof checkFile>>;
