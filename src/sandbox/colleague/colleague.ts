import { createHmac, randomBytes, randomUUID, sign } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { apiPath, headSchema, joinedSchema, postedSchema } from '../../team-protocol/api.ts';
import { createClaimTags, splitTags, writeTags } from '../../team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../team-protocol/commitment.ts';
import { type EntryHeader, protocolVersion, readHeader, writeHeader } from '../../team-protocol/entry.ts';
import { type NumberedEntry, readNumbered, writeFrame } from '../../team-protocol/frame.ts';
import { openGrant } from '../../team-protocol/grant.ts';
import { invitationTokenOf } from '../../team-protocol/invitation-token.ts';
import { commitToNonce } from '../../team-protocol/join-code.ts';
import { readMembership } from '../../team-protocol/membership.ts';
import { readRemoval, statementSchema, writeRemoval } from '../../team-protocol/removal.ts';
import { generationOf, makeSalt, open, seal } from '../../team-protocol/seal.ts';
import { toSignedBytes } from '../../team-protocol/sign-entry.ts';
import { type Identity, makeIdentity } from './identity.ts';

/** How often the colleague asks for something new, and how many rounds pass between two of its decisions. */
const lookMs = 1_000;
const roundsOfDecision = 15;
/** After this many rounds it decides another member's claim differently, and after twice as many it pays one again. */
const roundsOfTwice = 10;
/** After this many claims it stops deciding and answering. */
const maxDecided = 20;

const decision = {
  kind: 'decision',
  state: 'done',
  outcome: 'eligible',
  onWhom: null,
  reason: null,
  reminder: null,
};

/** A server, a team of it, and the secret of an invitation (`src/main/engine/team/invitation.ts`). */
type InvitedTo = ReturnType<typeof readInvitation>;

export function readInvitation(text: string) {
  const json = Buffer.from(text.replace(/^claimdesk-team-1\./, ''), 'base64url').toString('utf8');
  const [server, team, , secret] = JSON.parse(json) as [string, string, string, string];
  return { server, team, secret };
}

type Fact = Readonly<Record<string, string | number | null>>;

interface Colleague extends InvitedTo {
  readonly identity: Identity;
  /** See `join-code.ts`. */
  readonly nonce: string;
  readonly keys: Map<number, Uint8Array>;
  position: { number: number; hash: string } | null;
  /** The claims that it has not decided yet. */
  left: number[];
  /** The newest decision on one claim, and payment for one, that someone else has made. */
  decided: MadeByOther | null;
  paid: MadeByOther | null;
  /** Removals that were not acknowledged: the keys that they need may come later in the log. */
  unread: [NumberedEntry, EntryHeader][];
}

interface MadeByOther {
  readonly claimId: number;
  readonly fact: Fact;
  /** The position of the log before it: an author who had read only this far has not seen it. */
  readonly before: Colleague['position'];
}

async function call(
  { server, team, identity }: Colleague,
  path: string,
  body?: Uint8Array<ArrayBuffer> | object,
): Promise<Response> {
  const isBytes = body instanceof Uint8Array;
  return fetch(`${server}${apiPath}/${team}${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: isBytes ? body : JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${await identity.makeToken(server)}`,
      'content-type': isBytes ? 'application/octet-stream' : 'application/json',
    },
  });
}

function takeKeys({ team, identity, keys }: Colleague, { header: text, head }: NumberedEntry): void {
  const { computer, certificate, sealing } = identity;
  const header = readHeader(text);
  const act = header === null ? null : readMembership(header, head);
  const grants =
    act?.act === 'admit' && act.certificate.body === certificate.body
      ? act.grants.map((grant, index) => [index + 1, grant] as const)
      : act?.act === 'renewKey'
        ? act.grants.flatMap((memberGrant) =>
            memberGrant.computer === computer ? [[act.generation, memberGrant.grant] as const] : [],
          )
        : [];
  for (const [generation, grant] of grants) {
    const key = openGrant(sealing, { team, generation, computer }, grant);
    if (key !== null) keys.set(generation, key);
  }
}

function read(
  { team, keys }: Colleague,
  id: string,
  sealed: Uint8Array | null | undefined,
  part: number,
  commitment = '',
): unknown {
  const generation = sealed == null ? null : generationOf(sealed);
  const key = keys.get(generation ?? 0);
  if (sealed == null || generation === null || key === undefined) return null;
  const content = open(sealed, { team, entryId: id, part }, { generation, key }, commitment);
  // The head's first line is enough here, and so is the first claim of a part.
  return content === null ? null : JSON.parse(content.text.split('\n')[0] ?? '');
}

