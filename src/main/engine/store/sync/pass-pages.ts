import { createHash } from 'node:crypto';
import type { Connection } from '../file/connection.ts';
import type { ListKind } from '../record/list-kind.ts';
import type { PageInput, PageOutcome } from './page-types.ts';
import { digestEntries, forEachKey, packEntries, type SeenEntry } from './seen-entries.ts';

/** What a page said of itself, kept to answer for an equal one. */
type KeptFacts = Omit<PageOutcome, 'fresh' | 'added' | 'changed'>;

interface PassIndex {
  readonly kind: ListKind;
  readonly pass: number;
  readonly records: Set<number>;
  readonly odd: Set<number>;
}

/**
 * What the passes of a sync saw, page by page, written with the rows. A page whose bytes equal those of the
 * pass before held the same records, so a proving read parses only what moved.
 */
export function createPassPages(connection: Connection) {
  const insert = connection.prepare(
    'INSERT OR REPLACE INTO sync_pages (kind, pass, page, hash, facts, entries) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const find = connection.prepare(
    'SELECT hash, facts, entries FROM sync_pages WHERE kind=? AND pass=? AND page=?',
  );
  const readEntries = connection
    .prepare('SELECT entries FROM sync_pages WHERE kind=? AND pass=? ORDER BY page')
    .pluck();
  const distrustPass = connection.prepare(
    'UPDATE sync_pages SET hash=NULL WHERE kind=? AND pass=? AND hash IS NOT NULL',
  );
  let index: PassIndex | null = null;

  const indexOf = (kind: ListKind, pass: number): PassIndex => {
    if (index?.kind !== kind || index.pass !== pass) {
      index = { kind, pass, records: new Set(), odd: new Set() };
      for (const entries of readEntries.all(kind, pass) as Buffer[]) addKeys(index, entries);
    }
    return index;
  };

  /** How many keys the pass had not seen. */
  const addKeys = (to: PassIndex, entries: Buffer): number => {
    const before = to.records.size + to.odd.size;
    forEachKey(entries, (isRecord, key) => (isRecord ? to.records : to.odd).add(key));
    return to.records.size + to.odd.size - before;
  };

  const hasKeyOf = (of: PassIndex, entries: Buffer): boolean => {
    let isFound = false;
    forEachKey(entries, (isRecord, key) => {
      isFound ||= (isRecord ? of.records : of.odd).has(key);
    });
    return isFound;
  };

  const hashOf = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest();

  return {
    /** The outcome of a page that is byte for byte the one of the pass before; null where it is not. */
    repeat(input: PageInput): PageOutcome | null {
      if (input.pass < 2) return null;
      const known = find.get(input.kind, input.pass - 1, input.page) as
        | { hash: Buffer | null; facts: string; entries: Buffer }
        | undefined;
      const hash = hashOf(input.body);
      if (known?.hash == null || !known.hash.equals(hash)) return null;
      const seen = indexOf(input.kind, input.pass);
      // Another page of this pass may have written a record of this one differently: only parsing tells.
      if (hasKeyOf(seen, known.entries)) return null;
      insert.run(input.kind, input.pass, input.page, hash, known.facts, known.entries);
      const fresh = addKeys(seen, known.entries);
      return { ...(JSON.parse(known.facts) as KeptFacts), fresh, added: 0, changed: 0 };
    },
    /** Keeps what a page held; returns how many of it the pass had not seen. */
    add(input: PageInput, hash: Uint8Array, facts: KeptFacts, seen: readonly SeenEntry[]): number {
      const entries = packEntries(seen);
      const fresh = addKeys(indexOf(input.kind, input.pass), entries);
      // What an earlier page held was written over: in the pass to come, its bytes do not stand for the rows.
      if (fresh < seen.length) distrustPass.run(input.kind, input.pass);
      insert.run(input.kind, input.pass, input.page, hash, JSON.stringify(facts), entries);
      return fresh;
    },
    /** After records were written outside of a pass, equal bytes no longer mean equal rows. */
    distrust(): void {
      connection.prepare('UPDATE sync_pages SET hash=NULL WHERE hash IS NOT NULL').run();
    },
    /** After a rollback: what is in memory may be more than what is in the file. */
    forget(): void {
      index = null;
    },
    /** The ids of records that a pass saw. */
    seenIds: (kind: ListKind, pass: number): ReadonlySet<number> => indexOf(kind, pass).records,
    /** The keys of what a pass saw and that is no record. */
    seenOddKeys: (kind: ListKind, pass: number): ReadonlySet<number> => indexOf(kind, pass).odd,
    digest: (kind: ListKind, pass: number) => digestEntries(readEntries.all(kind, pass) as Buffer[]),
  };
}

export type PassPages = ReturnType<typeof createPassPages>;
