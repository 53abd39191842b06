import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ListedFact, ReviewFact } from '../../../contract/review.ts';
import { DeskError } from '../../lib/errors.ts';
import { isPlausible } from '../store/user-data/event-times.ts';
import { readFact } from '../store/user-data/fold-review.ts';
import type { KnownEntry } from '../store/user-data/known-entries.ts';
import { readAtOnce } from './read-claims.ts';
import type { FiledEntry } from './review-file.ts';

/** An event of a file, without its claims. */
export interface FiledEvent {
  readonly kind: ListedFact['kind'];
  readonly author: string;
  /** Differs where two entries with one ID are not parts of one event. */
  readonly mark: string;
  /** The ID of the event that it undoes, edits or deletes. */
  readonly target: string | null;
}

/** How many acts may undo each other in a row. */
const maxUndone = 100;

const targetOf = (fact: ReviewFact | null, undoes: string | null): string | null =>
  fact?.kind === 'editNote' || fact?.kind === 'deleteNote' ? fact.noteId : fact === null ? null : undoes;

const markOf = ({ at, author, fact, undoes }: FiledEntry): string =>
  hash('sha256', JSON.stringify([at, author, fact, undoes]), 'base64');

/** A reopening is made by every computer that finds the change, at another time and always of one claim. */
function isSame(entry: FiledEntry, known: KnownEntry): boolean {
  const isReopening = known.kind === 'reopened';
  return (
    entry.author === known.author &&
    entry.undoes === known.undoes &&
    (isReopening ? known.lacking.length === 0 : entry.at === known.at) &&
    (entry.fact === known.fact || isDeepStrictEqual(JSON.parse(entry.fact), JSON.parse(known.fact)))
  );
}

/**
 * Checks a whole file of reviews before anything of it is added. Its authors are only claimed, so it can't change what
 * is here: an event with a known ID has to be that event. What was made on this computer is undone, edited and deleted
 * only here, other events only by their own author; other such acts of the file are left out. They do not make the
 * file invalid: up to version 0.2 a person could delete a colleague's note.
 *
 * @param find the events that are here, of these IDs
 * @param look gets every entry
 * @returns the events; the IDs of those to leave out; and claims of events of this computer that these lack here
 * @throws DeskError `review.entryDiffers`, `review.badDate`, and what reading the file throws
 */
export async function checkFile(
  entries: AsyncIterable<FiledEntry>,
  nowMs: number,
  find: (entries: { id: string; claimIds: readonly number[] }[]) => Promise<KnownEntry[]>,
  look: (entry: FiledEntry) => void,
) {
  const events = new Map<string, FiledEvent>();
  /** Of the events here that are in the file or that it refers to. */
  const here = new Map<string, Pick<KnownEntry, 'author' | 'isImported'>>();
  const lackingHere = new Set<number>();

  const compare = async (some: readonly FiledEntry[]): Promise<void> => {
    const known = await find(
      some.map(({ id, claims }) => ({ id, claimIds: claims.map(([claimId]) => claimId) })),
    );
    // An event may have several entries in these.
    let next = 0;
    for (const entry of some) {
      const one = known[next]?.id === entry.id ? known[next] : undefined;
      if (one === undefined) {
        if (!isPlausible(entry, nowMs)) throw new DeskError('review.badDate');
        continue;
      }
      next += 1;
      if (!isSame(entry, one)) throw new DeskError('review.entryDiffers');
      here.set(one.id, { author: one.author, isImported: one.isImported });
      if (!one.isImported) for (const claimId of one.lacking) lackingHere.add(claimId);
    }
  };
  let [some, rows]: [FiledEntry[], number] = [[], 0];
  for await (const entry of entries) {
    const fact = readFact(entry.fact);
    const mark = markOf(entry);
    const before = events.get(entry.id);
    if (before !== undefined && before.mark !== mark) throw new DeskError('review.entryDiffers');
    const { id, author, undoes } = entry;
    events.set(id, { kind: fact?.kind ?? 'newer', author, mark, target: targetOf(fact, undoes) });
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
    for (const { id, author, isImported } of await find(targets.slice(at, at + readAtOnce)))
      here.set(id, { author, isImported });

  const isAllowed = (id: string, depth: number): boolean => {
    const { author, target } = events.get(id) as FiledEvent;
    if (target === null || here.has(id)) return true;
    const known = here.get(target);
    if (known !== undefined) return known.isImported && known.author === author;
    return depth < maxUndone && events.get(target)?.author === author && isAllowed(target, depth + 1);
  };
  return {
    events,
    leftOut: new Set([...events.keys()].filter((id) => !isAllowed(id, 0))),
    lackingHere,
  };
}

export type CheckedFile = Awaited<ReturnType<typeof checkFile>>;
