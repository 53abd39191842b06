import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { readNumbered } from '../../src/team-protocol/frame.ts';
import { openPostgresDatabase } from '../../src/team-server/store/postgres-database.ts';
import { createTeamStore } from '../../src/team-server/store/team-store.ts';
import { serverRole, startPostgres } from '../support/postgres.ts';
import { createTeamClient } from '../support/team-client.ts';
import { idOf, makeComputer, makeEvent } from '../support/team-computer.ts';
import { createTeamOn } from '../support/team-server.ts';
import { startServerUntil } from '../support/team-server-process.ts';
import { report, spread } from './support/figures.ts';

// A hundred computers that listen, and twenty acts a second by them, on PostgreSQL; then fifty, once by event streams and once
// by requests that wait. The server is a process of its own; the computers are this process. CLAIMDESK_BENCH_SECONDS: how long
// (30).
const computers = 100;
const fewer = 50;
const actsPerSecond = 20;
const seconds = Number(process.env.CLAIMDESK_BENCH_SECONDS ?? 30);

const ends: (() => unknown)[] = [];
const postgres = await startPostgres((end) => ends.push(end));
const address = postgres.address(serverRole, await postgres.createDatabase());
const server = await startServerUntil((end) => ends.unshift(end), ['--database', address]);
const store = createTeamStore(await openPostgresDatabase(address));
const { team, admin, computers: made } = await createTeamOn({ store, origin: server.origin }, Date.now);
const crowd = Array.from({ length: computers }, (_none, index) => makeComputer(`p${index}@acme.example`));
for (const one of crowd) await admin.post(made.admit(one, 'reviewer'));
const clients = crowd.map((one) => createTeamClient(server.origin, team, one));
await store.close();

type Crowd = typeof clients;
/** Tells that a computer has an entry, or was only told that there are some. */
type Tell = (entry: Parameters<typeof idOf>[0] | null) => void;

/** Follows by an event stream. */
async function listen(client: Crowd[number], from: number, signal: AbortSignal, tell: Tell): Promise<void> {
  const reply = await client.call(`/live?after=${from}`, { signal });
  let text = '';
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString('utf8');
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      if (event.startsWith('event: head')) tell(null);
      const [, data] = /^event: entries\ndata: (.*)$/.exec(event) ?? [];
      for (const entry of data === undefined ? [] : (readNumbered(Buffer.from(data, 'base64url')) ?? []))
        tell(entry);
    }
  }
}

/** Follows by requests that wait for a new head, after which the entries are requested. */
async function poll(client: Crowd[number], from: number, signal: AbortSignal, tell: Tell): Promise<void> {
  for (let after = from; !signal.aborted; ) {
    await (await client.call(`/head?after=${after}&parts=0&wait=25`, { signal })).arrayBuffer();
    const reply = await client.call(`/entries?after=${after}`, { signal });
    for (const entry of readNumbered(Buffer.from(await reply.arrayBuffer())) ?? []) {
      after = entry.number;
      tell(entry);
    }
  }
}

/** The processor time of a process in milliseconds, its largest memory in MB, and its open connections. */
function readProcess(pid: number): { cpuMs: number; peakMb: number; sockets: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [, peakKb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return '';
    }
  });
  // The fields are user and system time, in hundredths of a second.
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * 10,
    peakMb: Math.round(Number(peakKb) / 1_000),
    sockets: links.filter((link) => link.startsWith('socket:')).length,
  };
}

async function measure(count: number, follow: typeof listen, perSecond: number) {
  /** When each entry was sent, by its ID; how long it took to be at each listener, in milliseconds. */
  const sentAt = new Map<string, number>();
  const [delays, waits]: [number[], number[]] = [[], []];
  let heads = 0;
  const some = clients.slice(0, count);
  const ended = new AbortController();
  const { number } = await admin.head();
  const tell: Tell = (entry) => {
    const now = performance.now();
    if (entry === null) heads += 1;
    else delays.push(now - (sentAt.get(idOf(entry)) ?? now));
  };
  const listening = some.map((client) => follow(client, number, ended.signal, tell).catch(() => undefined));
  await wait(1_000);
  const before = readProcess(server.pid);
  const began = performance.now();
  const sending: Promise<void>[] = [];
  for (let index = 0; index < seconds * perSecond; index += 1) {
    await wait(Math.max(0, began + (index * 1_000) / perSecond - performance.now()));
    const [client, computer] = [some[(index * 37) % count], crowd[(index * 37) % count]];
    if (client === undefined || computer === undefined) continue;
    const event = makeEvent(computer, { team, at: new Date().toISOString(), parts: ['x'.repeat(700)] });
    sentAt.set(idOf(event), performance.now());
    sending.push(
      client.post(event).then(([result]) => {
        if (typeof result !== 'number') throw new Error(result);
        waits.push(performance.now() - (sentAt.get(idOf(event)) ?? 0));
      }),
    );
  }
  await Promise.all(sending);
  const wanted = sentAt.size * count;
  for (const end = performance.now() + 10_000; delays.length < wanted && performance.now() < end; )
    await wait(20);
  const took = performance.now() - began;
  const after = readProcess(server.pid);
  ended.abort();
  await Promise.all(listening);
  if (delays.length + heads < wanted) throw new Error(`${delays.length} of ${wanted} were told`);
  const cores = Math.round(((after.cpuMs - before.cpuMs) / took) * 100) / 100;
  return { told: spread(delays), waits: spread(waits), cores, after };
}

{
  const { told, waits, cores, after } = await measure(computers, listen, actsPerSecond);
  const how = `${computers} event streams, ${actsPerSecond} acts a second for ${seconds} s, PostgreSQL`;
  report({
    ...{ what: 'An act until the server has told each computer', reach: '≤ 500' },
    ...{ ...told, how: `${how}; ${told.how}` },
  });
  report({ what: 'The same until the server answered its author', ...waits });
  report({ what: 'Processor of the server meanwhile', figure: cores, unit: 'cores', reach: '≤ 1', how });
  report({ what: 'Memory of the server', figure: after.peakMb, unit: 'MB', reach: '≤ 300', how: 'its peak' });
}
for (const perSecond of [1, 5])
  for (const [by, follow] of [
    ['event streams', listen],
    ['requests that wait', poll],
  ] as const) {
    const { told, cores, after } = await measure(fewer, follow, perSecond);
    const what = `${fewer} computers by ${by}, ${perSecond} acts a second`;
    report({ what: `${what}: an act until each has it`, ...told });
    const how = `${after.sockets} sockets of the server at the end`;
    report({ what: `${what}: processor of the server`, figure: cores, unit: 'cores', how });
  }
await server.end();
for (const end of ends) await end();
