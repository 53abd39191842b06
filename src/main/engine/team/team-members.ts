import { headerOf } from '../../../team-protocol/entry.ts';
import {
  applyMembership,
  findMember,
  type Members,
  type MembershipAct,
  readMembership,
} from '../../../team-protocol/membership.ts';
import type { SealingKey } from '../../../team-protocol/seal.ts';
import type { MainCalls } from '../../lib/engine-protocol.ts';
import { DeskError } from '../../lib/errors.ts';
import type { TeamPerson } from '../review/describe-people.ts';
import { type ReadCertificate, readCertificate } from '../review/signed-entry.ts';
import type { KeptMembership } from '../store/user-data/team-log.ts';

/** The members of a team after an entry, as this computer has checked them, and the team keys that it has. */
export interface TeamMembers {
  readonly members: Members | null;
  /** The checked certificates, by computer. A computer without one is not trusted, whatever the server sends. */
  readonly certificates: ReadonlyMap<string, ReadCertificate>;
  /** The team's keys, by generation. */
  readonly keys: ReadonlyMap<number, Uint8Array>;
  /** The number of the newest change of the members, 0 before the first. */
  readonly newest: number;
}

export const noMembers: TeamMembers = { members: null, certificates: new Map(), keys: new Map(), newest: 0 };

/** The ports that computing the members needs. */
export interface MemberPorts {
  readonly computer: string;
  readonly checkCertificate: MainCalls['checkCertificate'];
  /** Opens a team key that is sealed for this computer; null where it is not. */
  readonly openGrant: (generation: number, grant: string) => Promise<Uint8Array | null>;
}

/** The team keys that an act gives to a computer, by generation. */
function listGrants(
  act: MembershipAct,
  members: Members,
  computer: string,
  author: string,
): [number, string][] {
  if ((act.act === 'create' || act.act === 'renewKey') && computer === members.recovery.computer) {
    const earlier = act.act === 'renewKey' ? (act.recovery.earlier ?? []) : [];
    return [...earlier, act.recovery.grant].flatMap((grant, index, all) =>
      grant === null ? [] : [[members.generation - all.length + 1 + index, grant]],
    );
  }
  if (act.act === 'create') return author === computer ? [[1, act.grant]] : [];
  if (act.act === 'renewKey')
    return act.grants
      .filter((entry) => entry.computer === computer)
      .map(({ grant }) => [act.generation, grant]);
  if (act.act !== 'admit') return [];
  const isOwn = members.computers.get(computer)?.certificate.body === act.certificate.body;
  return isOwn ? act.grants.map((grant, index) => [index + 1, grant]) : [];
}

/** The members after an entry; the same where it has no effect. */
export async function addMembership(
  before: TeamMembers,
  entry: { readonly number: number; readonly header: string; readonly head: Uint8Array },
  ports: MemberPorts,
): Promise<TeamMembers> {
  const header = headerOf(entry);
  const act = header === null ? null : readMembership(header, entry.head);
  if (header === null || act === null) throw new DeskError('team.serverDiffers');
  const members = applyMembership(before.members, { number: entry.number, header, act });
  if (typeof members === 'string') return before;
  const certificates = new Map(before.certificates);
  if ('certificate' in act) {
    const fingerprint = await ports.checkCertificate(act.certificate);
    const read = fingerprint === null ? null : readCertificate(act.certificate, fingerprint);
    if (read !== null) certificates.set(read.signer.computer, read);
    else if (act.act === 'create') throw new DeskError('team.serverDiffers');
    else if (act.act === 'certify') certificates.delete(header.computer);
  }
  const keys = new Map(before.keys);
  for (const [generation, grant] of listGrants(act, members, ports.computer, header.computer)) {
    const key = await ports.openGrant(generation, grant);
    if (key !== null) keys.set(generation, key);
  }
  return { members, certificates, keys, newest: entry.number };
}

/** The members after all entries that were read. */
export async function readMembers(kept: readonly KeptMembership[], ports: MemberPorts): Promise<TeamMembers> {
  let state = noMembers;
  for (const entry of kept) state = await addMembership(state, entry, ports);
  return state;
}

/** The newest team key; null if this computer is not a member or does not have the key. */
export function newestKey({ members, keys }: TeamMembers, computer: string): SealingKey | null {
  const generation = members?.generation ?? 0;
  const key = keys.get(generation);
  return key === undefined || findMember(members, computer) === null ? null : { generation, key };
}

/** Lists current and former members, each once even if they have several computers. `computer`: this one. */
export function listPeople(members: Members | null, computer: string): TeamPerson[] {
  const people = new Map<string, TeamPerson>();
  for (const member of members?.computers.values() ?? []) {
    const before = people.get(member.email);
    people.set(member.email, {
      email: member.email,
      isMember: member.until === null || before?.isMember === true,
      isYou: member.computer === computer || before?.isYou === true,
    });
  }
  return [...people.values()];
}
