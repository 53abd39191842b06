import { teamFactKinds } from '../../../rules/review/event-kinds.ts';
import { writeTags } from '../../../team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../../team-protocol/commitment.ts';
import { maxClaimsOfPart, maxTagsOfEntry, readHeader } from '../../../team-protocol/entry.ts';
import { makeSalt } from '../../../team-protocol/seal.ts';
import { isSignedBy } from '../../../team-protocol/sign-entry.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import { unpackProof } from '../store/file/packed-proofs.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { EntryPosition } from '../store/user-data/list-events.ts';
import type { ReviewEntry } from '../store/user-data/write-event.ts';
import { toLine } from './filed-entry.ts';
import {
  type HeaderFacts,
  isByHolder,
  type ReadCertificate,
  readCertificate,
  type SignedLine,
  toHead,
  toHeader,
  toPart,
} from './signed-entry.ts';

/**
 * An event without its claims, and its parts: entries with some of its claims each. `claims`: how many it has, if they
 * don't fit into one part.
 */
export interface WrittenEvent {
  readonly event: ReviewEntry;
  readonly claims: number | null;
  readParts(): AsyncIterable<ReviewEntry> | Iterable<ReviewEntry>;
}

/** The calls that sign entries on this computer. */
export type EntrySigner = Pick<MainCalls, 'certifyComputer' | 'signHeaders' | 'checkCertificate'>;

/** The certificates of colleagues' computers, by their IDs. */
export async function readCertificates(
  userData: UserDataStore,
  workspaceId: string,
): Promise<Map<string, ReadCertificate>> {
  const kept = await userData.call('listCertificates', { workspaceId });
  const read = kept.flatMap((certificate) => readCertificate(certificate, certificate.fingerprint) ?? []);
  return new Map(read.map((certificate) => [certificate.kept.id, certificate]));
}

/** The largest number of headers that main signs at once. */
export const signedAtOnce = 500;

/**
 * The events of a workspace in groups: a few events, or one with more claims than fit into a part. `isUnsent`: only
 * events of this computer that are not in the team's log.
 */
export async function* readGroups(
  userData: UserDataStore,
  workspaceId: string,
  options: { isUnsent?: boolean; id?: string } = {},
): AsyncGenerator<WrittenEvent[]> {
  const read = (after: EntryPosition | null) =>
    userData.call('readReviewEntries', { workspaceId, after, limit: maxClaimsOfPart, ...options });
  const isInside = (next: EntryPosition | null): boolean =>
    next !== null && next.claimId !== Number.MAX_SAFE_INTEGER;
  let after: EntryPosition | null = null;
  do {
    const from: EntryPosition | null = after;
    const page: Awaited<ReturnType<typeof read>> = await read(from);
    after = page.next;
    const [first] = page.entries;
    if (first === undefined || after === null || !isInside(after)) {
      yield page.entries.map((event) => ({
        event,
        claims: null,
        readParts: () => (event.claims.length === 0 ? [] : [event]),
      }));
      continue;
    }
    after = { seq: after.seq, claimId: Number.MAX_SAFE_INTEGER };
    const readParts = async function* (): AsyncGenerator<ReviewEntry> {
      for (let at = from, isLast = false; !isLast; ) {
        const { entries, next } = await read(at);
        yield entries[0] as ReviewEntry;
        isLast = !isInside(next);
        at = next;
      }
    };
    yield [{ event: first, claims: page.claims, readParts }];
  } while (after !== null);
}

/** The header of an event, and the content of its head. `onPart` receives the content of each part. */
export async function writeTexts(
  { event, readParts }: Pick<WrittenEvent, 'event' | 'readParts'>,
  salt: Uint8Array,
  facts: HeaderFacts,
  onPart: (text: string, part: number) => void = () => undefined,
): Promise<{ header: string; head: string }> {
  const head = toHead(event);
  const parts: [number, string][] = [];
  const claimIds = new Set<number>();
  for await (const { claims } of readParts()) {
    const text = toPart(claims);
    onPart(text, parts.length);
    parts.push([claims.length, commitTo({ text, salt }, parts.length)]);
    if (claimIds.size <= maxTagsOfEntry) for (const [claimId] of claims) claimIds.add(claimId);
  }
  const tags = typeof facts.tags === 'function' ? writeTags(claimIds, facts.tags) : facts.tags;
  return {
    header: toHeader(event, facts, { tags, head: commitTo({ text: head, salt }, headPart), parts }),
    head,
  };
}