/** Returns what another member did to one claim in this entry; null for anything else. */
function findMade(colleague: Colleague, entry: NumberedEntry, header: EntryHeader) {
  if (header.kind !== 'event' || header.computer === colleague.identity.computer) return null;
  const head = read(colleague, header.id, entry.head, headPart, header.head) as { fact: string } | null;
  const isOne = header.parts.length === 1 && header.parts[0]?.[0] === 1;
  const claim = read(colleague, header.id, entry.parts[0], 0, header.parts[0]?.[1]) as [number] | null;
  if (head === null || claim === null || !isOne) return null;
  return { claimId: claim[0], fact: JSON.parse(head.fact) as Fact };
}

/** Stops deciding the claims of a removal. Returns whether the removal could be read. */
function takeRemoval(colleague: Colleague, { parts }: NumberedEntry, header: EntryHeader): boolean {
  const said = statementSchema.safeParse(read(colleague, header.id, parts[0], 0, header.parts[0]?.[1]));
  const firstKey = colleague.keys.get(1);
  if (!said.success || firstKey === undefined) return false;
  const tags = new Set(splitTags(said.data.tags));
  const tagOf = createClaimTags(firstKey, colleague.team);
  const isRemoved = (claimId: number): boolean =>
    said.data.rule.kind === 'everything' || tags.has(tagOf(claimId));
  colleague.left = colleague.left.filter((claimId) => !isRemoved(claimId));
  return true;
}

/** Signs an entry and sends it. Returns whether the server took it. */
async function post(
  colleague: Colleague,
  header: Pick<EntryHeader, 'id' | 'kind' | 'tags' | 'head' | 'parts'> & { seen?: EntryHeader['seen'] },
  sealed: { head: Uint8Array; parts: Uint8Array[] },
): Promise<boolean> {
  const { team, identity, position } = colleague;
  const { seen = position, ...ownHeader } = header;
  const { now } = headSchema.parse(await (await call(colleague, '/head')).json());
  const text = writeHeader({
    protocol: protocolVersion,
    team,
    computer: identity.computer,
    at: now,
    seen,
    ...ownHeader,
  });
  const frame = writeFrame({
    header: text,
    signature: sign(null, toSignedBytes(text), identity.signing),
    ...sealed,
  });
  const reply = await call(colleague, `/entries?read=${position?.number ?? 0}`, new Uint8Array(frame));
  const { results } = postedSchema.parse(await reply.json());
  return results.every((result) => !('error' in result));
}

async function act(
  colleague: Colleague,
  claimId: number,
  fact: Fact,
  seen: EntryHeader['seen'] = colleague.position,
): Promise<boolean> {
  const { team, keys, identity } = colleague;
  const generation = Math.max(...keys.keys());
  const [key, firstKey] = [keys.get(generation), keys.get(1)];
  if (key === undefined || firstKey === undefined) return false;
  const [id, salt] = [randomUUID(), makeSalt()];
  const sealAt = (text: string, part: number) => ({
    sealed: seal({ text, salt }, { team, entryId: id, part }, { generation, key }),
    commitment: commitTo({ text, salt }, part),
  });
  // Every computer writes the fields in the order of their names.
  const author = identity.email;
  const { kind = null } = fact;
  const fields = { author, fact: JSON.stringify(fact), kind, receipt: null, undoes: null };
  const head = sealAt(`${JSON.stringify(fields)}\nnull`, headPart);
  const part = sealAt(JSON.stringify([claimId, null, null, null]), 0);
  const tags = writeTags([claimId], createClaimTags(firstKey, team));
  return post(
    colleague,
    { id, kind: 'event', tags, seen, head: head.commitment, parts: [[1, part.commitment]] },
    { head: head.sealed, parts: [part.sealed] },
  );
}

async function acknowledge(colleague: Colleague, removals: string[]): Promise<void> {
  const { head, commitment } = writeRemoval({ act: 'done', removals });
  const id = randomUUID();
  await post(colleague, { id, kind: 'removal', tags: '', head: commitment, parts: [] }, { head, parts: [] });
}

