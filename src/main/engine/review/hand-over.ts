import type { ReviewImport } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ReviewEntry } from '../store/user-data/reviews.ts';
import type { EventWriter } from './append-event.ts';
import { checkFile } from './check-file.ts';
import { createImportReport } from './import-report.ts';
import { readKnownTime } from './known-time.ts';
import { type ClaimReader, readAtOnce } from './read-claims.ts';
import { createRemovedFilter } from './removed-reviews.ts';
import { openReviews, sealReviews } from './review-file.ts';
import type { ReviewPorts } from './review-ports.ts';
import type { Settling } from './settle-reviews.ts';
import { createEntryReader, readCertificate } from './signed-entry.ts';
import { writeEntries } from './write-entries.ts';

/** Transfers the events of a workspace to another computer as an encrypted file of signed entries. */
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
     * @throws DeskError `vault.weakPassphrase`, `key.*`, and what `write` throws
     */
    async writeFile(workspaceId: string, passphrase: string, write: (bytes: Buffer) => Promise<void>) {
      const userData = await ports.getUserData(workspaceId);
      const events = new Set<string>();
      const claims = new Set<number>();
      const count = (entry: ReviewEntry): void => {
        events.add(entry.id);
        for (const [claimId] of entry.claims) claims.add(claimId);
      };
      const none = async function* (): AsyncGenerator<object> {};
      const lines = userData.isThere() ? writeEntries(userData, workspaceId, ports.signer, count) : none();
      for await (const bytes of sealReviews(lines, passphrase)) await write(bytes);
      return { events: events.size, claims: claims.size };
    },

    /**
     * Adds the events of such a file, except those of claims and members that were removed from this computer. The
     * whole file is checked first, so that nothing of a damaged or forged one is added.
     *
     * @throws DeskError `review.notAFile`, `review.newerFile`, `review.wrongPassphrase`, `review.badSignature`,
     *   `review.otherService`, `review.entryDiffers`, `review.badDate`, `profile.busy`
     */
    async readFile(workspaceId: string, file: Buffer, passphrase: string): Promise<ReviewImport> {
      if (ports.isReadOnly) throw new DeskError('profile.busy');
      const lines = await openReviews(file, passphrase);
      const { service } = await ports.getSettings(workspaceId);
      const { checkCertificate } = ports.signer;
      const opened = createEntryReader(lines, { service, checkCertificate });
      const store = await ports.getStore(workspaceId);
      const removed = createRemovedFilter(
        await store.read('readRetention', null),
        await ports.findRemovedForTeam?.(workspaceId),
      );
      const userData = await ports.getUserData(workspaceId);
      const kept = userData.isThere() ? await userData.call('listCertificates', { workspaceId }) : [];
      const known = kept.flatMap((one) => readCertificate(one, one.fingerprint) ?? []);
      const checked = await checkFile(
        opened.check(),
        await readKnownTime(ports, workspaceId),
        async (entries) =>
          userData.isThere() ? userData.call('findKnownEntries', { workspaceId, entries }) : [],
        removed.look,
        (id) => known.find(({ signer }) => signer.certificate === id)?.signer ?? null,
      );
      const here = await freezeClaims(workspaceId, Float64Array.from(removed.claimIds()));
      removed.keep(here.claimIds);
      const ownLeftOut = [...checked.lackingHere].filter(removed.isKept).length;
      if (ownLeftOut > 0 && !(await userData.call('mayLackClaims', { workspaceId })))
        throw new DeskError('review.entryDiffers');

      const report = createImportReport(checked, await ports.findAuthor(workspaceId), known);
      const certificates = opened.certificates.map((one) => one.kept);
      const add = (entries: ReviewEntry[]): Promise<void> =>
        inTurn(userData, async () => {
          const nowMs = await readKnownTime(ports, workspaceId);
          const given = { workspaceId, entries, nowMs, certificates };
          report.add(entries, await userData.call('importReviews', given));
        });
      let [some, rows]: [ReviewEntry[], number] = [[], 0];
      for await (const filed of opened.read()) {
        const entry = checked.leftOut.has(filed.id) ? null : removed.without(filed);
        if (entry === null) continue;
        const { signer: _signer, ...event } = entry;
        some.push({ ...event, workspace_id: workspaceId, is_imported: 1 });
        rows += entry.claims.length + 1;
        if (rows < readAtOnce) continue;
        await add(some);
        [some, rows] = [[], 0];
      }
      if (some.length > 0) await add(some);
      const found = await freezeClaims(workspaceId, Float64Array.from(report.claimIds));
      await settle(workspaceId, { reopens: true });
      const added = report.read();
      return {
        ...added,
        known: checked.events.size - checked.leftOut.size - added.events - removed.events(),
        unknownClaims: added.claims - found.claimIds.length,
        removedClaims: removed.claims(),
        ownClaimsLeftOut: ownLeftOut,
      };
    },
  };
}
