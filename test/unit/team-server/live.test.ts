import type { ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createLive, openEventStream } from '../../../src/team-server/live.ts';
import type { TeamHead } from '../../../src/team-server/store/new-entry.ts';

const openStream = () => {
  const response = new PassThrough();
  const errors: unknown[] = [];
  response.on('error', (error) => errors.push(error));
  const stream = openEventStream(
    Object.assign(response, { writeHead: () => response }) as unknown as ServerResponse,
  );
  return { response, stream, errors };
};

it('writes nothing to a stream that was ended and is still being read', async () => {
  const { response, stream, errors } = openStream();
  stream.send('head', '{}');
  response.end();
  stream.beat();
  await new Promise(setImmediate);
  expect(errors).toEqual([]);
  expect(String(response.read())).toBe('event: head\ndata: {}\n\n');
});

it('closes a stream whose reader reads nothing', () => {
  const { response, stream } = openStream();
  for (let count = 0; count < 30 && !response.destroyed; count += 1)
    stream.send('entries', 'x'.repeat(100_000));
  expect(response.destroyed).toBe(true);
});

const headAt = (number: number, membership = 1): TeamHead => ({
  number,
  hash: `${number}`,
  membership,
  membershipHash: `${membership}`,
  removal: 0,
  parts: 0,
});
const members = { computers: new Map([['ada', { until: null }]]), recovery: { computer: 'recovery' } };

/** Live with a head that the test sets, and what each listener heard. */
function startLive() {
  const state = { head: headAt(1), fails: false, isMissing: false, leases: [] as string[] };
  const readState = async () => {
    if (state.fails) throw new Error('no answer');
    if (state.isMissing) return null;
    return { head: state.head, members: members as never };
  };
  const live = createLive({ readEntries: async () => [] }, readState, async () => ({
    version: state.leases.join(),
    leases: state.leases.map((tag) => ({ tag, computer: 'ada' })),
  }));
  const heard: string[] = [];
  const listen = (computer: string, head: TeamHead) =>
    live.listen('team', head, {
      computer,
      onHead: ({ number }) => void heard.push(`${computer} ${number}`),
      onLeases: ({ leases }) => void heard.push(`${computer} leases ${leases.map(({ tag }) => tag)}`),
      ended: () => void heard.push(`${computer} ended`),
    });
  return { state, live, heard, listen };
}

it('notifies a listener of what changed between its question and its listening', async () => {
  const { state, live, heard, listen } = startLive();
  listen('ada', headAt(1));
  state.head = headAt(2);
  await live.look('team');
  expect(heard).toEqual(['ada 2']);
  // It read the head before it changed.
  listen('ada', headAt(1));
  await live.look('team');
  expect(heard.filter((one) => one === 'ada 2').length).toBeGreaterThanOrEqual(2);
});

it('ends listeners who are no longer members, and sends them nothing', async () => {
  const { state, live, heard, listen } = startLive();
  listen('ben', headAt(1));
  listen('ada', headAt(1));
  state.head = headAt(2, 2);
  await live.look('team');
  expect(heard).toEqual(['ben ended', 'ada 2']);
  expect(live.countListeners()).toBe(1);
});

it('checks again after a database that did not answer, and not for teams without listeners', async () => {
  const { state, live, heard, listen } = startLive();
  const stop = listen('ada', headAt(1));
  state.head = headAt(2);
  state.fails = true;
  await live.lookAtAll();
  state.fails = false;
  await live.lookAtAll();
  expect(heard).toEqual(['ada 2']);
  stop();
  state.head = headAt(3);
  await live.lookAtAll();
  expect(heard).toEqual(['ada 2']);
});

it('sends who has which claim open at first, if anyone has, and when that changes', async () => {
  const { state, live, heard, listen } = startLive();
  listen('ada', headAt(1));
  await live.look('team');
  expect(heard).toEqual([]);
  state.leases = ['a'];
  await live.look('team');
  await live.look('team');
  expect(heard).toEqual(['ada leases a']);
  listen('ada', headAt(1));
  await Promise.resolve();
  expect(heard).toEqual(['ada leases a', 'ada leases a']);
  state.leases = [];
  await live.lookAtAll();
  expect(heard.slice(2)).toEqual(['ada leases ', 'ada leases ']);
});

it('sends each listener entries from the head that it knows, which no other listener moves', async () => {
  const { state, live, heard, listen } = startLive();
  listen('ada', headAt(1));
  state.head = headAt(3);
  await live.look('team');
  // Its question was answered long ago, or by a standby that lost entries.
  listen('ada', headAt(2));
  await live.look('team');
  expect(heard).toEqual(['ada 3', 'ada 3']);
  await live.look('team');
  expect(heard).toHaveLength(2);
});

it('ends a listener whose membership ended before it listened, and all of a team that no longer exists', async () => {
  const { state, live, heard, listen } = startLive();
  state.head = headAt(2, 2);
  listen('ada', headAt(2, 2));
  await live.look('team');
  listen('ben', headAt(2, 2));
  await live.look('team');
  expect(heard).toEqual(['ben ended']);
  state.isMissing = true;
  await live.lookAtAll();
  expect(heard).toEqual(['ben ended', 'ada ended']);
});
