import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toHead, toHeader, toPart } from '../../src/main/engine/review/signed-entry.ts';
import { readGroups } from '../../src/main/engine/review/write-entries.ts';
import { approve, listJoins } from '../../src/main/engine/team/change-members.ts';
import { followLeases, nextClaimMs } from '../../src/main/engine/team/follow-leases.ts';
import { createNews } from '../../src/main/engine/team/hear-news.ts';
import { keepLive } from '../../src/main/engine/team/team-session.ts';
import { engineAllocation } from '../../src/main/shells/browser/fork-engine.ts';
import { nextChainHash } from '../../src/team-protocol/chain.ts';
import { commitTo, headPart, makeSalt, seal } from '../../src/team-protocol/seal.ts';
import { createLog } from '../../src/team-server/log.ts';
import { makeSetupCode, startServer } from '../../src/team-server/server.ts';
import type { NewEntry } from '../../src/team-server/store/entry-store.ts';
import { openSqliteDatabase } from '../../src/team-server/store/sqlite-database.ts';
import { workspaceId } from '../support/review-computer.ts';
import { decisionOf } from '../support/review-files.ts';
import { testBytes } from '../support/seeds.ts';
import { openMember } from '../support/team-member.ts';
import { report } from './support/figures.ts';
import { startThreads } from './support/member-threads.ts';
import type { FromReader, ToReader } from './support/team-reader.ts';

// One act on very many claims, until a colleague has it, and the first pull of a team that has worked for years. The
// colleague's computer is a process of its own, as the app starts one. CLAIMDESK_BENCH_CLAIMS: the claims of
// the act (200,000); the team has five times as many events, each of one claim.
const claims = Number(process.env.CLAIMDESK_BENCH_CLAIMS ?? 200_000);
const events = claims * 5;
const eventsAtOnce = 2_000;

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

const program = fileURLToPath(new URL('support/team-reader.ts', import.meta.url));
type Told<Kind extends FromReader['kind']> = Extract<FromReader, { kind: Kind }>;

/** Starts a colleague's computer, which becomes a member. */
async function startReader(name: string) {
  const child: ChildProcess = fork(program, [folder, name, String(claims)], {
    execArgv: [...process.execArgv],
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
  send({ kind: 'join', invitation: (await ana.invite()).invitation });
  const { computer } = await next('asked');
  await listJoins(ana.ports, session);
  await approve(ana.ports, session, { computer, role: 'reviewer' });
  return { next, send, end: () => child.disconnect() };
}

const decision = decisionOf('eligible');
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
  ana.followed.tellSending = leases.tellSending;
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const loop = keepLive(session, { ...ana.ports, sleep }, createNews(session.client, leases.hear));
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

/** Puts events into the server's store as if they had been sent over years. */
async function addEvents(): Promise<void> {
  await ana.act([1], decision);
  const unsent = await readGroups(ana.userData, workspaceId, { isUnsent: true }).next();
  const event = unsent.done === true ? undefined : unsent.value[0]?.event;
  const [[, , , detail = null] = []] = event?.claims ?? [];
  const key = session.log.state.members.keys.get(1);
  if (event === undefined || key === undefined) throw new Error('There is nothing to add.');
  const teamKey = { generation: 1, key };
  const began = Date.now() - events;
  const head = toHead(event);
  for (let at = 0; at < events; at += eventsAtOnce) {
    const ids = Array.from(
      { length: Math.min(eventsAtOnce, events - at) },
      (_none, index) => ((at + index) % claims) + 1,
    );
    const read = await ana.store.read('readReviewedClaims', { claimIds: ids });
    const made = read.map(({ claimId, reviewed, digest }, index) => {
      const salt = makeSalt();
      // As long as the ID of a person's event.
      const id = testBytes(18, at + index + 1).toString('hex');
      const text = toPart([[claimId, reviewed, digest, detail]]);
      const header = toHeader(
        { id },
        { computer: ana.computer, team, at: new Date(began + at + index).toISOString(), seen: null },
        commitTo({ text: head, salt }, headPart),
        [[1, commitTo({ text, salt }, 0)]],
      );
      const sealAt = (content: string, part: number) =>
        seal({ text: content, salt }, { team, entryId: id, part }, teamKey);
      return { id, header, head: sealAt(head, headPart), parts: [sealAt(text, 0)] };
    });
    const signatures = await ana.ports.host.signHeaders({
      workspaceId,
      headers: made.map(({ header }) => header),
    });
    await server.store.append(team, [], Number.MAX_SAFE_INTEGER, ({ head: before }) => {
      let { number, hash } = before;
      return made.map((one, index): NewEntry => {
        const signature = Buffer.from(signatures[index] ?? '', 'base64url');
        number += 1;
        hash = nextChainHash(hash, number, { header: one.header, signature });
        return { ...one, kind: 'event', signature, number, hash };
      });
    });
  }
}

async function measureFirstPull(): Promise<void> {
  const cleo = await startReader('cleo');
  await addEvents();
  const number = (await session.client.head()).number;
  const began = Date.now();
  cleo.send({ kind: 'read', number });
  const { listedAt, peakMb, reviews } = await cleo.next('read');
  if (reviews !== claims) throw new Error(`${reviews} reviews`);
  cleo.end();
  const how = `${events.toLocaleString('en-US')} events on ${count} claims; the computer is a process of its own`;
  const pull = { what: 'First pull of a team’s log, until lists are right', unit: 's', reach: '≤ 90', how };
  report({ ...pull, figure: seconds(listedAt - began) });
  report({ what: 'Memory of that process', figure: peakMb, unit: 'MB', reach: '≤ 650', how: 'its peak' });
}

await measureAct();
await measureFirstPull();
await server.close();
await endThreads();
ana.file.close();
for (const path of [folder, serverFolder]) rmSync(path, { recursive: true, force: true });
