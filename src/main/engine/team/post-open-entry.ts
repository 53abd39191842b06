import { commitTo } from '../../../team-protocol/commitment.ts';
import { type EntryHeader, protocolVersion, writeHeader } from '../../../team-protocol/entry.ts';
import { makeSalt, type SealingKey, seal } from '../../../team-protocol/seal.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { numberParts, sendParts, toInline } from './entry-parts.ts';
import type { LogState } from './log-state.ts';
import { type TeamClient, toTeamError } from './team-client.ts';

/** A sealed part, with its number of claims and its commitment in the header. */
export interface SealedPart {
  readonly sealed: Buffer;
  readonly of: readonly [count: number, commitment: string];
}

/** Seals the parts of an entry one after another, with the same salt. */
export function createPartSealer(team: string, entryId: string, key: SealingKey) {
  const salt = makeSalt();
  return (text: string, count: number, part: number): SealedPart => ({
    sealed: seal({ text, salt }, { team, entryId, part }, key),
    of: [count, commitTo({ text, salt }, part)],
  });
}

export interface EntryAuthor {
  readonly workspaceId: string;
  readonly team: string;
  readonly computer: string;
  readonly client: TeamClient;
  readonly log: { readonly state: LogState };
  readonly main: Pick<MainCalls, 'signHeaders'>;
}

/** A removal or checkpoint: `head` is not encrypted (`open-head.ts`). */
export interface OpenEntry extends Pick<EntryHeader, 'id' | 'kind' | 'tags'> {
  readonly head: { readonly head: Buffer; readonly commitment: string };
  readonly parts: readonly SealedPart[];
}

/** Signs and sends an entry with all of its parts. @throws DeskError `team.*` */
export async function postOpenEntry(
  { workspaceId, team, computer, client, log, main }: EntryAuthor,
  { id, kind, tags, head: { head, commitment }, parts }: OpenEntry,
): Promise<void> {
  const { number, hash } = log.state.position;
  const header = writeHeader({
    protocol: protocolVersion,
    team,
    id,
    kind,
    computer,
    at: new Date(client.now()).toISOString(),
    seen: number === 0 ? null : { number, hash },
    ...{
      tags,
      head: commitment,
      parts: parts.map(({ of: [count, partCommitment] }) => [count, partCommitment]),
    },
  });
  const [signature = ''] = await main.signHeaders({ workspaceId, headers: [header] });
  const sealed = parts.map((part) => part.sealed);
  const inline = toInline(sealed);
  const entry = { header, signature: Buffer.from(signature, 'base64url'), head, parts: inline };
  const [result] = (await client.post([entry], number)).results;
  if (result !== undefined && 'error' in result) throw toTeamError(result.error.code);
  if (inline.includes(null)) await sendParts(client, { id, length: sealed.length }, numberParts(sealed));
}
