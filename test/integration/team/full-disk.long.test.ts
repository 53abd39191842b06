import { expect, test } from 'vitest';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';

const claimIds = Array.from({ length: 2_000 }, (_none, index) => index + 1);
const flagged = { kind: 'flag', isFlagged: true } as const;

test('a server without space refuses entries, reports that, and accepts them when there is space again', async () => {
  const { members, open, database, lines } = await openTeam('ana');
  const [ana] = members;
  const ben = open('ben', { claimIds });
  await admit(ana, ben);
  await ben.act(claimIds, flagged);
  const [pages] = await database.all<{ page_count: number }>('PRAGMA page_count');
  await database.all(`PRAGMA max_page_count=${pages?.page_count}`);
  await expect(ben.exchange()).rejects.toMatchObject({
    code: 'team.unreachable',
    details: { answer: 'store.full' },
  });
  expect(lines.join('')).toContain('store.full');
  expect(ben.unsent()).toBe(1);
  // Reading goes on.
  await ana.exchange();
  await database.all(`PRAGMA max_page_count=${2 ** 30}`);
  await exchangeAll([ben, ana]);
  expect(ben.unsent()).toBe(0);
  expect(ana.folds()).toEqual(ben.folds());
  expect(ana.folds()).toHaveLength(claimIds.length);
});

test('a computer without space adds nothing of a page that it can’t store, and all of it when there is space again', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const ben = open('ben', { claimIds });
  await admit(ana, ben);
  await ben.act([1], decisionOf('eligible'));
  await ben.act(claimIds, flagged);
  await ben.exchange();
  const { database } = ana.file;
  const { log } = await ana.sessionOf();
  const before = log.state.position;
  await ana.act([2], { kind: 'note', text: 'before the disk was full' });
  const pages = database.pragma('page_count', { simple: true }) as number;
  database.pragma(`max_page_count=${pages + 5}`);
  await expect(ana.exchange()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(log.state.position).toEqual(before);
  expect(ana.folds().map(({ claimId }) => claimId)).toEqual([2]);
  database.pragma(`max_page_count=${2 ** 30}`);
  await exchangeAll([ana, ben]);
  expect(ana.folds()).toEqual(ben.folds());
  expect([ana.unsent(), ben.unsent()]).toEqual([0, 0]);
});
