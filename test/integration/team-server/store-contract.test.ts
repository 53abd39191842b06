import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { firstChainHash, nextChainHash } from '../../../src/team-protocol/chain.ts';
import { type Entry, readHeader, tagLength } from '../../../src/team-protocol/entry.ts';
import type { NewEntry } from '../../../src/team-server/store/new-entry.ts';
import { openPostgresDatabase } from '../../../src/team-server/store/postgres-database.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { createTeamStore, type TeamStore } from '../../../src/team-server/store/team-store.ts';
import { serverRole, startPostgres } from '../../support/postgres.ts';
import { idOf, makeEvent, makeRemoval, makeTestTeam } from '../../support/team-computer.ts';
import { makeSharedFolder } from '../../support/temp-folder.ts';

const postgres = await startPostgres();
const folder = makeSharedFolder();
const pageSize = { count: 500, bytes: 1_000_000 };
const digest = (text: string): string => hash('sha256', text, 'base64url');

describe.each([
  [
    'PostgreSQL',
    async () => {
      const address = postgres.address(serverRole, await postgres.createDatabase());
      return () => openPostgresDatabase(address);
    },
  ],
  [
    'SQLite',
    async () => {
      const data = `${folder}/${Math.trunc(performance.now() * 1_000)}`;
      return () => openSqliteDatabase(data);
    },
  ],
])('a store in %s', (_name, makeDatabase) => {
  const at = 1_000_000;
  const open = async (count = 1): Promise<TeamStore[]> => {
    const connect = await makeDatabase();
    const stores: TeamStore[] = [];
    for (let index = 0; index < count; index += 1) stores.push(createTeamStore(await connect()));
    return stores;
  };
  const by = { computer: 'ada', now: at };
  /** Numbers entries and adds them, as the server does. */
  const append = (store: TeamStore, team: string, entries: readonly Entry[]) =>
    store.append(team, entries.map(idOf), by, async ({ head, known }) => {
      let { number, hash: last } = head;
      return entries
        .filter((entry) => !known.has(idOf(entry)))
        .map((entry): NewEntry => {
          number += 1;
          last = nextChainHash(last, number, entry);
          const kind = readHeader(entry.header)?.kind ?? 'event';
          return { ...entry, number, hash: last, id: idOf(entry), kind, removes: kind === 'removal' };
        });
    });
  const createTeam = async (store: TeamStore, code = 'code') => {
    const made = makeTestTeam();
    const first: NewEntry = {
      ...{ ...made.create, number: 1, id: idOf(made.create), kind: 'membership' },
      hash: nextChainHash(firstChainHash, 1, made.create),
    };
    const create = (setupCode = code) => store.createTeam(digest(setupCode), made.team, first, at);
    return { ...made, first, create };
  };
  const openTeam = async (count = 1) => {
    const stores = await open(count);
    const [store] = stores as [TeamStore];
    await store.addSetupCode(digest('code'), at + 1);
    const made = await createTeam(store);
    expect(await made.create()).toBe('created');
    return { ...made, store, stores };
  };
  const closeAll = (stores: readonly TeamStore[]) => Promise.all(stores.map((store) => store.close()));

  it('makes a team once, with a set-up code that is neither used nor expired', async () => {
    const [store] = (await open()) as [TeamStore];
    const made = await createTeam(store);
    await store.addSetupCode(digest('expired'), at);
    await store.addSetupCode(digest('code'), at + 1);
    expect(await made.create('wrong')).toBe('codeInvalid');
    expect(await made.create('expired')).toBe('codeInvalid');
    expect(await made.create()).toBe('created');
    // The answer was lost, and the request is sent again.
    expect(await made.create()).toBe('created');
    expect(await (await createTeam(store)).create()).toBe('codeInvalid');
    expect(await store.readHead(made.team)).toEqual({
      number: 1,
      hash: made.first.hash,
      membership: 1,
      membershipHash: made.first.hash,
      removal: 0,
      parts: 0,
    });
    expect(await store.readHead('none')).toBeNull();
    await store.check();
    await store.close();
  });

  it('returns what it stored, in pages by count and bytes', async () => {
    const { store, team, admin } = await openTeam();
    const entries = Array.from({ length: 7 }, (_, index) =>
      makeEvent(admin, {
        team,
        parts: ['a'.repeat(index), 'b'],
        sendsParts: index !== 3,
        text: 'x'.repeat(100),
      }),
    );
    await append(store, team, entries);
    const all = await store.readEntries(team, 0, pageSize);
    expect(all.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const [index, entry] of entries.entries()) {
      const read = all[index + 1];
      expect(read?.header).toBe(entry.header);
      expect(Buffer.compare(read?.signature as Buffer, entry.signature)).toBe(0);
      expect(Buffer.compare(read?.head as Buffer, entry.head)).toBe(0);
      expect(read?.parts.map((part) => part && Buffer.from(part).toString('hex'))).toEqual(
        entry.parts.map((part) => part && Buffer.from(part).toString('hex')),
      );
    }
    expect((await store.readEntries(team, 2, { count: 3, bytes: 1e6 })).map((one) => one.number)).toEqual([
      3, 4, 5,
    ]);
    // The first one always, and the one at which the limit is reached.
    expect((await store.readEntries(team, 2, { count: 9, bytes: 1 })).map((one) => one.number)).toEqual([3]);
    expect(await store.readEntries(team, 8, pageSize)).toEqual([]);
    expect(await store.readEntries('other', 0, pageSize)).toEqual([]);
    expect((await store.readMemberships(team, 0)).map((one) => one.number)).toEqual([1]);
    expect(await store.readMemberships(team, 2)).toEqual([]);
    const memberships = await store.readEntries(team, 0, pageSize, 'membership');
    expect(memberships.map(({ number, parts }) => [number, parts])).toEqual([[1, []]]);
    await store.close();
  });

  it('finds the entries that have a tag, and entries with more claims than a header has tags', async () => {
    const { store, team, admin } = await openTeam();
    const [one, two] = ['a'.repeat(tagLength), 'b'.repeat(tagLength)];
    const tagged = [one, two, `${one}${two}`, null, ''].map((tags) =>
      makeEvent(admin, { team, tags, parts: ['a'] }),
    );
    await append(store, team, tagged);
    const find = async (tags: string[], after = 0, count = 9) =>
      (await store.readEntries(team, after, { count, bytes: 1e6 }, tags)).map(({ number }) => number);
    expect(await find([one])).toEqual([2, 4, 5]);
    expect(await find([two, one])).toEqual([2, 3, 4, 5]);
    expect(await find([two], 3, 1)).toEqual([4]);
    expect(await find(['c'.repeat(tagLength)])).toEqual([5]);
    const [entry] = await store.readEntries(team, 2, pageSize, [two]);
    expect(entry?.parts.map((part) => part?.length)).toEqual(tagged[1]?.parts.map((part) => part?.length));
    await store.close();
  });

  it('adds nothing if the decision fails, and numbers without a gap afterwards', async () => {
    const { store, team, admin } = await openTeam();
    const entry = makeEvent(admin, { team });
    await expect(
      store.append(team, [idOf(entry)], by, async () => {
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    // The second has the number of the first: neither is there afterwards.
    const twice = [entry, makeEvent(admin, { team })].map(
      (one): NewEntry => ({ ...one, number: 2, hash: 'none', id: idOf(one), kind: 'event' }),
    );
    await expect(store.append(team, [], by, async () => twice)).rejects.toThrow(/unique|another hash/i);
    expect(await store.readEntries(team, 1, pageSize)).toEqual([]);
    expect((await append(store, team, [entry]))?.number).toBe(2);
    // Known entries are told to the next decision.
    expect((await append(store, team, [entry, makeEvent(admin, { team })]))?.number).toBe(3);
    expect(await store.append('other', [], by, async () => [])).toBeNull();
    await store.close();
  });

  it('numbers without gaps, and in one chain, what two connections add at the same time', async () => {
    const { stores, team, admin, first } = await openTeam(2);
    const batches = Array.from({ length: 12 }, (_, index) =>
      Array.from({ length: (index % 3) + 1 }, () => makeEvent(admin, { team })),
    );
    const seen: number[] = [];
    await Promise.all(
      batches.map(async (batch, index) => {
        await append(stores[index % 2] as TeamStore, team, batch);
        // A reader who has read up to a number never finds a smaller one later.
        const page = await (stores[(index + 1) % 2] as TeamStore).readEntries(team, 0, pageSize);
        expect(page.map(({ number }) => number)).toEqual(page.map((_, position) => position + 1));
        seen.push(page.length);
      }),
    );
    const all = await (stores[0] as TeamStore).readEntries(team, 0, pageSize);
    expect(all).toHaveLength(25);
    expect(seen).toHaveLength(12);
    let last = firstChainHash;
    for (const entry of all) {
      last = nextChainHash(last, entry.number, entry);
      expect(entry.hash).toBe(last);
    }
    expect(all[0]?.hash).toBe(first.hash);
    await closeAll(stores);
  });

  it('accepts each part once, in the order of its arrival', async () => {
    const { stores, store, team, admin } = await openTeam(2);
    const event = makeEvent(admin, { team, parts: ['a', 'b', 'c'], sendsParts: false });
    await append(store, team, [event]);
    const id = idOf(event);
    const entry = await store.readEntry(team, id);
    expect(entry).toMatchObject({ number: 2, header: event.header });
    expect(await store.readEntry(team, 'none')).toBeNull();
    const put = (part: number, by = store, content = event.sealedParts[part] as Buffer) =>
      by.addPart(team, 2, part, content, 'ana');
    expect(await store.readPart(team, id, 2)).toBeNull();
    expect(await put(2)).toBe('added');
    expect(await put(2)).toBe('there');
    expect(await put(2, store, Buffer.from('other'))).toBe('differs');
    expect((await Promise.all([put(0), put(0, stores[1])])).sort()).toEqual(['added', 'there']);
    expect(await put(1, stores[1])).toBe('added');
    expect(await store.readArrivals(team, 0, 10)).toEqual([
      { after: 1, id, part: 2 },
      { after: 2, id, part: 0 },
      { after: 3, id, part: 1 },
    ]);
    expect(await store.readArrivals(team, 2, 10)).toEqual([{ after: 3, id, part: 1 }]);
    // Parts that others send replace none: a reader looks for the one that is right.
    const [ofCarol, ofDan] = [Buffer.from('carol'), Buffer.from('dan')];
    expect(await store.addPart(team, 2, 2, ofCarol, 'carol')).toBe('added');
    expect(await store.addPart(team, 2, 2, ofDan, 'dan')).toBe('added');
    expect(await store.addPart(team, 2, 2, ofCarol, 'dan')).toBe('differs');
    expect(await store.readArrivals(team, 3, 10)).toEqual([
      { after: 4, id, part: 2 },
      { after: 5, id, part: 2 },
    ]);
    const versions = await Promise.all([0, 1, 2, 3].map((version) => store.readPart(team, id, 2, version)));
    expect(versions.map((one) => one && Buffer.from(one).toString('latin1'))).toEqual([
      (event.sealedParts[2] as Buffer).toString('latin1'),
      'carol',
      'dan',
      null,
    ]);
    expect((await store.readHead(team))?.parts).toBe(5);
    // They are no part of pages: who wants them asks for each.
    expect((await store.readEntries(team, 1, pageSize))[0]?.parts).toEqual([null, null, null]);
    await closeAll(stores);
  });

  it('gives a claim to the first of two simultaneous requests, until it is returned or expired', async () => {
    const { stores, store, team } = await openTeam(2);
    const tags = Array.from({ length: 30 }, (_, index) => digest(`${index}`).slice(0, 22));
    const isMember = (computer: string) => computer !== 'revoked';
    const times = { now: at, until: at + 60 };
    const take = (by: number, computer: string, takes: readonly string[], keeps: readonly string[] = []) => {
      const wanted = { keeps: [...keeps], takes: [...takes] };
      return (stores[by] as TeamStore).takeLeases(team, computer, wanted, times, isMember);
    };
    const readTags = async (now = at) =>
      Object.fromEntries((await store.readLeases(team, now)).map(({ tag, computer }) => [tag, computer]));
    // Two work down one list from the top, each through a server of its own.
    const decided: string[] = [];
    await Promise.all(
      ['ada', 'ben'].map(async (computer, by) => {
        while (decided.length < tags.length) {
          const { taken, number } = await take(
            by,
            computer,
            tags.filter((tag) => !decided.includes(tag)),
            decided.slice(-1),
          );
          expect(number).toBe(1);
          // Where the other decided it after this one asked, it is passed over.
          if (taken !== null && !decided.includes(taken)) decided.push(taken);
        }
      }),
    );
    expect(new Set(decided).size).toBe(30);
    for (const [by, computer] of ['ada', 'ben'].entries()) await take(by, computer, []);
    expect(await readTags()).toEqual({});

    const [one, two, three] = ['1', '2', '3'].map((text) => digest(text).slice(0, 22)) as [
      string,
      string,
      string,
    ];
    expect(await take(0, 'ada', [one])).toMatchObject({ taken: one, isChanged: true });
    expect(await take(0, 'ada', [], [one])).toEqual({ taken: null, number: 1, isChanged: false });
    expect(await take(1, 'ben', [one])).toMatchObject({ taken: null, isChanged: false });
    expect(await take(1, 'ben', [one, two, three])).toMatchObject({ taken: two, isChanged: true });
    expect(await take(0, 'ada', [two, one], [])).toMatchObject({ taken: one, isChanged: false });
    expect(await readTags()).toEqual({ [one]: 'ada', [two]: 'ben' });
    expect(await readTags(at + 60)).toEqual({});
    // The lease is over, and its holder is no longer a member.
    Object.assign(times, { now: at + 60, until: at + 120 });
    expect(await take(1, 'revoked', [one])).toMatchObject({ taken: one });
    expect(await take(0, 'ada', [one])).toMatchObject({ taken: one, isChanged: true });
    expect(await take(1, 'ben', [], [two])).toMatchObject({ isChanged: true });
    expect(await readTags()).toEqual({ [one]: 'ada', [two]: 'ben' });
    await store.endLeases(at + 119);
    expect(await readTags()).toEqual({ [one]: 'ada', [two]: 'ben' });
    await store.endLeases(at + 120);
    expect(await readTags()).toEqual({});
    expect(await store.readLeases('other', at)).toEqual([]);
    await closeAll(stores);
  });

  it('deletes the content that a removal lists, even if it arrives later, and nothing else', async () => {
    const { stores, store, team, admin, first } = await openTeam(2);
    const other = stores[1] as TeamStore;
    const [one, two, late, kept] = [1, 2, 3, 4].map(() => makeEvent(admin, { team, parts: ['a', 'b'] }));
    if (!one || !two || !late || !kept) throw new Error('no events');
    const unsent = { ...two, parts: [two.parts[0] ?? null, null] };
    await append(store, team, [one, unsent, kept]);
    await store.addPart(team, 3, 1, two.sealedParts[1] as Buffer, 'ana');
    const entries = [...[one, two, late].map(idOf), idOf({ header: first.header })];
    const removal = makeRemoval(admin, { act: 'remove', entries }, { team, parts: ['rest'] });
    expect(await append(store, team, [removal])).toMatchObject({ number: 5, removal: 5 });
    const contentOf = async (number: number) => {
      const [entry] = await other.readEntries(team, number - 1, { count: 1, bytes: 1e6 });
      return { head: entry?.head.length, parts: entry?.parts.map((part) => part?.length ?? null) };
    };
    const empty = { head: 0, parts: [null, null] };
    expect([await contentOf(2), await contentOf(3)]).toEqual([empty, empty]);
    expect(await contentOf(4)).toEqual({
      head: kept.head.length,
      parts: kept.parts.map((part) => part?.length),
    });
    // A membership that it lists stays.
    expect(await contentOf(1)).toEqual({ head: first.head.length, parts: [] });
    expect(await store.readPart(team, idOf(two), 1)).toBeNull();
    expect(await store.readArrivals(team, 0, 9)).toEqual([]);
    // An entry that arrives later, such as one that is given back, is numbered without its content.
    await append(other, team, [late]);
    expect(await contentOf(6)).toEqual(empty);
    expect(await other.addPart(team, 6, 0, late.sealedParts[0] as Buffer, 'ana')).toBe('removed');
    expect(await store.readPart(team, idOf(late), 0)).toBeNull();
    // Removing an earlier removal deletes what it kept of events; its statement stays.
    const again = makeRemoval(admin, { act: 'remove', entries: [idOf(removal)] }, { team });
    await append(store, team, [again]);
    expect(await contentOf(5)).toEqual({
      head: removal.head.length,
      parts: [removal.parts[0]?.length, null],
    });
    expect(await other.addPart(team, 5, 1, removal.parts[1] as Buffer, 'ana')).toBe('removed');
    const all = await store.readEntries(team, 0, pageSize);
    let last = firstChainHash;
    for (const entry of all) last = nextChainHash(last, entry.number, entry);
    expect(all.at(-1)?.hash).toBe(last);
    await closeAll(stores);
  });

  it('uses an invitation once, until it expires', async () => {
    const { store, team, admin } = await openTeam();
    await store.addInvitation('good', team, admin.id, at + 10);
    const certificate = { body: 'body', signature: 'signature' };
    const join = (invitation: string, time = at, body = 'body', nonce: string | null = null) =>
      store.addJoin(team, {
        ...{ invitation, certificate: { ...certificate, body }, proof: 'proof' },
        ...{ commitment: 'commitment', nonce, at: time },
      });
    expect(await join('none')).toBe(false);
    expect(await join('good', at + 10)).toBe(false);
    expect(await join('good')).toEqual({ answer: null });
    for (const [computer, answer] of [
      ['other', 'none'],
      [admin.id, 'answer'],
      [admin.id, 'second'],
    ] as const)
      await store.answerJoin(team, computer, 'good', answer);
    expect(await join('good', at, 'body', 'nonce')).toEqual({ answer: 'answer' });
    expect(await join('good', at, 'body', 'second')).toEqual({ answer: 'answer' });
    expect(await join('good', at, 'other')).toBe(false);
    expect(await store.readJoins(team, at - 1, 10)).toEqual([
      {
        ...{ invitation: 'good', certificate, proof: 'proof', invitedBy: admin.id, at },
        ...{ commitment: 'commitment', nonce: 'nonce', answer: 'answer' },
      },
    ]);
    expect(await store.readJoins(team, at, 10)).toEqual([]);
    expect(await store.readJoins('other', 0, 10)).toEqual([]);
    await store.close();
  });

  it('stores when a computer last connected', async () => {
    const { store, team, admin } = await openTeam();
    await store.markSeen(team, admin.id, at);
    await store.markSeen(team, admin.id, at + 5);
    expect(await store.readComputers(team)).toEqual([{ computer: admin.id, seenAt: at + 5 }]);
    await store.close();
  });
});
