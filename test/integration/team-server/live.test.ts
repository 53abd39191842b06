import { expect, it } from 'vitest';
import { headSchema } from '../../../src/team-protocol/api.ts';
import { readNumbered } from '../../../src/team-protocol/frame.ts';
import { readEvents } from '../../support/read-events.ts';
import { codeOf } from '../../support/team-client.ts';
import { idOf, makeEvent } from '../../support/team-computer.ts';
import { startTestServer } from '../../support/team-server.ts';

const beat = { event: '', data: '' };

it('sends new entries to every listener, and a heartbeat', async () => {
  const { createTeam, server } = await startTestServer();
  const { team, reviewer, reader, computers } = await createTeam();
  const stream = await reader.call('/live?after=3');
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const next = readEvents(stream);
  expect(await next()).toEqual(beat);
  server.beat();
  expect(await next()).toEqual(beat);
  const event = makeEvent(computers.reviewer, { team, parts: ['a'], sendsParts: false });
  await reviewer.post(event);
  const sent = await next();
  expect(sent?.event).toBe('entries');
  expect(readNumbered(Buffer.from(sent?.data ?? '', 'base64url'))).toMatchObject([
    { number: 4, header: event.header },
  ]);
  // A part that comes later is told by the head.
  await reviewer.putPart(idOf(event), 0, event.sealedParts[0] as Buffer);
  const told = await next();
  expect(told?.event).toBe('head');
  expect(headSchema.parse(JSON.parse(told?.data ?? ''))).toMatchObject({ number: 4, parts: 1 });
});

it('sends the head immediately to a listener that lacks entries, and if there are many new ones', async () => {
  const { createTeam } = await startTestServer();
  const { team, reviewer, reader, computers } = await createTeam();
  const next = readEvents(await reader.call('/live?after=1'));
  expect(headSchema.parse(JSON.parse((await next())?.data ?? '')).number).toBe(3);
  await reviewer.post(...Array.from({ length: 101 }, () => makeEvent(computers.reviewer, { team })));
  const told = await next();
  expect(told?.event).toBe('head');
  expect(headSchema.parse(JSON.parse(told?.data ?? '')).number).toBe(104);
});

it('answers a waiting request when there is something new, or immediately', async () => {
  const { createTeam } = await startTestServer();
  const { team, reviewer, reader, computers } = await createTeam();
  expect((await reader.head('?after=2&wait=25')).number).toBe(3);
  const waiting = reader.head('?after=3&wait=25');
  await reviewer.post(makeEvent(computers.reviewer, { team }));
  expect((await waiting).number).toBe(4);
  expect((await reader.head('?after=4&wait=0')).number).toBe(4);
});

it('ends streams and waiting requests when it closes', async () => {
  const { createTeam, close, origin } = await startTestServer();
  const { reader } = await createTeam();
  const next = readEvents(await reader.call('/live?after=3'));
  expect(await next()).toEqual(beat);
  const waiting = reader.call('/head?after=3&wait=25');
  const readMetrics = async () => (await fetch(`${origin}/metrics`)).text();
  while (!(await readMetrics()).includes('claimdesk_team_listeners 2\n'));
  await close();
  expect(await next()).toBeNull();
  expect(await codeOf(await waiting)).toBe('server.busy');
});