/** Reads new entries, and answers them if `isAnswered`; false where this is not a member, before or afterwards. */
async function look(colleague: Colleague, isAnswered: boolean): Promise<boolean> {
  const { keys, unread } = colleague;
  const reply = await call(colleague, `/entries?after=${colleague.position?.number ?? 0}`);
  if (!reply.ok) return false;
  for (const entry of readNumbered(new Uint8Array(await reply.arrayBuffer())) ?? []) {
    takeKeys(colleague, entry);
    const before = colleague.position;
    colleague.position = { number: entry.number, hash: entry.hash };
    const header = readHeader(entry.header);
    if (header === null) continue;
    if (readRemoval(header, entry.head)?.act === 'remove') unread.push([entry, header]);
    const made = findMade(colleague, entry, header);
    if (made?.fact.kind === 'payment' && made.fact.amount !== null) colleague.paid = { ...made, before };
    if (made?.fact.kind !== 'decision') continue;
    if (made.fact.state === 'done') colleague.decided = { ...made, before };
    if (isAnswered)
      await act(colleague, made.claimId, { kind: 'note', text: 'I saw this one too, and agree.' });
  }
  const taken = unread.filter((removal) => takeRemoval(colleague, ...removal));
  colleague.unread = unread.filter((removal) => !taken.includes(removal));
  const ids = taken.map(([, { id }]) => id);
  if (ids.length > 0) await acknowledge(colleague, ids);
  return keys.size > 0;
}

async function decideNext(colleague: Colleague): Promise<void> {
  const [claimId] = colleague.left;
  // If the server refuses an act because of a removal that was not read yet, the act is sent again later.
  if (claimId !== undefined && (await act(colleague, claimId, decision))) colleague.left.shift();
}

/** Decides the claim that another member decided last differently, as if it had not read that decision. */
async function decideTwice(colleague: Colleague): Promise<boolean> {
  const { decided } = colleague;
  if (decided === null) return false;
  const outcome = decided.fact.outcome === 'eligible' ? 'notEligible' : 'eligible';
  return act(colleague, decided.claimId, { ...decision, outcome }, decided.before);
}

/** Records again the payment that another member recorded last. */
async function payTwice(colleague: Colleague): Promise<boolean> {
  const { paid } = colleague;
  return paid !== null && act(colleague, paid.claimId, paid.fact, paid.before);
}

/** Asks to join by the invitation; once that was answered, sends the nonce. */
async function join(colleague: Colleague): Promise<void> {
  const { secret, identity, nonce } = colleague;
  const { certificate } = identity;
  const bytes = Buffer.from(secret, 'base64url');
  const proof = createHmac('sha256', bytes).update(certificate.body).digest('base64url');
  const invitation = invitationTokenOf(bytes);
  const request = { invitation, certificate, proof, commitment: commitToNonce(nonce) };
  const reply = await call(colleague, '/joins', { ...request, nonce: null });
  if (!reply.ok) throw new Error('The team server refused the invitation.');
  const { answer } = joinedSchema.parse(await reply.json());
  if (answer !== null) await call(colleague, '/joins', { ...request, nonce });
}

/** Works until it is no longer a member. After its last claim it only keeps reading and acknowledges removals. */
async function work(colleague: Colleague): Promise<void> {
  while (!(await look(colleague, false))) {
    await join(colleague);
    await wait(lookMs);
  }
  colleague.left = colleague.left.slice(0, maxDecided);
  const twice = [decideTwice, payTwice];
  for (let rounds = 0; ; rounds += 1) {
    const isWorking = colleague.left.length > 0;
    if (rounds % roundsOfDecision === 0) await decideNext(colleague);
    const [next] = twice;
    if (next !== undefined && rounds >= roundsOfTwice * (3 - twice.length) && (await next(colleague)))
      twice.shift();
    if (!(await look(colleague, isWorking))) return;
    await wait(lookMs);
  }
}

/**
 * A simulated member of a team: joins by an invitation, then decides these claims one after the other, and answers what
 * others decide with a note. It has no records, so its decisions keep no values of a claim. It decides no claim that was
 * removed for the team, and acknowledges each removal.
 */
export function createColleague(
  invitedTo: InvitedTo,
  claimIds: readonly number[],
  identity: Identity = makeIdentity('colleague@example.com', invitedTo.team, 'sample:'),
) {
  const colleague: Colleague = {
    ...invitedTo,
    nonce: randomBytes(32).toString('base64url'),
    identity,
    keys: new Map(),
    position: null,
    left: [...claimIds],
    decided: null,
    paid: null,
    unread: [],
  };
  return {
    computer: identity.computer,
    join: () => join(colleague),
    look: (isAnswered: boolean) => look(colleague, isAnswered),
    decideNext: () => decideNext(colleague),
    decideTwice: () => decideTwice(colleague),
    payTwice: () => payTwice(colleague),
    work: () => work(colleague),
  };
}
