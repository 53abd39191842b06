import { z } from 'zod';
import {
  type CertificateBody,
  certificateSchema,
  certifiedComputer,
  isCertified,
  readCertificateBody,
  readSshKey,
} from './certificate.ts';
import { computerIdOf, digestSchema, type EntryHeader } from './entry.ts';
import { readOpenHead, writeOpenHead } from './open-head.ts';
import { grantSchema, sealingKeySchema, signingKeySchema } from './public-keys.ts';

export const teamRoles = ['admin', 'reviewer', 'reader'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** The largest number of computers that a team can ever have, former members included. */
const maxComputers = 1_000;
/** The largest number of changes of roles and certificates that one computer can make: others are limited by themselves. */
const maxChanges = 1_000;
/** The largest number of generations of the team key. */
const maxGenerations = 1_000;
/** The largest length of a membership's head in bytes. */
const maxMembershipBytes = 400_000;

/** How long an admin can refuse a computer that the recovery key admitted, before it can act. */
const refusableMs = 86_400_000;

const emailSchema = z.string().regex(/^\P{C}{1,320}$/u);
const generationSchema = z.int().min(1).max(maxGenerations);

/**
 * The recovery key's public halves (32 bytes each: Ed25519, X25519), and the newest team key sealed for it; null where
 * nothing can be sealed for it, so that it has to be replaced.
 */
const recoverySchema = z.strictObject({
  signingKey: signingKeySchema,
  sealingKey: sealingKeySchema,
  grant: grantSchema.nullable(),
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
  z.strictObject({ act: z.literal('role'), email: emailSchema, role: z.enum(teamRoles) }),
  /** One computer, or all computers of a member. */
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
  /**
   * The author, an admin or the holder of the recovery key, confirms that the log up to this entry is used, although it
   * contradicts one that was read before.
   */
  z.strictObject({
    act: z.literal('follow'),
    number: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
    hash: digestSchema,
  }),
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

interface MemberComputer {
  readonly computer: string;
  readonly email: string;
  readonly role: TeamRole;
  readonly certificate: z.infer<typeof certificateSchema>;
  readonly signingKey: string;
  readonly sealingKey: string;
  /** The number of the entry that admitted it, and of the one that ended its membership. */
  readonly from: number;
  readonly until: number | null;
  /** How many changes of roles and certificates it has made. */
  readonly changes: number;
  /** Until then it can do nothing, because the recovery key admitted it while there was an admin; null: at once. */
  readonly waitsUntil: string | null;
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
  readonly computers: ReadonlyMap<string, MemberComputer>;
  /** The recovery key, which may admit computers where a team has lost those of its admins. */
  readonly recovery: {
    readonly computer: string;
    readonly signingKey: string;
    readonly sealingKey: string;
    /** Whether the newest team key is sealed for the recovery key. */
    readonly isSealed: boolean;
  };
  /** Former admins who may have seen the recovery key; while there are any, it has to be replaced. */
  readonly formerAdmins: readonly string[];
  /** The computer IDs of recovery keys that were replaced: none of them may become one again, or a member. */
  readonly formerRecoveries: ReadonlySet<string>;
}

export const memberCodes = [
  'member.unknown',
  'member.waiting',
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
export function findMember(members: Members | null, computer: string): MemberComputer | null {
  const member = members?.computers.get(computer);
  return member === undefined || member.until !== null ? null : member;
}

/**
 * Whether a member can't act yet at a time, because an admin can still refuse its admission.
 * @example isWaiting({ waitsUntil: '2026-11-02' }, '2026-11-01') // true
 */
export const isWaiting = ({ waitsUntil }: Pick<MemberComputer, 'waitsUntil'>, at: string): boolean =>
  waitsUntil !== null && at < waitsUntil;

/** The computers that are members, in the order of their admission. */
export const listMembers = ({ computers }: Members): MemberComputer[] =>
  [...computers.values()].filter(({ until }) => until === null);

/** Returns the certificate's body if it is for this team and service and complete. */
function readTeamCertificate(
  certificate: z.infer<typeof certificateSchema>,
  team: string | null,
  service: string | null,
): CertificateBody | null {
  const body = readCertificateBody(certificate.body);
  if (body === null || body.team === null || body.team !== team) return null;
  return service === null || body.service === service ? body : null;
}

const describeRecovery = ({ signingKey, sealingKey, grant }: z.infer<typeof recoverySchema>) => ({
  computer: computerIdOf(Buffer.from(signingKey, 'base64url')),
  signingKey,
  sealingKey,
  isSealed: grant !== null,
});

export interface NumberedAct {
  readonly number: number;
  readonly header: Pick<EntryHeader, 'team' | 'computer' | 'at'>;
  readonly act: MembershipAct;
}

/**
 * Returns the members after an entry, or why it has no effect. Pure; server and clients use the same rules.
 * SSH signatures of certificates are checked here only where a rule depends on the member's SSH key: each
 * client checks them all, and trusts no computer whose certificate fails.
 */
export function applyMembership(members: Members | null, entry: NumberedAct): Members | MemberCode {
  const { header, act } = entry;
  if (members === null) return act.act === 'create' ? createTeam(entry, act) : 'member.unknown';
  if (act.act === 'create') return 'team.exists';
  if (header.team !== members.team) return 'member.unknown';
  const author = findMember(members, header.computer);
  const isRecovery = header.computer === members.recovery.computer;
  if (author === null && !isRecovery) return 'member.unknown';
  if (author !== null && isWaiting(author, header.at)) return 'member.waiting';
  if (act.act === 'leave')
    return author === null ? 'member.notThere' : endMembership(members, entry, [author]);
  if (act.act === 'certify' || act.act === 'role') {
    if (author !== null && author.changes >= maxChanges) return 'team.full';
    const changed = change(members, author, act);
    const changedAuthor = typeof changed === 'string' ? undefined : changed.computers.get(header.computer);
    return typeof changed === 'string' || changedAuthor === undefined
      ? changed
      : withComputers(changed, [{ ...changedAuthor, changes: changedAuthor.changes + 1 }]);
  }
  const isByKey = act.act === 'admit' || act.act === 'follow';
  if (author === null ? !isByKey : author.role !== 'admin') return 'member.notAdmin';
  switch (act.act) {
    case 'admit':
      return admit(members, entry, act, author === null);
    case 'revoke': {
      const { of } = act;
      const meant = listMembers(members).filter((member) =>
        'email' in of ? member.email === of.email : member.computer === of.computer,
      );
      return meant.length === 0 ? 'member.notThere' : endMembership(members, entry, meant);
    }
    case 'renewKey':
      return renewKey(members, act);
    case 'follow':
      return { ...members };
  }
}

function change(
  members: Members,
  author: MemberComputer | null,
  act: ActOf<'certify' | 'role'>,
): Members | MemberCode {
  if (act.act === 'certify') return certify(members, author, act.certificate);
  return author?.role === 'admin' ? setRole(members, act.email, act.role) : 'member.notAdmin';
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
    formerAdmins: [],
    formerRecoveries: new Set(),
  };
}

const describeComputer = (
  body: CertificateBody,
  certificate: MemberComputer['certificate'],
  role: TeamRole,
  from: number,
): MemberComputer => ({
  computer: certifiedComputer(body),
  email: body.email,
  role,
  certificate,
  signingKey: body.signingKey,
  sealingKey: body.sealingKey,
  from,
  until: null,
  changes: 0,
  waitsUntil: null,
});

const withComputers = (members: Members, changed: readonly MemberComputer[]): Members => ({
  ...members,
  computers: new Map([
    ...members.computers,
    ...changed.map((member): [string, MemberComputer] => [member.computer, member]),
  ]),
});

/** How many people are admins; each can have several computers. */
export const countAdmins = (members: Members | null): number =>
  new Set(members === null ? [] : listAdmins(members)).size;

const listAdmins = (members: Members): string[] =>
  listMembers(members).flatMap(({ role, email }) => (role === 'admin' ? [email] : []));

/**
 * Returns the members after some of them left or got another role, and records former admins, who may have seen the
 * recovery key. A team without an admin is refused, because it could never be changed again.
 */
function withAdmin(before: Members, members: Members): Members | MemberCode {
  const admins = listAdmins(members);
  if (admins.length === 0) return 'member.lastAdmin';
  const former = new Set([...before.formerAdmins, ...listAdmins(before)]);
  return { ...members, formerAdmins: [...former].filter((email) => !admins.includes(email)) };
}

/** Whether an ID belongs to a computer that is or was a member, or to a recovery key that was replaced. */
const isKnown = ({ computers, formerRecoveries }: Members, computer: string): boolean =>
  computers.has(computer) || formerRecoveries.has(computer);

function admit(
  members: Members,
  { number, header }: NumberedAct,
  act: ActOf<'admit'>,
  isByKey: boolean,
): Members | MemberCode {
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
  // If this is the only admin's SSH key, no other admin can be asked. A certificate can name any key, so its signature
  // is checked here, also by the server.
  const isSame = (member: MemberComputer): boolean =>
    member.email === admitted.email && hasSameSshKey(member, admitted) && isCertified(act.certificate);
  const isRefusable =
    isByKey && listMembers(members).some((member) => member.role === 'admin' && !isSame(member));
  const untilMs = Date.parse(header.at) + refusableMs;
  const waitsUntil = isRefusable ? new Date(untilMs).toISOString() : null;
  return withComputers(members, [{ ...admitted, waitsUntil }]);
}

const sshKeyOf = ({ certificate: { signature } }: Pick<MemberComputer, 'certificate'>): string =>
  readSshKey(signature) ?? signature;
type Certified = Pick<MemberComputer, 'certificate'>;
/** Whether certificates name the same SSH key. */
const hasSameSshKey = (first: Certified, second: Certified): boolean => sshKeyOf(first) === sshKeyOf(second);

function setRole(members: Members, email: string, role: TeamRole): Members | MemberCode {
  const meant = listMembers(members).filter((member) => member.email === email);
  if (meant.length === 0) return 'member.notThere';
  const changed = meant.map((member) => ({ ...member, role }));
  return withAdmin(members, withComputers(members, changed));
}

function endMembership(
  members: Members,
  { number }: NumberedAct,
  ended: readonly MemberComputer[],
): Members | MemberCode {
  const left = ended.map((member) => ({ ...member, until: number }));
  return withAdmin(members, { ...withComputers(members, left), isRenewalDue: true });
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
  // A new recovery key needs them to open what was written before, and to admit a computer to all of it.
  const due = isSame ? 0 : members.generation;
  if ((act.recovery.earlier ?? []).length !== due) return 'grants.incomplete';
  if (isSame) return { ...renewed, recovery };
  const formerRecoveries = new Set([...members.formerRecoveries, members.recovery.computer]);
  return { ...renewed, recovery, formerRecoveries, formerAdmins: [] };
}

function certify(
  members: Members,
  author: MemberComputer | null,
  certificate: MemberComputer['certificate'],
): Members | MemberCode {
  const body = readTeamCertificate(certificate, members.team, members.service);
  if (author === null || body === null) return 'certificate.invalid';
  // A new certificate needs another SSH key: otherwise a member could send it without end.
  if (hasSameSshKey({ certificate }, author)) return 'certificate.invalid';
  const isSame =
    body.signingKey === author.signingKey &&
    body.sealingKey === author.sealingKey &&
    body.email === author.email;
  return isSame ? withComputers(members, [{ ...author, certificate }]) : 'certificate.invalid';
}