/** The time by which an event is ordered, if it is not the signed one. */
const movedTo = ({ at, folds_at }: ReviewEntry, signedAt: string): { folds_at?: string } => {
  const key = folds_at ?? at;
  return key === signedAt ? {} : { folds_at: key };
};

/**
 * Writes the lines of a file with all events of a workspace. Events of this computer are signed by it now; imported
 * ones keep their signature, unless some of their claims were removed here. Unsigned ones stay unsigned.
 * @throws DeskError `key.*`, `keychain.*`, `vault.*`
 */
export async function* writeEntries(
  userData: UserDataStore,
  workspaceId: string,
  signer: EntrySigner,
  onEvent: (event: ReviewEntry) => void,
): AsyncGenerator<object> {
  const ownText = await signer.certifyComputer({ workspaceId });
  const fingerprint = await signer.checkCertificate(ownText);
  const ownCertificate = fingerprint === null ? null : readCertificate(ownText, fingerprint);
  if (ownCertificate === null) throw new DeskError('internal.fault');
  const certificates = await readCertificates(userData, workspaceId);
  /** The number of each certificate in the file. */
  const numbers = new Map<string, number>();

  const prepare = async (written: WrittenEvent) => {
    const { event } = written;
    const proof = event.proof === null ? null : unpackProof(event.proof);
    const isOwn = event.is_imported === 0;
    const certificate = isOwn ? ownCertificate : certificates.get(proof?.certificate ?? '');
    if (certificate === undefined || !isByHolder(certificate, event)) return null;
    const salt = proof === null ? makeSalt() : Buffer.from(proof.salt, 'base64url');
    const { at, seen, tags } = proof ?? { at: event.at, seen: null, tags: '' };
    const { computer } = certificate.signer;
    const { header, head } = await writeTexts(written, salt, {
      computer,
      team: certificate.team,
      at,
      seen,
      tags,
    });
    if (readHeader(header) === null) return null;
    const signature = proof === null ? null : proof.signature;
    if (signature !== null) {
      const isWhole = await isSignedBy(header, Buffer.from(signature, 'base64url'), certificate.key);
      if (!isWhole) return null;
    }
    return { header, signature, certificate, salt: salt.toString('base64url'), head, at };
  };

  for await (const all of readGroups(userData, workspaceId)) {
    // Messages between the computers of a team are not reviews.
    const group = all.filter(({ event }) => !teamFactKinds.includes(event.kind));
    const prepared = await Promise.all(group.map(prepare));
    const unsigned = prepared
      .filter((entry) => entry?.signature === null)
      .map((entry) => entry?.header ?? '');
    const signatures: string[] = [];
    for (let at = 0; at < unsigned.length; at += signedAtOnce) {
      const headers = unsigned.slice(at, at + signedAtOnce);
      signatures.push(...(await signer.signHeaders({ workspaceId, headers })));
    }
    for (const [index, { event, readParts }] of group.entries()) {
      const entry = prepared[index] ?? null;
      if (entry === null) {
        for await (const part of event.claims.length === 0 ? [event] : readParts()) {
          onEvent(part);
          yield toLine(part);
        }
        continue;
      }
      const { certificate, header, salt, head, at } = entry;
      const { kept } = certificate;
      if (!numbers.has(kept.id)) {
        numbers.set(kept.id, numbers.size);
        yield { certificate: { body: kept.body, signature: kept.signature } };
      }
      const by = numbers.get(kept.id) as number;
      const signature = entry.signature ?? (signatures.shift() as string);
      yield { header, signature, by, salt, head, ...movedTo(event, at) } satisfies SignedLine;
      onEvent({ ...event, claims: [] });
      for await (const part of readParts()) {
        onEvent(part);
        yield { part: toPart(part.claims) };
      }
    }
  }
}
