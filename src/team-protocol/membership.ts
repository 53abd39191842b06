import { z } from 'zod';
import {
  type CertificateBody,
  certificateSchema,
  certifiedComputer,
  readCertificateBody,
} from './certificate.ts';
import { bytesSchema, computerIdOf, digestSchema, type EntryHeader } from './entry.ts';
import { readOpenHead, writeOpenHead } from './open-head.ts';

export const teamRoles = ['admin', 'reviewer', 'reader'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** The largest number of computers that a team can ever have, former members included. */
const maxComputers = 1_000;
/** The largest number of generations of the team key. */
const maxGenerations = 1_000;
/** The largest length of a membership's head in bytes. */
export const maxMembershipBytes = 400_000;

/** A team key sealed for a computer or the recovery key: at most 300 bytes, read only by its receiver. */
const grantSchema = z.string().regex(/^[A-Za-z0-9_-]{40,400}$/);
const emailSchema = z.string().regex(/^\P{C}{1,320}$/u);
const generationSchema = z.int().min(1).max(maxGenerations);

/** The recovery key's public halves (32 bytes each: Ed25519, X25519), and the newest team key sealed for it. */
const recoverySchema = z.strictObject({
  signingKey: bytesSchema(32),
  sealingKey: bytesSchema(32),
  grant: grantSchema,
});

/** A change of a team's members, as the unencrypted head of an entry of kind `membership` has it. */
export const membershipActSchema = z.discriminatedUnion('act', [
  /** The first entry of a team. Its author is the first admin; the team key has generation 1. */
  z.strictObject({
    act: z.literal('create'),
    certificate: certificateSchema,
    grant: grantSchema,
    recovery: recoverySchema,
  }),
  /** `grants` are the team keys of generation 1 up to the newest, in this order. */
  z.strictObject({
    act: z.literal('admit'),
    certificate: certificateSchema,
    role: z.enum(teamRoles),
    grants: z.array(grantSchema).min(1).max(maxGenerations),
  }),
  /** The role of a person, on all of their computers. */
  z.strictObject({ act: z.literal('role'), email: emailSchema, role: z.enum(teamRoles) }),
  /** One computer, or all computers of a person. */
  z.strictObject({
    act: z.literal('revoke'),
    of: z.union([z.strictObject({ computer: digestSchema }), z.strictObject({ email: emailSchema })]),
  }),
  /**
   * The next generation of the team key, sealed for each computer of the team. It can replace the recovery key: then
   * `earlier` are the team keys of generation 1 up to the one before, sealed for the new recovery key.
   */
  z.strictObject({
    act: z.literal('renewKey'),
    generation: generationSchema,
    grants: z.array(z.strictObject({ computer: digestSchema, grant: grantSchema })).max(maxComputers),
    recovery: recoverySchema.extend({ earlier: z.array(grantSchema).max(maxGenerations).optional() }),
  }),
  /** A new certificate for the author's computer, by another SSH key of the same person. */
  z.strictObject({ act: z.literal('certify'), certificate: certificateSchema }),
  z.strictObject({ act: z.literal('leave') }),
]);
export type MembershipAct = z.infer<typeof membershipActSchema>;

export const writeMembership = (act: MembershipAct): { head: Buffer; commitment: string } =>
  writeOpenHead(JSON.stringify(act));

/** Reads the head of a membership; null where it is not the one of this header. */
export function readMembership(header: EntryHeader, head: Uint8Array): MembershipAct | null {
  if (header.kind !== 'membership' || header.parts.length > 0) return null;
  const parsed = membershipActSchema.safeParse(readOpenHead(header, head, maxMembershipBytes));
  return parsed.success ? parsed.data : null;
}

/** A computer that is or was a member. */
export interface TeamComputer {
  readonly computer: string;
  readonly email: string;
  readonly role: TeamRole;
  readonly certificate: z.infer<typeof certificateSchema>;
  readonly signingKey: string;
  readonly sealingKey: string;
  /** The number of the entry that admitted it, and of the one that ended its membership. */
  readonly from: number;
  readonly until: number | null;
}

/** The members of a team after an entry. */
export interface Members {
  readonly team: string;
  /** The claims service's origin, which every certificate of the team has. */
  readonly service: string;
  /** The newest generation of the team key. */
  readonly generation: number;
  /** Whether a former member knows the newest team key, so that another one has to be made. */
  readonly isRenewalDue: boolean;
  /** Every computer that was ever admitted, by its ID. */
  readonly computers: ReadonlyMap<string, TeamComputer>;
  /** The recovery key, which may admit computers where a team has lost those of its admins. */
  readonly recovery: { readonly computer: string; readonly signingKey: string; readonly sealingKey: string };
  /** The computer IDs of recovery keys that were replaced: none of them may become one again, or a member. */
  readonly formerRecoveries: ReadonlySet<string>;
}

export const memberCodes = [
  'member.unknown',
  'member.notAdmin',
  'member.lastAdmin',
  'member.known',
  'member.notThere',
  'member.otherRole',
  'team.exists',
  'team.full',
  'certificate.invalid',
  'grants.incomplete',
  'generation.wrong',
] as const;
/** Why a membership has no effect. */
export type MemberCode = (typeof memberCodes)[number];

/** The computer with this ID while it is a member. */
export function findMember(members: Members | null, computer: string): TeamComputer | null {
  const found = members?.computers.get(computer);
  return found === undefined || found.until !== null ? null : found;
}

/** The computers that are members, in the order of their admission. */
export const listMembers = ({ computers }: Members): TeamComputer[] =>
  [...computers.values()].filter(({ until }) => until === null);

/** The certificate's body where it is of this team and service and has all that a member needs. */
function readTeamCertificate(
  certificate: z.infer<typeof certificateSchema>,
  team: string | null,
  service: string | null,
): CertificateBody | null {
  const body = readCertificateBody(certificate.body);
  if (body === null || body.team === null || body.team !== team) return null;
  return service === null || body.service === service ? body : null;
}

const describeRecovery = ({
  signingKey,
  sealingKey,
}: z.infer<typeof recoverySchema>): Members['recovery'] => ({
  computer: computerIdOf(Buffer.from(signingKey, 'base64url')),
  signingKey,
  sealingKey,
});

/** A membership with its number in the team. */
export interface NumberedAct {
  readonly number: number;
  readonly header: Pick<EntryHeader, 'team' | 'computer'>;
  readonly act: MembershipAct;
}

/**
 * Pure: the members after an entry, or why it has no effect. Server and clients judge by this alone. The SSH signatures of
 * certificates are not checked here: each client does, and trusts no computer whose certificate fails.
 */
export function applyMembership(members: Members | null, entry: NumberedAct): Members | MemberCode {
  const { header, act } = entry;
  if (members === null) return act.act === 'create' ? createTeam(entry, act) : 'member.unknown';
  if (act.act === 'create') return 'team.exists';
  if (header.team !== members.team) return 'member.unknown';
  const author = findMember(members, header.computer);
  const isRecovery = header.computer === members.recovery.computer;
  if (author === null && !isRecovery) return 'member.unknown';
  if (act.act === 'leave')
    return author === null ? 'member.notThere' : endMembership(members, entry, [author]);
  if (act.act === 'certify') return certify(members, author, act.certificate);
  if (author === null ? act.act !== 'admit' : author.role !== 'admin') return 'member.notAdmin';
  switch (act.act) {
    case 'admit':
      return admit(members, entry.number, act);
    case 'role':
      return setRole(members, act.email, act.role);
    case 'revoke': {
      const { of } = act;
      const meant = listMembers(members).filter((one) =>
        'email' in of ? one.email === of.email : one.computer === of.computer,
      );
      return meant.length === 0 ? 'member.notThere' : endMembership(members, entry, meant);
    }
    case 'renewKey':
      return renewKey(members, act);
  }
}

type ActOf<Name extends MembershipAct['act']> = Extract<MembershipAct, { act: Name }>;

function createTeam({ number, header }: NumberedAct, act: ActOf<'create'>): Members | MemberCode {
  const body = readTeamCertificate(act.certificate, header.team, null);
  if (body === null || header.team === null || certifiedComputer(body) !== header.computer)
    return 'certificate.invalid';
  const first = describeComputer(body, act.certificate, 'admin', number);
  return {
    team: header.team,
    service: body.service,
    generation: 1,
    isRenewalDue: false,
    computers: new Map([[first.computer, first]]),
    recovery: describeRecovery(act.recovery),
    formerRecoveries: new Set(),
  };
}

const describeComputer = (
  body: CertificateBody,
  certificate: TeamComputer['certificate'],
  role: TeamRole,
  from: number,
): TeamComputer => ({
  computer: certifiedComputer(body),
  email: body.email,
  role,
  certificate,
  signingKey: body.signingKey,
  sealingKey: body.sealingKey,
  from,
  until: null,
});

const withComputers = (members: Members, changed: readonly TeamComputer[]): Members => ({
  ...members,
  computers: new Map([
    ...members.computers,
    ...changed.map((one): [string, TeamComputer] => [one.computer, one]),
  ]),
});

/** Refuses members without an admin, because such a team could never be changed again. */
const withAdmin = (members: Members): Members | MemberCode =>
  listMembers(members).some(({ role }) => role === 'admin') ? members : 'member.lastAdmin';

/** Whether an ID belongs to a computer that is or was a member, or to a recovery key that was replaced. */
const isKnown = ({ computers, formerRecoveries }: Members, computer: string): boolean =>
  computers.has(computer) || formerRecoveries.has(computer);

function admit(members: Members, number: number, act: ActOf<'admit'>): Members | MemberCode {
  const body = readTeamCertificate(act.certificate, members.team, members.service);
  if (body === null) return 'certificate.invalid';
  const admitted = describeComputer(body, act.certificate, act.role, number);
  // A computer whose membership ended must join with new keys, so that each ID is a member during one interval only.
  if (isKnown(members, admitted.computer) || admitted.computer === members.recovery.computer)
    return 'member.known';
  if (members.computers.size >= maxComputers) return 'team.full';
  const others = listMembers(members).filter(({ email }) => email === admitted.email);
  if (others.some(({ role }) => role !== act.role)) return 'member.otherRole';
  if (act.grants.length !== members.generation) return 'generation.wrong';
  return withComputers(members, [admitted]);
}

function setRole(members: Members, email: string, role: TeamRole): Members | MemberCode {
  const meant = listMembers(members).filter((one) => one.email === email);
  if (meant.length === 0) return 'member.notThere';
  return withAdmin(
    withComputers(
      members,
      meant.map((one) => ({ ...one, role })),
    ),
  );
}

function endMembership(
  members: Members,
  { number }: NumberedAct,
  ended: readonly TeamComputer[],
): Members | MemberCode {
  const left = withComputers(
    members,
    ended.map((one) => ({ ...one, until: number })),
  );
  return withAdmin({ ...left, isRenewalDue: true });
}

function renewKey(members: Members, act: ActOf<'renewKey'>): Members | MemberCode {
  if (act.generation !== members.generation + 1) return 'generation.wrong';
  const granted = new Set(act.grants.map(({ computer }) => computer));
  const present = listMembers(members);
  if (granted.size !== act.grants.length || granted.size !== present.length) return 'grants.incomplete';
  if (present.some(({ computer }) => !granted.has(computer))) return 'grants.incomplete';
  const recovery = describeRecovery(act.recovery);
  if (isKnown(members, recovery.computer)) return 'member.known';
  const renewed = { ...members, generation: act.generation, isRenewalDue: false };
  const isSame = recovery.computer === members.recovery.computer;
  // Without them a new recovery key could not open what was written before, nor admit a computer to all of it.
  const due = isSame ? 0 : members.generation;
  if ((act.recovery.earlier ?? []).length !== due) return 'grants.incomplete';
  if (isSame) return renewed;
  const formerRecoveries = new Set([...members.formerRecoveries, members.recovery.computer]);
  return { ...renewed, recovery, formerRecoveries };
}

function certify(
  members: Members,
  author: TeamComputer | null,
  certificate: TeamComputer['certificate'],
): Members | MemberCode {
  const body = readTeamCertificate(certificate, members.team, members.service);
  if (author === null || body === null) return 'certificate.invalid';
  const isSame =
    body.signingKey === author.signingKey &&
    body.sealingKey === author.sealingKey &&
    body.email === author.email;
  return isSame ? withComputers(members, [{ ...author, certificate }]) : 'certificate.invalid';
}

/** The members of a team over time. */
export interface MembersHistory {
  /** The members after the entry with this number; null before the first. */
  readonly at: (number: number) => Members | null;
  /** The numbers of entries that have no effect, and why. */
  readonly refused: ReadonlyMap<number, MemberCode>;
}

/** Pure: computes the members over time from the memberships of a team, in the order of their numbers. */
export function foldMembers(entries: readonly NumberedAct[]): MembersHistory {
  const states: { number: number; members: Members }[] = [];
  const refused = new Map<number, MemberCode>();
  for (const entry of entries) {
    const next = applyMembership(states.at(-1)?.members ?? null, entry);
    if (typeof next === 'string') refused.set(entry.number, next);
    else states.push({ number: entry.number, members: next });
  }
  return {
    at: (number) => states.findLast((state) => state.number <= number)?.members ?? null,
    refused,
  };
}
