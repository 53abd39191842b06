import { expect, it } from 'vitest';
import { postedSchema } from '../../../src/team-protocol/api.ts';
import { nextChainHash } from '../../../src/team-protocol/chain.ts';
import { writeCheckpoint } from '../../../src/team-protocol/checkpoint.ts';
import { type EntryHeader, readHeader } from '../../../src/team-protocol/entry.ts';
import { writeFrame } from '../../../src/team-protocol/frame.ts';
import { openPostgresDatabase } from '../../../src/team-server/store/postgres-database.ts';
import { ownerRole, serverRole, startPostgres } from '../../support/postgres.ts';
import { codeOf } from '../../support/team-client.ts';
import { idOf, makeEvent, makeRemoval, signEntry } from '../../support/team-computer.ts';
import { startTestServer } from '../../support/team-server.ts';

const postgres = await startPostgres();

it('accepts a removal only from an admin, and an acknowledgement from every member', async () => {
  const { createTeam } = await startTestServer();
  const { team, admin, reviewer, reader, computers } = await createTeam();
  const event = makeEvent(computers.reviewer, { team, parts: ['a'] });
  await reviewer.post(event);
  const act = { act: 'remove' as const, entries: [idOf(event)] };
  for (const by of [computers.reviewer, computers.reader])
    expect(await reviewer.post(makeRemoval(by, act, { team }))).toEqual(['member.notAdmin']);
  expect(await admin.post(makeRemoval(computers.recovery, act, { team }))).toEqual(['member.unknown']);
  const removal = makeRemoval(computers.admin, act, { team });
  // The removal is refused with another signature, another list, no statement, or for another key.
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

it('refuses what was written before its author read a removal, but not what others return for that author', async () => {
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

it.each(['SQLite', 'PostgreSQL'])(
  'deletes the parts of checkpoints before a removal, in %s',
  async (store) => {
    const isPostgres = store === 'PostgreSQL';
    const address = isPostgres ? postgres.address(serverRole, await postgres.createDatabase()) : '';
    const { createTeam, server } = await startTestServer(
      isPostgres ? { database: await openPostgresDatabase(address) } : {},
    );
    const { team, admin, reviewer, reader, computers } = await createTeam();
    const make = (by: typeof computers.reviewer) => {
      const { head, commitment } = writeCheckpoint({
        ...{
          act: 'make',
          number: 1,
          hash: 'A'.repeat(43),
          members: 'A'.repeat(43),
          events: 'A'.repeat(43),
        },
      });
      const { header, parts } = makeEvent(by, { team, parts: ['a'] });
      const changed = {
        ...(readHeader(header) as EntryHeader),
        kind: 'checkpoint' as const,
        head: commitment,
      };
      return signEntry(changed, by, { head, parts });
    };
    expect(await reader.post(make(computers.reader))).toEqual(['role.notAllowed']);
    const [before, after] = [make(computers.reviewer), make(computers.reviewer)];
    expect(await reviewer.post(before)).toEqual([4]);
    expect(await server.store.readPart(team, idOf(before), 0)).not.toBeNull();
    expect(await admin.post(makeRemoval(computers.admin, { act: 'remove', entries: [] }, { team }))).toEqual([
      5,
    ]);
    expect(await server.store.readPart(team, idOf(before), 0)).toBeNull();
    expect(await codeOf(await reviewer.putPart(idOf(before), 0, Buffer.from(before.parts[0] ?? [])))).toBe(
      'entry.removed',
    );
    // An author who has not read the removal is refused; a later checkpoint stays.
    expect(await reviewer.post(after)).toEqual(['removal.notSeen']);
    expect(await admin.post(after)).toEqual([6]);
    expect(await server.store.readPart(team, idOf(after), 0)).not.toBeNull();
    const kept = await server.store.readEntries(team, 0, { count: 9, bytes: 1e6 }, 'checkpoint');
    expect(kept.map(({ number }) => number)).toEqual([4, 6]);
  },
);

it('removes in PostgreSQL only what an entry of the chain lists, and keeps it with the owner for thirty days', async () => {
  const name = await postgres.createDatabase();
  const { createTeam } = await startTestServer({
    database: await openPostgresDatabase(postgres.address(serverRole, name)),
  });
  const { team, admin, reviewer, computers } = await createTeam();
  const event = makeEvent(computers.reviewer, { team, parts: ['a'] });
  await reviewer.post(event);
  const asServer = (sql: string) => postgres.run(serverRole, name, sql);
  const asOwner = (sql: string) => postgres.run(ownerRole, name, sql);
  const { hash } = await admin.head();
  const removal = makeRemoval(computers.admin, { act: 'remove', entries: [idOf(event)] }, { team });
  const list = (entries: string): Buffer =>
    Buffer.concat([Buffer.alloc(16), Buffer.from(JSON.stringify({ act: 'remove', entries: [entries] }))]);
  const bytes = (one: Uint8Array): string => `'\\x${Buffer.from(one).toString('hex')}'::bytea`;
  const add = (head: Uint8Array, last: string, header = removal.header) =>
    asServer(
      `SELECT add_entries('${team}', '${last}', ARRAY['${header}'], ARRAY[${bytes(removal.signature)}], ARRAY[${bytes(head)}], ARRAY[1::bigint])`,
    );
  // Another list than the header commits to, another chain, another number of the counter, an entry that is there.
  const last = nextChainHash(hash, 5, removal);
  await expect(add(list(idOf(event)), last)).rejects.toThrow('not the one of its header');
  await expect(add(removal.head, hash)).rejects.toThrow('another hash');
  await expect(add(event.head, last, event.header)).rejects.toThrow('there already');
  // Tables of the caller that have the names of the true ones are not used.
  await asServer(`CREATE TEMPORARY TABLE teams AS SELECT '${team}' AS team, 0 AS number, 'x' AS hash`);
  expect((await admin.pull(3))[0]?.parts[0]?.length).toBeGreaterThan(0);
  const kept = (await admin.pull(3))[0];
  expect(await admin.post(removal)).toEqual([5]);
  expect((await admin.pull(3))[0]).toMatchObject({ head: { length: 0 }, parts: [null] });
  // The owner puts it back where it was no admin's.
  await asServer('SELECT purge_removed()');
  await asOwner(`SELECT restore_content('${team}', 5)`);
  expect((await admin.pull(3))[0]).toEqual(kept);
  await asOwner(`SELECT remove_content('${team}', 5)`);
  await asOwner("UPDATE removed_content SET removed_at = now() - interval '31 days'");
  await asServer('SELECT purge_removed()');
  expect(await asOwner('SELECT count(*)::int AS count FROM removed_content')).toEqual([{ count: 0 }]);
});
