import type { PaymentKind } from '../../../rules/money/reimbursement.ts';
import { readFact } from '../../../rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../rules/review/folded-review.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';
import type { ReviewImport } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { AddedEntry } from '../store/user-data/reviews.ts';
import type { ReviewEntry } from '../store/user-data/write-event.ts';
import type { EventWriter } from './append-event.ts';
import { type CheckedFile, checkFile, type FiledEvent } from './check-file.ts';
import type { FiledEntry } from './filed-entry.ts';
import { readKnownTime } from './known-time.ts';
import { type ClaimReader, readAtOnce } from './read-claims.ts';
import { createRemovedFilter } from './removed-reviews.ts';
import { openReviews, sealReviews } from './review-file.ts';
import type { ReviewPorts } from './review-ports.ts';
import { createEntryReader, type ReadCertificate, readCertificate } from './signed-entry.ts';
import type { ReviewUpdater } from './update-reviews.ts';
import { writeEntries } from './write-entries.ts';

type Person = ReviewImport['people'][number];

/** The most claims of a colleague that are listed by ID. */
const maxNamed = 200;

/** The amount that an event pays on claims, in ten-thousandths of a dollar, at most the largest safe integer. */
function paidBy({ fact, claims }: FiledEntry, claimIds: ReadonlySet<number>) {
  const read = readFact(fact);
  if (read?.kind !== 'payment') return null;
  const amounts = claims.flatMap(([claimId, , , detail]) => {
    if (!claimIds.has(claimId)) return [];
    if (read.amount !== null) return [read.amount];
    const { payments = [] } = (detail === null ? {} : JSON.parse(detail)) as ReviewDetail;
    return payments.map(({ amount }) => amount);
  });
  return { payment: read.payment, amounts };
}

const makeCounts = () => ({
  events: 0,
  byKind: {} as Record<string, number>,
  claims: new Set<number>(),
  further: new Set<number>(),
  /** Events by the fingerprint of the SSH key behind their signature; '' for those without. */
  signed: new Map<string, number>(),
  paid: new Map<PaymentKind, Omit<Person['paid'][number], 'payment'>>(),
});

/**
 * Counts what the entries of a file added: by person and kind, with claims and payments. `certificates`: those that
 * were here before.
 */
function createImportReport(
  { events, leftOut }: CheckedFile,
  ownAuthor: string,
  certificates: readonly Pick<ReadCertificate, 'email' | 'signer'>[],
) {
  const people = new Map<string, ReturnType<typeof makeCounts>>();
  const claimIds = new Set<number>();
  const added = new Set<string>();
  const byKind: Record<string, number> = {};
  return {
    claimIds,
    /** Counts entries of the file, and what the store added of each. */
    add(entries: readonly FiledEntry[], addedEntries: readonly AddedEntry[]): void {
      for (const [index, entry] of entries.entries()) {
        const { isNew, claimIds: given } = addedEntries[index] as AddedEntry;
        if (!isNew && given.length === 0) continue;
        const { kind, author, signer } = events.get(entry.id) as FiledEvent;
        const person = people.get(author) ?? makeCounts();
        people.set(author, person);
        if (isNew) {
          added.add(entry.id);
          person.events += 1;
          const fingerprint = signer?.fingerprint ?? '';
          person.signed.set(fingerprint, (person.signed.get(fingerprint) ?? 0) + 1);
          for (const counts of [person.byKind, byKind]) counts[kind] = (counts[kind] ?? 0) + 1;
        }
        for (const claimId of given.filter((id) => memberOfSubject(id) === null)) {
          claimIds.add(claimId);
          person.claims.add(claimId);
          if (!added.has(entry.id)) person.further.add(claimId);
        }
        const paid = paidBy(entry, new Set(given));
        if (paid === null) continue;
        const { payments = 0, amount = 0 } = person.paid.get(paid.payment) ?? {};
        person.paid.set(paid.payment, {
          payments: payments + paid.amounts.length,
          amount: Math.min(
            paid.amounts.reduce((sum, part) => sum + part, amount),
            Number.MAX_SAFE_INTEGER,
          ),
        });
      }
    },
    read(): Omit<ReviewImport, 'known' | 'unknownClaims' | 'removedClaims' | 'ownClaimsLeftOut'> {
      const acts = new Map<string, ReviewImport['actsLeftOut'][number]>();
      for (const id of leftOut) {
        const { author, kind } = events.get(id) as FiledEvent;
        const name = `${kind} ${author}`;
        acts.set(name, { author, kind, events: (acts.get(name)?.events ?? 0) + 1 });
      }
      return {
        events: added.size,
        byKind,
        claims: claimIds.size,
        people: [...people]
          .map(([author, { claims, further, signed, paid, ...counts }]) => ({
            author,
            isYou: author === ownAuthor,
            ...counts,
            claims: claims.size,
            furtherClaims: further.size,
            claimIds: [...claims].slice(0, maxNamed),
            notSigned: signed.get('') ?? 0,
            keys: [...signed.keys()].filter(Boolean).map((fingerprint) => ({
              fingerprint,
              isKnown: certificates.some(
                ({ email, signer }) => email === author && signer.fingerprint === fingerprint,
              ),
            })),
            paid: [...paid].map(([payment, sums]) => ({ payment, ...sums })),
          }))
          .sort((a, b) => b.events - a.events || (a.author < b.author ? -1 : 1)),
        actsLeftOut: [...acts.values()],
      };
    },
  };
}

