import type { Posted } from '../../../team-protocol/api.ts';
import { nextChainHash } from '../../../team-protocol/chain.ts';
import type { Entry, EntryHeader } from '../../../team-protocol/entry.ts';
import type { WrittenEvent } from '../review/write-entries.ts';
import { packProof } from '../store/file/packed-proofs.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { LogState } from './log-state.ts';
import type { TeamClient } from './team-client.ts';
import { toKeptFacts } from './team-facts.ts';

/** An event of this computer as it was sent. */
export interface SentEntry {
  readonly entry: Entry;
  readonly header: EntryHeader;
  readonly salt: Buffer;
  readonly event: WrittenEvent;
}

/**
 * Records this computer's events that the server has put right after what was read here, and whose parts it has, so
 * that they are not read again. If other events came between, or something waits or was removed, they are read like
 * those of others.
 */
export async function confirmSent(
  {
    workspaceId,
    computer,
    userData,
  }: { readonly workspaceId: string; readonly computer: string; readonly userData: UserDataStore },
  state: LogState,
  client: Pick<TeamClient, 'now'>,
  sent: readonly SentEntry[],
  results: Posted['results'],
): Promise<void> {
  const { members, certificates } = state.members;
  const certificate = certificates.get(computer)?.signer.certificate;
  if (certificate === undefined || state.waiting.size > 0 || state.removals.all.length > 0) return;
  let { position } = state;
  const noted: (SentEntry & { readonly number: number; readonly hash: string })[] = [];
  for (const [index, sentEntry] of sent.entries()) {
    const result = results[index];
    const number = position.number + 1;
    const hash = nextChainHash(position.hash, number, sentEntry.entry);
    const isNext =
      result !== undefined && 'hash' in result && result.number === number && result.hash === hash;
    if (!isNext) break;
    position = { ...position, number, hash };
    noted.push({ ...sentEntry, number, hash });
  }
  if (noted.length === 0) return;
  await userData.call('addTeamPage', {
    ...{ workspaceId, nowMs: client.now(), position, isSent: true },
    entries: noted.map(({ event, header: { at, seen, tags }, salt, entry }) => ({
      ...event.event,
      claims: [],
      proof: packProof({
        ...{ certificate, at, seen, tags },
        salt: salt.toString('base64url'),
        signature: Buffer.from(entry.signature).toString('base64url'),
      }),
    })),
    numbers: noted.map(({ number, hash, header: { id } }) => ({ number, hash, id })),
    facts: noted.flatMap(({ entry, event, number, hash }) =>
      toKeptFacts({ ...entry, number, hash }, [event.event], members, computer),
    ),
    memberships: [],
    waiting: [],
    applied: [],
    removals: { removals: [], removedIds: [], isDue: false },
  });
  state.position = position;
}
