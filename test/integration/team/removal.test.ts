import { expect, test } from 'vitest';
import type { RemovalRule } from '../../../src/team-protocol/removal.ts';
import { admit, exchangeAll, openTeam, restoreServer } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { claimsOfTwo, removeAs } from '../../support/team-removal.ts';

const addClaims = (members: readonly Member[]): void => {
  for (const { opened } of members) opened.ingest('claims', claimsOfTwo);
};
const claimsIn = ({ folds }: Member): number[] =>
  folds()
    .map(({ claimId }) => claimId)
    .sort();
const recordsOf = ({ opened }: Member): number[] =>
  opened.database.prepare('SELECT id FROM claims ORDER BY id').pluck().all() as number[];
const acksOf = async (member: Member) => {
  const { removals } = (await member.sessionOf()).log.state;
  return new Set(removals.all.flatMap(({ computer, done }) => (done.length > 0 ? [computer] : [])));
};

async function openWorking() {
  const opened = await openTeam('ana', 'ben', 'cleo');
  const { members } = opened;
  const [ana, ben, cleo] = members as [Member, Member, Member];
  addClaims(members);
  for (const [index, member] of members.entries()) await member.act([index + 1], decisionOf('eligible'));
  await ben.act([1, 2, 3, 4], { kind: 'flag', isFlagged: true });
  await ben.act([1], { kind: 'note', text: 'Zqxnote' });
  await exchangeAll(members);
  expect(claimsIn(cleo)).toEqual([1, 2, 3, 4]);
  return { ...opened, ana, ben, cleo };
}

test.each<[RemovalRule, number[]]>([
  [{ kind: 'member', memberId: 7 }, [3, 4]],
  [{ kind: 'claimsBefore', date: '2025-01-01' }, [2, 3, 4]],
  [{ kind: 'employer', employerId: 80 }, [1, 2, 4]],
  [{ kind: 'everything' }, []],
])('a removal for the team, %j, is carried out on each computer and acknowledged', async (rule, left) => {
  const { ana, ben, cleo, members, open, server, team } = await openWorking();
  const before = (await ben.history()).length;
  await removeAs(ana, rule);
  await exchangeAll(members);
  for (const member of members) {
    expect(claimsIn(member), member.name).toEqual(left);
    expect(recordsOf(member), member.name).toEqual(left);
    expect(member.unsent()).toBe(0);
    expect((await member.sessionOf()).log.state).toMatchObject({ refused: 0 });
    expect((await acksOf(member)).size, member.name).toBe(3);
    expect(member.folds()).toEqual(ana.folds());
  }
  expect((await ben.history()).length).toBeLessThan(before);
  // A new member gets what is left, under its authors' names.
  const dora = open('dora', { claimIds: [] });
  await admit(ana, dora);
  await exchangeAll([dora, ana]);
  expect(dora.folds()).toEqual(cleo.folds());
  expect((await dora.sessionOf()).log.state).toMatchObject({ refused: 0, waiting: new Map() });
  for (const { signedBy } of await dora.history()) expect(signedBy).toMatch(/^SHA256:/);
  // Nothing of what was removed is on the server.
  const log = await server.store.readEntries(team, 0, { count: 500, bytes: 1e8 });
  expect(log.filter(({ head }) => head.length === 0).length).toBeGreaterThan(0);
  for (const member of [ana, dora]) {
    // A sync leaves out what was removed.
    member.opened.ingest('claims', claimsOfTwo);
    expect(recordsOf(member)).toEqual(left);
  }
});

test('a computer that was offline sends nothing that was removed, but its acts on other claims', async () => {
  const { ana, ben, cleo, members } = await openWorking();
  await ben.act([1], { kind: 'note', text: 'Zqxaway' });
  await ben.act([2, 3], { kind: 'tag', add: ['Zqxtag'], remove: [] });
  await removeAs(ana, { kind: 'member', memberId: 7 });
  await exchangeAll([ana, cleo]);
  await ben.exchange();
  await exchangeAll(members);
  for (const member of members) {
    expect(claimsIn(member), member.name).toEqual([3, 4]);
    expect(member.folds(), member.name).toEqual(ana.folds());
    expect(member.unsent(), member.name).toBe(0);
  }
  expect((await ana.reviews.get(workspaceId, 3)).tags).toEqual(['Zqxtag']);
  // A note on a claim that is no longer here, and a file of reviews of before.
  expect(JSON.stringify(await ana.history())).not.toContain('Zqxaway');
});

test('what a computer sends before it has read a removal is refused, then sent without what was removed', async () => {
  const { ana, ben, members } = await openWorking();
  await ben.act([1, 3], { kind: 'tag', add: ['Zqxtag'], remove: [] });
  let isRemoved = false;
  ben.network.before = async (method, path) => {
    if (method !== 'POST' || !path.endsWith('/entries') || isRemoved) return;
    isRemoved = true;
    await removeAs(ana, { kind: 'member', memberId: 7 });
  };
  await ben.exchange();
  delete ben.network.before;
  await exchangeAll(members);
  for (const member of members) expect(claimsIn(member), member.name).toEqual([3, 4]);
  expect((await ana.reviews.get(workspaceId, 3)).tags).toEqual(['Zqxtag']);
});

test('what a user does after a removal took their newest events is sent', async () => {
  const { ana, cleo, members } = await openWorking();
  for (const text of ['one', 'two', 'three']) await ana.act([1], { kind: 'note', text });
  await exchangeAll(members);
  await removeAs(ana, { kind: 'member', memberId: 7 });
  await ana.act([3], { kind: 'note', text: 'Zqxafter' });
  expect(ana.unsent()).toBe(1);
  await exchangeAll(members);
  expect(JSON.stringify(await cleo.history())).toContain('Zqxafter');
});

test('a removal reads only the entries of the claims that it removes, by their tags', async () => {
  const { ana, members } = await openWorking();
  await exchangeAll(members);
  const session = await ana.sessionOf();
  const { client } = session;
  const { tagged, entries } = client;
  const read: number[] = [];
  Object.assign(client, {
    async tagged(...wanted: Parameters<typeof tagged>) {
      const page = await tagged(...wanted);
      read.push(...page.map(({ number }) => number));
      return page;
    },
    async entries(...wanted: Parameters<typeof entries>) {
      if (wanted[1]?.count !== 1) throw new Error('It reads the whole log.');
      return entries(...wanted);
    },
  });
  const rule = { kind: 'member', memberId: 8 } as const;
  await session.removeForTeam({ rule, reason: 'They left.', claimIds: [3], areAll: true });
  Object.assign(client, { tagged, entries });
  const { number } = await client.head();
  expect(read.length).toBeGreaterThan(0);
  expect(read.length).toBeLessThan(number / 2);
});

test('a server that was restored from before a removal deletes again', async () => {
  const opened = await openWorking();
  const { ana, ben, cleo, members, open } = opened;
  await removeAs(ana, { kind: 'member', memberId: 7 });
  await exchangeAll(members);
  const before = ana.folds();
  // Before everything but the members, so that what was left of events was lost as well.
  const again = await restoreServer(opened, 3);
  await cleo.exchange();
  await exchangeAll(members);
  for (const member of members) {
    expect(member.folds(), member.name).toEqual(before);
    expect(member.unsent(), member.name).toBe(0);
  }
  const dora = open('dora', { claimIds: [] });
  await admit(ana, dora);
  await exchangeAll([dora]);
  expect(dora.folds()).toEqual(ben.folds());
  expect((await again.server.store.readHead(opened.team))?.removal).toBeGreaterThan(0);
});