/** Transfers the events of a workspace to another computer as an encrypted file of signed entries. */
export function createHandOver(
  ports: ReviewPorts,
  { freezeClaims }: ClaimReader,
  { inTurn }: EventWriter,
  { update }: ReviewUpdater,
) {
  return {
    /**
     * Writes all events of a workspace to a file encrypted with a passphrase. It needs memory for a few thousand
     * claims.
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
     * whole file is checked first, so that nothing from a damaged or forged one is added.
     * @throws DeskError `review.notAFile`, `review.newerFile`, `review.wrongPassphrase`, `review.badSignature`,
     * `review.otherService`, `review.entryDiffers`, `review.badDate`, `profile.busy`
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
      const knownCertificates = kept.flatMap(
        (certificate) => readCertificate(certificate, certificate.fingerprint) ?? [],
      );
      const checked = await checkFile(
        opened.check(),
        await readKnownTime(ports, workspaceId),
        async (entries) =>
          userData.isThere() ? userData.call('findKnownEntries', { workspaceId, entries }) : [],
        removed.look,
        (id) => knownCertificates.find(({ signer }) => signer.certificate === id)?.signer ?? null,
      );
      const here = await freezeClaims(workspaceId, Float64Array.from(removed.claimIds()));
      removed.keep(here.claimIds);
      const ownLeftOut = [...checked.lackingHere].filter(removed.isKept).length;
      if (ownLeftOut > 0 && !(await userData.call('mayLackClaims', { workspaceId })))
        throw new DeskError('review.entryDiffers');

      const report = createImportReport(checked, await ports.findAuthor(workspaceId), knownCertificates);
      const certificates = opened.certificates.map((certificate) => certificate.kept);
      const add = (entries: FiledEntry[]): Promise<void> =>
        inTurn(userData, async () => {
          const nowMs = await readKnownTime(ports, workspaceId);
          const given = { workspaceId, entries, nowMs, certificates };
          report.add(entries, await userData.call('importReviews', given));
        });
      let [some, rows]: [FiledEntry[], number] = [[], 0];
      for await (const filed of opened.read()) {
        const entry = checked.leftOut.has(filed.id) ? null : removed.without(filed);
        if (entry === null) continue;
        some.push(entry);
        rows += entry.claims.length + 1;
        if (rows < readAtOnce) continue;
        await add(some);
        [some, rows] = [[], 0];
      }
      if (some.length > 0) await add(some);
      const knownClaims = await freezeClaims(workspaceId, Float64Array.from(report.claimIds));
      await update(workspaceId, { reopens: true });
      const added = report.read();
      return {
        ...added,
        known: checked.events.size - checked.leftOut.size - added.events - removed.events(),
        unknownClaims: added.claims - knownClaims.claimIds.length,
        removedClaims: removed.claims(),
        ownClaimsLeftOut: ownLeftOut,
      };
    },
  };
}
