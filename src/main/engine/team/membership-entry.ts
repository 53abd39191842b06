import { randomUUID } from 'node:crypto';
import { type Entry, protocolVersion, writeHeader } from '../../../team-protocol/entry.ts';
import { type MembershipAct, writeMembership } from '../../../team-protocol/membership.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import type { EntryAuthor } from './post-open-entry.ts';

type Author = Omit<EntryAuthor, 'workspaceId' | 'main'>;

/** The header and the head of a membership by a computer, or by the recovery key. */
export function writeMembershipHeader(
  { team, computer, client, log }: Author,
  act: MembershipAct,
): { header: string; head: Buffer } {
  const { head, commitment } = writeMembership(act);
  // A computer that confirms a log has read up to there, but has not written it here.
  const { number, hash } = act.act === 'follow' ? act : log.state.position;
  const header = writeHeader({
    protocol: protocolVersion,
    team,
    id: randomUUID(),
    kind: 'membership',
    computer,
    at: new Date(client.now()).toISOString(),
    seen: number === 0 ? null : { number, hash },
    ...{ tags: '', head: commitment, parts: [] },
  });
  return { header, head };
}

/** A membership as a signed entry of this computer. */
export async function writeMembershipEntry(
  { main }: { readonly main: Pick<MainCalls, 'signHeaders'> },
  author: Author & { readonly workspaceId: string },
  act: MembershipAct,
): Promise<Entry> {
  const { header, head } = writeMembershipHeader(author, act);
  const { workspaceId } = author;
  const [signature = ''] = await main.signHeaders({ workspaceId, headers: [header] });
  return { header, signature: Buffer.from(signature, 'base64url'), head, parts: [] };
}
