import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { SignJWT } from 'jose';
import { writeCertificateBody } from '../../src/team-protocol/certificate.ts';
import { commitTo, headPart } from '../../src/team-protocol/commitment.ts';
import {
  computerIdOf,
  type Entry,
  type EntryHeader,
  readHeader,
  writeHeader,
} from '../../src/team-protocol/entry.ts';
import { type MembershipAct, writeMembership } from '../../src/team-protocol/membership.ts';
import { writeOpenHead } from '../../src/team-protocol/open-head.ts';
import type { RemovalAct } from '../../src/team-protocol/removal.ts';
import { makeSalt, seal } from '../../src/team-protocol/seal.ts';
import { toSignedBytes } from '../../src/team-protocol/sign-entry.ts';
import { testBytes } from './seeds.ts';

/** A computer of a team, with keys of its own. */
export interface TestComputer {
  readonly id: string;
  readonly email: string;
  readonly privateKey: KeyObject;
  readonly signingKey: string;
  readonly sealingKey: string;
}

/** The bytes before the 32 bytes of an Ed25519 key in PKCS#8. */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

let drawn = 0;
/** Other bytes at each call, the same in each run. */
export function nextBytes(length: number): Buffer {
  drawn += 1;
  return testBytes(length, drawn);
}

export const testService = 'https://claims.example';

