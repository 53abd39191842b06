import { createHash } from 'node:crypto';
import type { Database } from '../file/database.ts';
import type { ListKind } from '../record/list-kind.ts';
import type { PageInput, PageOutcome } from './page-types.ts';
import { digestEntries, forEachKey, type PassEntry, packEntries } from './seen-entries.ts';

/** The paging facts of a page, stored for an equal page of the next pass. */
type KeptFacts = Omit<PageOutcome, 'fresh' | 'added' | 'changed'>;

interface PassIndex {
  readonly kind: ListKind;
  readonly pass: number;
  readonly records: Set<number>;
  readonly odd: Set<number>;
}

/**
 * Stores what the passes of a sync received, page by page, together with the rows. A page with the same bytes as in the
 * previous pass contains the same records, so a verifying pass parses only changed pages.
 */
export function createPassPages(database: Database) {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO sync_pages (kind, pass, page, hash, facts, entries) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const find = database.prepare(
    'SELECT hash, facts, entries FROM sync_pages WHERE kind=? AND pass=? AND page=?',
  );
  const readEntries = database
    .prepare('SELECT entries FROM sync_pages WHERE kind=? AND pass=? ORDER BY page')
    .pluck();
  const countPages = database.prepare('SELECT count(*) FROM sync_pages WHERE kind=? AND pass=?').pluck();
  const distrustPass = database.prepare(
    'UPDATE sync_pages SET hash=NULL WHERE kind=? AND pass=? AND hash IS NOT NULL',
  );
  let index: PassIndex | null = null;

  const indexOf = (kind: ListKind, pass: number): PassIndex => {
    if (index?.kind !== kind || index.pass !== pass) {
      index = { kind, pass, records: new Set(), odd: new Set() };
      for (const entries of readEntries.iterate(kind, pass) as Iterable<Buffer>) addKeys(index, entries);
    }
    return index;
  };

  /** Adds keys; returns how many of them the pass had not received before. */
  const addKeys = (to: PassIndex, entries: Buffer): number => {
    const before = to.records.size + to.odd.size;
    forEachKey(entries, (isRecord, key) => (isRecord ? to.records : to.odd).add(key));
    return to.records.size + to.odd.size - before;
  };

  const hasKeyOf = (passIndex: PassIndex, entries: Buffer): boolean => {
    let isFound = false;
    forEachKey(entries, (isRecord, key) => {
      isFound ||= (isRecord ? passIndex.records : passIndex.odd).has(key);
    });
    return isFound;
  };

  const hashOf = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest();

  return {
    /** The outcome of a page whose bytes equal those of the previous pass; null where they differ. */
    repeat(input: PageInput): PageOutcome | null {
      if (input.pass < 2) return null;
      const keptPage = find.get(input.kind, input.pass - 1, input.page) as
        | { hash: Buffer | null; facts: string; entries: Buffer }
        | undefined;
      const hash = hashOf(input.body);
      if (keptPage?.hash == null || !keptPage.hash.equals(hash)) return null;
      const seen = indexOf(input.kind, input.pass);
      // Another page of this pass may have written a different version of one of its records, so the page must be
      // parsed.
      if (hasKeyOf(seen, keptPage.entries)) return null;
      insert.run(input.kind, input.pass, input.page, hash, keptPage.facts, keptPage.entries);
      const fresh = addKeys(seen, keptPage.entries);
      return { ...(JSON.parse(keptPage.facts) as KeptFacts), fresh, added: 0, changed: 0 };
    },
    /** Stores what a page contained; returns how many of its keys the pass had not received before. */
    add(input: PageInput, hash: Uint8Array, facts: KeptFacts, seen: readonly PassEntry[]): number {
      const entries = packEntries(seen);
      const fresh = addKeys(indexOf(input.kind, input.pass), entries);
      // A record of an earlier page was overwritten: in the next pass, equal bytes of that page don't mean equal rows.
      if (fresh < seen.length) distrustPass.run(input.kind, input.pass);
      insert.run(input.kind, input.pass, input.page, hash, JSON.stringify(facts), entries);
      return fresh;
    },
    /** Called after records were written outside of a pass: equal bytes then no longer mean equal rows. */
    distrust(): void {
      database.prepare('UPDATE sync_pages SET hash=NULL WHERE hash IS NOT NULL').run();
    },
    /** Called after a rollback: there may be more keys in memory than in the file. */
    forget(): void {
      index = null;
    },
    seenIds: (kind: ListKind, pass: number): ReadonlySet<number> => indexOf(kind, pass).records,
    seenOddKeys: (kind: ListKind, pass: number): ReadonlySet<number> => indexOf(kind, pass).odd,
    /** How many pages a pass received, and what they contained. */
    digest: (kind: ListKind, pass: number) => ({
      pages: countPages.get(kind, pass) as number,
      ...digestEntries(() => readEntries.iterate(kind, pass) as Iterable<Buffer>),
    }),
  };
}

export type PassPages = ReturnType<typeof createPassPages>;
