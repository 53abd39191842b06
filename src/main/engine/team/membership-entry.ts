import { randomUUID } from 'node:crypto';
import { type Entry, protocolVersion, writeHeader } from '../../../team-protocol/entry.ts';
import { type MembershipAct, writeMembership } from '../../../team-protocol/membership.ts';
import type { EngineHost } from '../../lib/engine-protocol.ts';
import type { TeamLog } from './pull-log.ts';
import type { TeamClient } from './team-client.ts';

interface Author {
  readonly team: string;
  readonly computer: string;
  readonly client: TeamClient;
  readonly log: TeamLog;
}

/** The header and the head of a membership by a computer, or by the recovery key. */
export function writeMembershipHeader(
  { team, computer, client, log }: Author,
  act: MembershipAct,
): { header: string; head: Buffer } {
  const { head, commitment } = writeMembership(act);
  const { number, hash } = log.state.position;
  const header = writeHeader({
    ...{ protocol: protocolVersion, team, id: randomUUID(), kind: 'membership', computer },
    at: new Date(client.now()).toISOString(),
    seen: number === 0 ? null : { number, hash },
    head: commitment,
    parts: [],
  });
  return { header, head };
}

/** A membership as a signed entry of this computer. */
export async function writeMembershipEntry(
  { host }: { readonly host: Pick<EngineHost, 'signHeaders'> },
  author: Author & { readonly workspaceId: string },
  act: MembershipAct,
): Promise<Entry> {
  const { header, head } = writeMembershipHeader(author, act);
  const { workspaceId } = author;
  const [signature = ''] = await host.signHeaders({ workspaceId, headers: [header] });
  return { header, signature: Buffer.from(signature, 'base64url'), head, parts: [] };
}
