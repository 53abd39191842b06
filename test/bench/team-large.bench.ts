import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toHead, toHeader, toPart } from '../../src/main/engine/review/signed-entry.ts';
import { readGroups } from '../../src/main/engine/review/write-entries.ts';
import { followLeases, nextClaimMs } from '../../src/main/engine/team/follow-leases.ts';
import { approve, listJoins } from '../../src/main/engine/team/join-team.ts';
import { keepLive } from '../../src/main/engine/team/keep-live.ts';
import { createNews } from '../../src/main/engine/team/wait-for-news.ts';
import { engineAllocation, engineArguments } from '../../src/main/shells/browser/fork-engine.ts';
import { nextChainHash } from '../../src/team-protocol/chain.ts';
import { writeCheckpoint } from '../../src/team-protocol/checkpoint.ts';
import { createClaimTags, writeTags } from '../../src/team-protocol/claim-tags.ts';
import { commitTo, headPart } from '../../src/team-protocol/commitment.ts';
import { protocolVersion, writeHeader } from '../../src/team-protocol/entry.ts';
import { makeSalt, seal } from '../../src/team-protocol/seal.ts';
import { createLog } from '../../src/team-server/log.ts';
import { makeSetupCode, startServer } from '../../src/team-server/server.ts';
import type { NewEntry } from '../../src/team-server/store/new-entry.ts';
import { openSqliteDatabase } from '../../src/team-server/store/sqlite-database.ts';
import { workspaceId } from '../support/review-computer.ts';
import { decisionOf } from '../support/review-files.ts';
import { testBytes } from '../support/seeds.ts';
import { openMember } from '../support/team-member.ts';
import { report } from './support/figures.ts';
import { startThreads } from './support/member-threads.ts';
import type { FromReader, ToReader } from './support/team-reader.ts';

// One act on very many claims, until a colleague has it, and a year of a department of 20 people, with a computer that joins
// at its end. The colleague's computer is a process of its own, as the app starts one. CLAIMDESK_BENCH_CLAIMS: the claims of
// the act (200,000); the department has five times as many events, each of one claim.
const claims = Number(process.env.CLAIMDESK_BENCH_CLAIMS ?? 200_000);
const events = claims * 5;
const eventsAtOnce = 2_000;
const yearMs = 365 * 86_400_000;

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-team-'));
const serverFolder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-server-'));
const clock = { now: () => Date.now() };
const claimIds = Array.from({ length: claims }, (_none, index) => index + 1);
const server = await startServer({
  ...{ database: await openSqliteDatabase(serverFolder), port: 0, tls: null, origin: null },
  ...{ metricsToken: null, log: createLog({ write: () => true }, clock.now) },
  limits: { computer: { capacity: 1e9, perSecond: 1e9 } },
});
const ana = openMember(folder, 'ana', clock, { claimIds, onEnd: () => undefined });
const { team } = await ana.create(server.origin, await makeSetupCode(server.store, clock.now()));
await ana.exchange();
const session = await ana.sessionOf();
const endThreads = await startThreads(ana);

// In the project, where it finds packages. Bundled as the app is: of sources, each thread has a compiler in memory.
const bundles = fileURLToPath(new URL('../../node_modules/.cache/claimdesk-bench', import.meta.url));
const bundler = fileURLToPath(new URL('../../scripts/bundle-threads.mjs', import.meta.url));
const source = fileURLToPath(new URL('support/team-reader.ts', import.meta.url));
execFileSync(process.execPath, [bundler, bundles, source]);
const program = join(bundles, 'team-reader.js');
type Told<Kind extends FromReader['kind']> = Extract<FromReader, { kind: Kind }>;