export function makeComputer(email = 'ada@acme.example'): TestComputer {
  const key = Buffer.concat([ed25519Prefix, nextBytes(32)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const signingKey = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
  const id = computerIdOf(Buffer.from(signingKey, 'base64url'));
  return { id, email, privateKey, signingKey, sealingKey: nextBytes(32).toString('base64url') };
}

export const makeTeamId = (): string => nextBytes(16).toString('base64url');
export const testGrant = 'g'.repeat(107);

/** Returns a certificate without a real SSH signature: the server does not check it. */
export const certificateOf = (
  computer: TestComputer,
  team: string,
  service = testService,
): { body: string; signature: string } => ({
  body: writeCertificateBody({
    ...{ protocol: 2, team, service, email: computer.email },
    ...{ signingKey: computer.signingKey, sealingKey: computer.sealingKey },
  }),
  signature: 'none',
});

export const recoveryOf = ({ signingKey, sealingKey }: TestComputer) => ({
  signingKey,
  sealingKey,
  grant: testGrant,
});

interface EntryOptions {
  readonly team: string;
  readonly id?: string;
  readonly at?: string;
  readonly seen?: EntryHeader['seen'];
  readonly tags?: EntryHeader['tags'];
}

const atTest = '2026-11-20T10:00:00.000Z';

export function signEntry(
  header: EntryHeader,
  { privateKey }: TestComputer,
  rest: Pick<Entry, 'head' | 'parts'>,
): Entry {
  const text = writeHeader(header);
  return { header: text, signature: sign(null, toSignedBytes(text), privateKey), ...rest };
}

const headerOf = (
  computer: TestComputer,
  { team, id = nextBytes(16).toString('hex'), at = atTest, seen = null, tags = '' }: EntryOptions,
): Omit<EntryHeader, 'kind' | 'head' | 'parts'> => ({
  protocol: 2,
  team,
  id,
  computer: computer.id,
  at,
  seen,
  tags,
});

/** The functions, by entry, that sign it again for an author who had seen this of the log. */
const placed = new WeakMap<Entry, (seen: EntryHeader['seen']) => Entry>();
/** The entry as its author signs it after they read the log up to there; the same for one that does not depend on it. */
export const placeEntry = (entry: Entry, seen: EntryHeader['seen']): Entry =>
  placed.get(entry)?.(seen) ?? entry;
export const isPlaced = (entry: Entry): boolean => !placed.has(entry);

function signPlaced(computer: TestComputer, header: EntryHeader, rest: Pick<Entry, 'head' | 'parts'>): Entry {
  const entry = signEntry(header, computer, rest);
  if (header.seen === null) placed.set(entry, (seen) => signEntry({ ...header, seen }, computer, rest));
  return entry;
}

export function makeMembership(computer: TestComputer, act: MembershipAct, options: EntryOptions): Entry {
  const { head, commitment } = writeMembership(act);
  const header = { ...headerOf(computer, options), kind: 'membership' as const, head: commitment, parts: [] };
  return act.act === 'create'
    ? signEntry(header, computer, { head, parts: [] })
    : signPlaced(computer, header, { head, parts: [] });
}

/** An event with sealed parts of these texts; `sendsParts: false` leaves them out. */
export function makeEvent(
  computer: TestComputer,
  options: EntryOptions & {
    readonly text?: string;
    readonly parts?: readonly string[];
    readonly sendsParts?: boolean;
    readonly generation?: number;
  },
): Entry & { readonly sealedParts: readonly Buffer[] } {
  const { text = '{"kind":"note"}', parts = [], sendsParts = true, generation = 1 } = options;
  const base = headerOf(computer, options);
  const key = { generation, key: createHash('sha256').update(`${generation}`).digest() };
  const salt = makeSalt();
  const sealAt = (one: string, part: number) => {
    const content = { text: one, salt };
    return {
      sealed: seal(content, { team: options.team, entryId: base.id, part }, key),
      commitment: commitTo(content, part),
    };
  };
  const head = sealAt(text, headPart);
  const sealed = parts.map(sealAt);
  const header: EntryHeader = {
    ...base,
    kind: 'event',
    head: head.commitment,
    parts: sealed.map(({ commitment }) => [1, commitment]),
  };
  const sealedParts = sealed.map((one) => one.sealed);
  const entry = signEntry(header, computer, {
    head: head.sealed,
    parts: sendsParts ? sealedParts : sealedParts.map(() => null),
  });
  return { ...entry, sealedParts };
}

/** A removal of entries with a sealed statement and these parts, or an acknowledgement. */
export function makeRemoval(
  computer: TestComputer,
  act: RemovalAct,
  options: EntryOptions & { readonly parts?: readonly string[]; readonly generation?: number },
): Entry {
  const { head, commitment } = writeOpenHead(JSON.stringify(act));
  const texts = act.act === 'remove' ? ['{"removal":"statement"}', ...(options.parts ?? [])] : [];
  const { header, parts } = makeEvent(computer, { ...options, parts: texts });
  const changed = { ...(readHeader(header) as EntryHeader), kind: 'removal' as const, head: commitment };
  return act.act === 'done'
    ? signEntry(changed, computer, { head, parts })
    : signPlaced(computer, changed, { head, parts });
}

export const idOf = (entry: Pick<Entry, 'header'>): string => readHeader(entry.header)?.id ?? '';

/** The token of a computer for a server, at a time in milliseconds. */
export function makeToken(
  { id, privateKey }: Pick<TestComputer, 'id' | 'privateKey'>,
  options: { audience: string; nowMs: number; seconds?: number },
): Promise<string> {
  const issued = Math.floor(options.nowMs / 1_000);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(id)
    .setAudience(options.audience)
    .setIssuedAt(issued)
    .setExpirationTime(issued + (options.seconds ?? 300))
    .sign(privateKey);
}

/** The memberships of a team of an admin, a reviewer and a reader, with its recovery key. */
export function makeTestTeam() {
  const team = makeTeamId();
  const [admin, reviewer, reader] = ['ada@acme.example', 'ben@acme.example', 'cleo@acme.example'].map(
    makeComputer,
  ) as [TestComputer, TestComputer, TestComputer];
  const recovery = makeComputer('recovery');
  const create = makeMembership(
    admin,
    {
      act: 'create',
      certificate: certificateOf(admin, team),
      grant: testGrant,
      recovery: recoveryOf(recovery),
    },
    { team },
  );
  const admit = (
    computer: TestComputer,
    role: 'admin' | 'reviewer' | 'reader',
    generations = 1,
    by = admin,
  ): Entry =>
    makeMembership(
      by,
      {
        ...{ act: 'admit', certificate: certificateOf(computer, team), role },
        grants: Array.from({ length: generations }, () => testGrant),
      },
      { team },
    );
  const renew = (generation: number, computers: readonly TestComputer[], by = admin): Entry =>
    makeMembership(
      by,
      {
        ...{ act: 'renewKey', generation, recovery: recoveryOf(recovery) },
        grants: computers.map(({ id }) => ({ computer: id, grant: testGrant })),
      },
      { team },
    );
  const revoke = ({ id }: TestComputer): Entry =>
    makeMembership(admin, { act: 'revoke', of: { computer: id } }, { team });
  return { team, admin, reviewer, reader, recovery, create, admit, renew, revoke };
}
