import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followLeases, nextClaimMs } from '../../src/main/engine/team/follow-leases.ts';
import { approve, listJoins } from '../../src/main/engine/team/join-team.ts';
import { keepLive } from '../../src/main/engine/team/keep-live.ts';
import { createNews } from '../../src/main/engine/team/wait-for-news.ts';
import { createLog } from '../../src/team-server/log.ts';
import { makeSetupCode, startServer } from '../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../src/team-server/store/sqlite-database.ts';
import { type Member, openMember } from '../support/team-member.ts';
import { report, time } from './support/figures.ts';
import { startThreads } from './support/member-threads.ts';

/**
 * A team of two computers and a server on SQLite, all in one process, each computer's files in threads of their own as in the app:
 * how long an act takes to be in a colleague's lists, what a team costs an act here, and a week's backlog each way.
 */
const acts = 60;
const backlog = Number(process.env.CLAIMDESK_BENCH_EVENTS ?? 20_000);
const claimIds = Array.from({ length: 1_000 }, (_none, index) => index + 1);
const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-team-'));
const serverFolder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-server-'));
const clock = { now: () => Date.now() };

const tell = (what: string, figure: number, unit: string, reach: string, how: string): void =>
  report({ what, figure: Math.round(figure * 10) / 10, unit, reach, how });
const share = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const bytesOf = (path: string, part = ''): number =>
  readdirSync(path)
    .filter((name) => name.includes(part))
    .reduce((sum, name) => sum + statSync(join(path, name)).size, 0);

const server = await startServer({
  ...{ database: await openSqliteDatabase(serverFolder), port: 0, tls: null, origin: null },
  ...{ metricsToken: null, log: createLog({ write: () => true }, clock.now) },
  limits: { computer: { capacity: 1e9, perSecond: 1e9 }, leases: { capacity: 1e9, perSecond: 1e9 } },
});
const open = (name: string): Member => openMember(folder, name, clock, { claimIds, onEnd: () => undefined });
const [ana, ben] = [open('ana'), open('ben')];
const endThreads = [await startThreads(ana), await startThreads(ben)];
const act = (member: Member, index: number): Promise<string> =>
  member.act([claimIds[index % claimIds.length] as number], {
    ...{ kind: 'decision', state: 'done', outcome: 'eligible' },
    ...{ onWhom: null, reason: null, reminder: null },
  });
const alone: number[] = [];
for (let index = 0; index < acts; index += 1) alone.push(await time(() => act(ana, index)));

await ana.create(server.origin, await makeSetupCode(server.store, clock.now()));
await ana.exchange();
await ben.join((await ana.invite(ben.email)).invitation);
const session = await ana.sessionOf();
await listJoins(ana.ports, session);
await ben.advanceJoin();
await approve(ana.ports, session, { computer: ben.computer });

let seen: (() => void) | null = null;
const { updateReviews } = ben.ports;
Object.assign(ben.ports, {
  updateReviews: async (id: string) => {
    await updateReviews(id);
    seen?.();
  },
});
await ben.exchange();
let opened: (() => void) | null = null;
const follow = async (member: Member) => {
  const followed = await member.sessionOf();
  const leases = followLeases(followed, {
    ...{ now: clock.now, nextMs: nextClaimMs, isLive: () => true, hasSentAll: async () => true },
    onChanged: () => opened?.(),
    onSending: () => undefined,
  });
  const news = createNews(followed.client, leases.receive);
  return { leases, loop: keepLive(followed, { ...member.ports, sleep: pause }, news) };
};
const [ofAna, ofBen] = [await follow(ana), await follow(ben)];
await pause(500);
let claim = 0;
/** How long until a colleague sees that a claim was opened. */
const measureLeases = async (): Promise<number[]> => {
  const times: number[] = [];
  for (let index = 0; index < acts; index += 1) {
    claim += 1;
    const isSeen = new Promise<void>((resolve) => {
      opened = () => void (ofBen.leases.list([claim]).length > 0 && resolve());
    });
    times.push(
      await time(() => {
        ofAna.leases.show('page', claim);
        return isSeen;
      }),
    );
    opened = null;
    await pause(30);
  }
  return times;
};
const measureLive = async (): Promise<{ own: number[]; other: number[] }> => {
  const [own, other]: [number[], number[]] = [[], []];
  for (let index = 0; index < acts; index += 1) {
    const isSeen = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const began = performance.now();
    await act(ana, index);
    own.push(performance.now() - began);
    ofAna.loop.wake();
    await isSeen;
    other.push(performance.now() - began);
    await pause(30);
  }
  return { own, other };
};
const near = await measureLive();
const how = `${acts} acts; two computers and the server in one process`;
tell('an act until it is in a colleague’s lists, p95', share(near.other, 0.95), 'ms', '≤ 300', how);
tell('the same, median', share(near.other, 0.5), 'ms', '', how);
tell(
  'an act here with a team, more than without, median',
  share(near.own, 0.5) - share(alone, 0.5),
  'ms',
  '≤ 5',
  `medians of ${acts} acts each`,
);
const seenHow = `${acts} claims opened one after the other; two computers and the server in one process`;
tell(
  'a claim opened until a colleague sees it, p95',
  share(await measureLeases(), 0.95),
  'ms',
  '≤ 300',
  seenHow,
);
for (const { network } of [ana, ben]) {
  network.before = () => pause(80);
  network.after = () => pause(80);
  network.chunk = (pass) => void setTimeout(pass, 80);
}
const far = await measureLive();
tell('the same with 80 ms of delay each way, p95', share(far.other, 0.95), 'ms', '≤ 500', how);
const openedFar = share(await measureLeases(), 0.95);
tell('a claim opened until it is seen, 80 ms of delay each way, p95', openedFar, 'ms', '≤ 300', seenHow);
for (const { network } of [ana, ben]) {
  delete network.before;
  delete network.after;
  delete network.chunk;
}
seen = null;
for (const { leases, loop } of [ofAna, ofBen]) {
  await leases.end();
  await loop.end();
}

for (let index = 0; index < backlog; index += 1) await act(ana, index);
const pushMs = await time(() => ana.exchange());
const pullMs = await time(() => ben.exchange());
for (const end of endThreads) await end();
await server.close();
for (const { file } of [ana, ben]) file.close();
const after = { server: bytesOf(serverFolder), computer: bytesOf(folder, 'ben-ours') };
const journal = bytesOf(folder, 'ben-ours.db.journal');
const of = `${backlog.toLocaleString('en-US')} decisions of one claim each, with its values; files in threads of their own`;
tell('a week’s backlog, sent', pushMs / 1_000, 's', '≤ 5', of);
tell('a week’s backlog, read and in lists', pullMs / 1_000, 's', '≤ 5', of);
/** Includes the events from before the backlog. */
const events = backlog + 3 * acts;
tell('on the server’s disk, an event', after.server / events, 'bytes', '', of);
/** The log of a team is part of the user data: an event with its proof, its number and hash, and its kept values. */
const added = `what a colleague’s event of one claim adds to \`ours.db\`; ${of}`;
tell('replica on disk, an event', (after.computer - journal) / events, 'bytes', '≤ 700', added);
tell('its journal beside it, an event', journal / events, 'bytes', '', of);

for (const path of [folder, serverFolder]) rmSync(path, { recursive: true, force: true });