/** Starts a colleague's computer, which becomes a member. */
async function startReader(name: string) {
  const child: ChildProcess = fork(program, [folder, name, String(claims)], {
    execArgv: [...process.execArgv, ...engineArguments],
    env: { ...process.env, ...engineAllocation },
  });
  const told: FromReader[] = [];
  let wake = (): void => undefined;
  child.on('message', (message) => {
    told.push(message as FromReader);
    wake();
  });
  child.once('exit', (code) => {
    if (code !== 0) process.exit(1);
  });
  const next = async <Kind extends FromReader['kind']>(kind: Kind): Promise<Told<Kind>> => {
    for (;;) {
      const found = told.find((one) => one.kind === kind);
      if (found !== undefined) return found as Told<Kind>;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const send = (message: ToReader): void => void child.send(message);
  send({ kind: 'join', invitation: (await ana.invite(`${name}@example.com`)).invitation });
  const { computer } = await next('asked');
  await listJoins(ana.ports, session);
  send({ kind: 'advance' });
  await next('advanced');
  await approve(ana.ports, session, { computer });
  return { next, send, end: () => child.disconnect() };
}

const decision = decisionOf('eligible');
const people = [ana];

/** The others of the department become members. */
async function openDepartment(): Promise<void> {
  for (let person = 2; person <= 20; person += 1) {
    const member = openMember(folder, `person${person}`, clock, { claimIds: [], onEnd: () => undefined });
    await member.join((await ana.invite(member.email)).invitation);
    await listJoins(ana.ports, session);
    await member.advanceJoin();
    await approve(ana.ports, session, { computer: member.computer });
    people.push(member);
  }
}

/** Returns a claim's act at each step of its year; a colleague replaces one of each ten decisions. */
function factOf(claimId: number, step: number) {
  if (step === 0)
    return { ...decision, state: 'waiting', outcome: null, onWhom: 'Carrier', reason: 'No EOB.' };
  if (step === 1 && claimId % 4 === 0)
    return { kind: 'note', text: `The carrier sends the EOB of ${claimId}.` };
  if (step === 4 && claimId % 2 === 0)
    return { kind: 'payment', payment: 'reimbursed', amount: 500_000, day: '2026-11-20', account: '' };
  return decision;
}
const personOf = (claimId: number, step: number) =>
  people[(claimId + (step === 3 && claimId % 10 === 0 ? 1 : 0)) % people.length] as typeof ana;
const count = claims.toLocaleString('en-US');
const seconds = (ms: number): number => Math.round(ms / 100) / 10;

/** One act, from the moment that it is done on this computer. */
async function measureAct(): Promise<void> {
  const ben = await startReader('ben');
  ben.send({ kind: 'read', number: 0 });
  await ben.next('ready');
  const leases = followLeases(session, {
    ...{ now: clock.now, nextMs: nextClaimMs, isLive: () => true, hasSentAll: async () => true },
    ...{ onChanged: () => undefined, onSending: () => undefined },
  });
  ana.followed.reportSending = leases.reportSending;
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const loop = keepLive(session, { ...ana.ports, sleep }, createNews(session.client, leases.receive));
  // Both tell each other of themselves.
  await sleep(2_000);
  const began = performance.now();
  await ana.act(claimIds, decision);
  const actMs = performance.now() - began;
  const doneAt = Date.now();
  loop.wake();
  const { namedAt, listedAt, reviews } = await ben.next('read');
  if (reviews !== claims) throw new Error(`${reviews} reviews`);
  await leases.end();
  await loop.end();
  ben.end();
  const how = `one act on ${count} claims; a colleague’s computer is another process`;
  const row = { unit: 's', how };
  report({ ...row, what: 'An act on many claims, here', figure: seconds(actMs) });
  const named = { what: 'The same until a colleague knows of it', reach: '≤ 1' };
  report({ ...row, ...named, figure: seconds(namedAt - doneAt) });
  const listed = { what: 'The same until it is in a colleague’s lists', reach: '≤ 20' };
  report({ ...row, ...listed, figure: seconds(listedAt - doneAt) });
}

/** Puts events into the server's store as if they had been sent over a year. */
async function addEvents(): Promise<void> {
  await ana.act([1], decision);
  const unsent = await readGroups(ana.userData, workspaceId, { isUnsent: true }).next();
  const event = unsent.done === true ? undefined : unsent.value[0]?.event;
  const [[, , , detail = null] = []] = event?.claims ?? [];
  const key = session.log.state.members.keys.get(1);
  if (event === undefined || key === undefined) throw new Error('There is nothing to add.');
  const teamKey = { generation: 1, key };
  const tagOf = createClaimTags(key, team);
  const began = Date.now() - yearMs;
  for (let at = 0; at < events; at += eventsAtOnce) {
    const ids = Array.from(
      { length: Math.min(eventsAtOnce, events - at) },
      (_none, index) => ((at + index) % claims) + 1,
    );
    const step = Math.floor(at / claims);
    const read = await ana.store.read('readReviewedClaims', { claimIds: ids });
    const made = read.map(({ claimId, reviewed, digest }, index) => {
      const { computer, email: author } = personOf(claimId, step);
      const fact = factOf(claimId, step);
      const head = toHead({ ...event, author, kind: fact.kind, fact: JSON.stringify(fact) });
      const salt = makeSalt();
      // The ID has the form of a user's event.
      const hex = testBytes(16, at + index + 1).toString('hex');
      const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      const text = toPart([[claimId, reviewed, digest, detail]]);
      const header = toHeader(
        { id },
        {
          computer,
          team,
          at: new Date(began + ((at + index) / events) * yearMs).toISOString(),
          seen: null,
          tags: '',
        },
        {
          tags: writeTags([claimId], tagOf),
          head: commitTo({ text: head, salt }, headPart),
          parts: [[1, commitTo({ text, salt }, 0)]],
        },
      );
      const sealAt = (content: string, part: number) =>
        seal({ text: content, salt }, { team, entryId: id, part }, teamKey);
      return { claimId, id, header, head: sealAt(head, headPart), parts: [sealAt(text, 0)] };
    });
    const signatures = await Promise.all(
      made.map(async ({ claimId, header }) => {
        const { main } = personOf(claimId, step).ports;
        return (await main.signHeaders({ workspaceId, headers: [header] }))[0] ?? '';
      }),
    );
    // The computers take turns, as each may add a limited number of entries a day.
    const by = { computer: personOf(at / eventsAtOnce, 0).computer, now: clock.now() };
    await server.store.append(team, [], by, async ({ head: before }) => {
      let { number, hash } = before;
      return made.map(({ claimId: _claimId, ...one }, index): NewEntry => {
        const signature = Buffer.from(signatures[index] ?? '', 'base64url');
        number += 1;
        hash = nextChainHash(hash, number, { header: one.header, signature });
        return { ...one, kind: 'event', signature, number, hash };
      });
    });
  }
}

/** Ana reads the log, and makes a checkpoint, which a second computer says is right. */
async function makeCheckpoint(): Promise<void> {
  const dan = people[1] as typeof ana;
  const began = performance.now();
  await session.exchange();
  const read = performance.now();
  await session.tendCheckpoints(1);
  const how = `a year of 20 people: ${events.toLocaleString('en-US')} events on ${count} claims`;
  const row = { unit: 's', how };
  report({ ...row, what: 'Reading a team’s log without a checkpoint', figure: seconds(read - began) });
  report({ ...row, what: 'Making a checkpoint', figure: seconds(performance.now() - read) });
  report({ ...row, what: 'A computer’s file of reviews', unit: 'MB', figure: fileMb(ana) });
  await session.exchange();
  const [made] = session.log.state.checkpoints;
  if (made === undefined) throw new Error('There is no checkpoint.');
  const { head, commitment } = writeCheckpoint({ act: 'judge', checkpoint: made.id, isRight: true });
  const { number, hash } = session.log.state.position;
  const header = writeHeader({
    ...{ protocol: protocolVersion, team, id: 'judged', kind: 'checkpoint', computer: dan.computer },
    ...{ at: new Date().toISOString(), seen: { number, hash }, tags: '', head: commitment, parts: [] },
  });
  const [signature = ''] = await dan.ports.main.signHeaders({ workspaceId, headers: [header] });
  const { client } = await dan.sessionOf();
  await client.post([{ header, signature: Buffer.from(signature, 'base64url'), head, parts: [] }], number);
}

/** The size of a computer's file of what people wrote. */
const fileMb = ({ path, file }: Pick<typeof ana, 'path' | 'file'>): number => {
  file.database.pragma('wal_checkpoint(TRUNCATE)');
  return Math.round(statSync(path).size / 1_000_000);
};

async function measureFirstPull(): Promise<void> {
  const cleo = await startReader('cleo');
  await openDepartment();
  await addEvents();
  await makeCheckpoint();
  const number = (await session.client.head()).number;
  const began = Date.now();
  cleo.send({ kind: 'read', number });
  const { listedAt, peakMb, cpuSeconds, reviews } = await cleo.next('read');
  if (reviews !== claims) throw new Error(`${reviews} reviews`);
  cleo.end();
  const how = `a year of 20 people: ${events.toLocaleString('en-US')} events on ${count} claims; the computer is a process of its own`;
  const pull = { what: 'A new computer of a team, until lists are right', unit: 's', reach: '≤ 30', how };
  report({ ...pull, figure: seconds(listedAt - began) });
  const cpu = { what: 'Processor time of that process', unit: 's', how: 'user and system, all threads' };
  report({ ...cpu, figure: Math.round(cpuSeconds * 10) / 10 });
  report({ what: 'Memory of that process', figure: peakMb, unit: 'MB', reach: '≤ 450', how: 'its peak' });
}

/** A member's removal by an admin's computer that knows their claims: only entries with their tags are read. */
async function measureRemoval(): Promise<void> {
  const { number } = await session.client.head();
  const began = performance.now();
  await session.removeForTeam({
    ...{ rule: { kind: 'member', memberId: 1 }, reason: 'They left.' },
    ...{ claimIds: claimIds.slice(0, 5), areAll: true },
  });
  const how = `the member has 5 of ${count} claims in a log of ${number.toLocaleString('en-US')} entries`;
  const removal = { what: 'Removal of a member, until it is sent', unit: 's', reach: '≤ 10', how };
  report({ ...removal, figure: seconds(performance.now() - began) });
}

if (process.env.CLAIMDESK_BENCH_ACT !== '0') await measureAct();
await measureFirstPull();
await measureRemoval();
await server.close();
await endThreads();
for (const { file } of people) file.close();
for (const path of [folder, serverFolder]) rmSync(path, { recursive: true, force: true });
