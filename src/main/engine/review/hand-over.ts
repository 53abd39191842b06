import type { ReviewImport } from '../../../contract/review.ts';
import { DeskError } from '../../lib/errors.ts';
import { readFact } from '../store/user-data/fold-review.ts';
import type { EntryPosition } from '../store/user-data/list-events.ts';
import type { ReviewEntry } from '../store/user-data/reviews.ts';
import type { EventWriter } from './append-event.ts';
import { readKnownTime } from './known-time.ts';
import { type ClaimReader, readAtOnce } from './read-claims.ts';
import { createRemovedFilter } from './removed-reviews.ts';
import { openReviews, sealReviews } from './review-file.ts';
import type { ReviewPorts } from './review-ports.ts';
import type { Settling } from './settle-reviews.ts';

/** Transfers the events of a workspace to another computer as an encrypted file. */
export function createHandOver(
  ports: ReviewPorts,
  { freezeClaims }: ClaimReader,
  { inTurn }: EventWriter,
  { settle }: Settling,
) {
  return {
    /**
     * Writes all events of a workspace to a file encrypted with a passphrase. Memory: a few thousand claims.
     *
     * @throws DeskError `vault.weakPassphrase`, and what `write` throws
     */
    async writeFile(workspaceId: string, passphrase: string, write: (bytes: Buffer) => Promise<void>) {
      const userData = await ports.getUserData(workspaceId);
      const events = new Set<string>();
      const claims = new Set<number>();
      const readEntries = async function* (): AsyncGenerator<ReviewEntry> {
        let after: EntryPosition | null = null;
        do {
          const page: { entries: ReviewEntry[]; next: EntryPosition | null } = await userData.call(
            'readReviewEntries',
            { workspaceId, after, limit: readAtOnce },
          );
          for (const entry of page.entries) {
            events.add(entry.id);
            for (const [claimId] of entry.claims) claims.add(claimId);
            yield entry;
          }
          after = page.next;
        } while (after !== null);
      };
      for await (const bytes of sealReviews(userData.isThere() ? readEntries() : [], passphrase))
        await write(bytes);
      return { events: events.size, claims: claims.size };
    },

    /**
     * Adds the events of such a file, except those of claims and members that were removed from this
     * computer.\n\n@throws DeskError `review.notAFile`, `review.newerFile`, `review.wrongPassphrase`, `profile.busy`
     */
    async readFile(workspaceId: string, file: Buffer, passphrase: string): Promise<ReviewImport> {
      if (ports.isReadOnly) throw new DeskError('profile.busy');
      const opened = await openReviews(file, passphrase);
      const store = await ports.getStore(workspaceId);
      const removed = createRemovedFilter(await store.read('readRetention', null));
      const events = new Map<string, { kind: string; author: string }>();
      // Checks the whole file first, so that nothing of a damaged file is added.
      for await (const entry of opened.check()) {
        const kind = readFact(entry.fact)?.kind ?? 'newer';
        events.set(entry.id, { kind, author: entry.author });
        removed.look(entry);
      }
      const here = await freezeClaims(workspaceId, Float64Array.from(removed.claimIds()));
      removed.keep(here.claimIds);
      const userData = await ports.getUserData(workspaceId);
      const added = new Set<string>();
      const addedClaims: number[] = [];
      const claimIds = new Set<number>();
      const add = (entries: ReviewEntry[]): Promise<void> =>
        inTurn(userData, async () => {
          const nowMs = await readKnownTime(ports, workspaceId);
          const imported = await userData.call('importReviews', { workspaceId, entries, nowMs });
          for (const id of imported.added) added.add(id);
          addedClaims.push(...imported.addedClaims);
          for (const entry of entries)
            if (added.has(entry.id)) for (const [claimId] of entry.claims) claimIds.add(claimId);
        });
      let [some, rows]: [ReviewEntry[], number] = [[], 0];
      for await (const filed of opened.read()) {
        const entry = removed.without(filed);
        if (entry === null) continue;
        some.push({ ...entry, workspace_id: workspaceId, is_imported: 1 });
        rows += entry.claims.length + 1;
        if (rows < readAtOnce) continue;
        await add(some);
        [some, rows] = [[], 0];
      }
      if (some.length > 0) await add(some);
      for (const claimId of addedClaims) claimIds.add(claimId);
      const found = await freezeClaims(workspaceId, Float64Array.from(claimIds));
      await settle(workspaceId, { reopens: true });
      const came = [...added].map((id) => events.get(id) as { kind: string; author: string });
      const byKind: Record<string, number> = {};
      for (const { kind } of came) byKind[kind] = (byKind[kind] ?? 0) + 1;
      return {
        events: came.length,
        known: events.size - came.length - removed.events(),
        byKind,
        claims: claimIds.size,
        unknownClaims: claimIds.size - found.claimIds.length,
        removedClaims: removed.claims(),
        authors: [...new Set(came.map(({ author }) => author))].sort(),
      };
    },
  };
}
