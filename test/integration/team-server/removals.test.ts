import { expect, it } from 'vitest';
import { postedSchema } from '../../../src/team-protocol/api.ts';
import { type EntryHeader, readHeader } from '../../../src/team-protocol/entry.ts';
import { writeFrame } from '../../../src/team-protocol/frame.ts';
import { openPostgresDatabase } from '../../../src/team-server/store/postgres-database.ts';
import { serverRole, startPostgres } from '../../support/postgres.ts';
import { codeOf } from '../../support/team-client.ts';
import { idOf, makeEvent, makeRemoval, signEntry } from '../../support/team-computer.ts';
import { startTestServer } from '../../support/team-server.ts';

const postgres = await startPostgres();

it('takes a removal by an admin alone, and an acknowledgement by every member', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reviewer, reader, computers } = await createTeam();
  const event = makeEvent(computers.reviewer, { team, parts: ['a'] });
  await reviewer.post(event);
  const act = { act: 'remove' as const, entries: [idOf(event)] };
  for (const by of [computers.reviewer, computers.reader])
    expect(await reviewer.post(makeRemoval(by, act, { team }))).toEqual(['member.notAdmin']);
  expect(await admin.post(makeRemoval(computers.recovery, act, { team }))).toEqual(['member.unknown']);
  const removal = makeRemoval(computers.admin, act, { team });
  // By another signature, of another list, without a statement, for another key.
  const header = readHeader(removal.header) as EntryHeader;
  const { head, parts } = removal;
  const forged = signEntry(header, computers.reader, { head, parts });
  const other = makeRemoval(computers.admin, { act: 'remove', entries: ['other'] }, { team });
  const bare = signEntry({ ...header, parts: [] }, computers.admin, { head, parts: [] });
  expect(await admin.post(forged, { ...removal, head: other.head }, bare)).toEqual([
    'entry.signatureInvalid',
    'entry.headInvalid',
    'entry.headInvalid',
  ]);
  expect(await admin.post(makeRemoval(computers.admin, act, { team, generation: 2 }))).toEqual([
    'generation.unknown',
  ]);
  expect((await reader.pull(3))[0]?.head.length).toBeGreaterThan(0);
  expect(await admin.post(removal)).toEqual([5]);
  // Sent again, as where the answer was lost.
  expect(await admin.post(removal)).toEqual([5]);
  expect((await reader.pull(3))[0]).toMatchObject({ head: { length: 0 }, parts: [null] });
  expect(await codeOf(await reviewer.putPart(idOf(event), 0, Buffer.from(event.parts[0] ?? [])))).toBe(
    'entry.removed',
  );
  const done = { act: 'done' as const, removals: [idOf(removal)] };
  expect(await reader.post(makeRemoval(computers.reader, done, { team }))).toEqual([6]);
});

it('refuses what somebody wrote before they read a removal, but not what others give back for them', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reviewer, computers } = await createTeam();
  await admin.post(makeRemoval(computers.admin, { act: 'remove', entries: [] }, { team }));
  const { number } = await reviewer.head();
  const late = makeEvent(computers.reviewer, { team });
  expect(await reviewer.post(late)).toEqual(['removal.notSeen']);
  expect(await admin.post(late)).toEqual([5]);
  expect(await reviewer.post(late)).toEqual([5]);
  const next = makeEvent(computers.reviewer, { team });
  const body = writeFrame(next);
  const read = await reviewer.call(`/entries?read=${number}`, { method: 'POST', body });
  expect(postedSchema.parse(await read.json()).results).toMatchObject([{ number: 6 }]);
});

it('deletes in PostgreSQL by the function alone, which takes no list but that of a removal', async () => {
  const name = await postgres.createDatabase();
  const { createTeam } = await startTestServer({
    database: await openPostgresDatabase(postgres.address(serverRole, name)),
  });
  const { team, admin, reviewer, computers } = await createTeam();
  const event = makeEvent(computers.reviewer, { team, parts: ['a'] });
  await reviewer.post(event);
  const asServer = (sql: string) => postgres.run(serverRole, name, sql);
  await expect(asServer('DELETE FROM parts')).rejects.toThrow('permission denied');
  // Not for another entry, and not by tables of the caller that have the names of the true ones.
  await asServer(`SELECT remove_content('${team}', 4)`);
  await asServer(
    `CREATE TEMPORARY TABLE entries AS SELECT team, number, id, 'removal' AS kind, header,
       '\\x00000000000000000000000000000000'::bytea || convert_to('{"entries":["${idOf(event)}"]}', 'UTF8') AS head
     FROM entries WHERE number = 4;
     SELECT remove_content('${team}', 4)`,
  );
  expect((await admin.pull(3))[0]?.parts[0]?.length).toBeGreaterThan(0);
  const act = { act: 'remove' as const, entries: [idOf(event)] };
  expect(await admin.post(makeRemoval(computers.admin, act, { team }))).toEqual([5]);
  expect((await admin.pull(3))[0]).toMatchObject({ head: { length: 0 }, parts: [null] });
});
