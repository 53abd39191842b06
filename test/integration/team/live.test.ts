import { createHash } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { revoke } from '../../../src/main/engine/team/change-members.ts';
import { approve } from '../../../src/main/engine/team/join-team.ts';
import { keepLive } from '../../../src/main/engine/team/keep-live.ts';
import { newestKey } from '../../../src/main/engine/team/team-members.ts';
import { createNews } from '../../../src/main/engine/team/wait-for-news.ts';
import { DeskError } from '../../../src/main/lib/errors.ts';
import { firstDocumentPart, sealDocumentPart } from '../../../src/team-protocol/document-parts.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { admit, exchangeNonces, openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { startTestServer } from '../../support/team-server.ts';

async function follow(member: Member, firstMs?: number) {
  const session = await member.sessionOf();
  const ports = {
    ...member.ports,
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 5);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
  const loop = keepLive(session, ports, createNews(session.client, undefined, firstMs));
  onTestFinished(() => loop.end());
  return loop;
}
const until = (check: () => void) => vi.waitFor(check, { interval: 5 });

test('a colleague sees an act immediately; it is kept while the server can’t be reached, and sent afterwards', async () => {
  const opened = await openTeam('ana', 'ben');
  const [ana, ben] = opened.members as [Member, Member];
  const [ofAna, ofBen] = [await follow(ana), await follow(ben)];
  await until(() => expect([ofAna.status().state, ofBen.status().state]).toEqual(['live', 'live']));
  await ana.act([1], decisionOf('eligible'));
  ofAna.wake();
  await until(() => expect(ben.folds()).toEqual(ana.folds()));
  await until(() => expect(ana.unsent()).toBe(0));

  await opened.close();
  await until(() =>
    expect(ofBen.status()).toMatchObject({ state: 'offline', problem: { code: 'team.unreachable' } }),
  );
  await ben.act([2], decisionOf('disputed'));
  ofBen.wake();
  expect(ben.unsent()).toBe(1);
  const database = await openSqliteDatabase(opened.folder);
  const again = await startTestServer({ database, port: Number(new URL(opened.origin).port) });
  again.clock.nowMs = opened.clock.nowMs;
  await until(() => expect(ana.folds()).toEqual(ben.folds()));
  await until(() => expect(ofBen.status()).toEqual({ state: 'live', problem: null, updatesBy: 'stream' }));
  expect(ana.folds().map(({ claimId }) => claimId)).toEqual([1, 2]);
});

test('the window is notified when a document has arrived after its event', async () => {
  const [ana, ben] = (await openTeam('ana', 'ben')).members as [Member, Member];
  let told = 0;
  Object.assign(ben.ports, {
    onChanged: () => {
      told += 1;
    },
  });
  const [ofAna, ofBen] = [await follow(ana), await follow(ben)];
  await until(() => expect([ofAna.status().state, ofBen.status().state]).toEqual(['live', 'live']));
  const bytes = Buffer.from('Paid in cash');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const of = { document: 'receipt' as const, name: 'receipt.txt', type: 'text' as const, day: '2026-11-20' };
  const id = await ana.act([1], { kind: 'document', ...of, bytes: bytes.length, sha256 });
  ofAna.wake();
  await until(() => expect(ben.folds()).toEqual(ana.folds()));
  const before = told;
  const { client, team, log, computer } = await ana.sessionOf();
  const key = newestKey(log.state.members, computer);
  if (key === null) throw new Error('Ana has no key.');
  await client.putPart(id, firstDocumentPart, sealDocumentPart(bytes, 0, { team, entryId: id }, key));
  await until(() => expect(told).toBe(before + 1));
});

test('a computer that waits for an admin says so, and follows once it is admitted; a revoked one stops', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members as [Member];
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  const ben = open('ben');
  await ben.join((await ana.invite(ben.email)).invitation);
  const loop = await follow(ben);
  await until(() => expect(loop.status().state).toBe('waiting'));
  const session = await ana.sessionOf();
  await exchangeNonces(ana, ben);
  await approve(ana.ports, session, { computer: ben.computer });
  await until(() => expect(loop.status().state).toBe('live'));
  await until(() => expect(ben.folds()).toEqual(ana.folds()));
  await revoke(ana.ports, session, { computer: ben.computer });
  loop.wake();
  await until(() =>
    expect(loop.status()).toMatchObject({ state: 'stopped', problem: { code: 'team.notMember' } }),
  );
});

test('if the log before a checkpoint can’t be read, the state says why, and it is tried again', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  expect(await (await ana.sessionOf()).tendCheckpoints(1)).toBe(true);
  await ben.exchange();
  expect(await (await ben.sessionOf()).tendCheckpoints(1)).toBe(true);
  const cleo = open('cleo');
  await admit(ana, cleo);
  const session = await cleo.sessionOf();
  const { readBehind } = session;
  const failing = { ...session, readBehind: () => Promise.reject(new DeskError('disk.full')) };
  Object.assign(session, failing);
  const loop = await follow(cleo);
  await until(() => expect(loop.status()).toMatchObject({ state: 'live', problem: { code: 'disk.full' } }));
  Object.assign(session, { readBehind });
  loop.wake();
  await until(() => expect(loop.status()).toMatchObject({ state: 'live', problem: null }));
  expect(session.log.state.behind).toBeNull();
});

/** Records a member's requests to the server, each by its method and the end of its path. */
function watchRequests(member: Member): string[] {
  const asked: string[] = [];
  member.network.before = async (method, path) => void asked.push(`${method} ${path.split('/').at(-1)}`);
  return asked;
}

test('new entries arrive over one stream, without requests', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const [ofAna, ofBen] = [await follow(ana), await follow(ben)];
  await until(() => expect([ofAna.status().state, ofBen.status().state]).toEqual(['live', 'live']));
  const asked = watchRequests(ben);
  for (const claimId of [1, 2, 3]) {
    await ana.act([claimId], decisionOf('eligible'));
    ofAna.wake();
    await until(() => expect(ben.folds()).toEqual(ana.folds()));
  }
  expect(asked.filter((one) => one !== 'GET live')).toEqual([]);
  // Its own act is sent while the stream stays open.
  await ben.act([4], decisionOf('eligible'));
  ofBen.wake();
  await until(() => expect(ana.folds()).toEqual(ben.folds()));
  expect(asked).toContain('POST entries');
  expect(asked.filter((one) => one === 'GET live').length).toBeLessThanOrEqual(1);
});

test('if a proxy holds the stream back, requests that wait replace it', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  ben.network.chunk = () => undefined;
  const [ofAna, ofBen] = [await follow(ana), await follow(ben, 50)];
  await until(() => expect(ofBen.status()).toEqual({ state: 'live', problem: null, updatesBy: 'requests' }));
  const asked = watchRequests(ben);
  await ana.act([1], decisionOf('eligible'));
  ofAna.wake();
  await until(() => expect(ben.folds()).toEqual(ana.folds()));
  await until(() => expect(asked).toContain('GET head'));
  expect(asked).not.toContain('GET live');
});

test('an entry that a stream changed is not used, and is read from the server again', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await follow(ben);
  const ofAna = await follow(ana);
  // A page of a stream is checked as any other.
  const { client } = await ben.sessionOf();
  const live = client.live;
  client.live = (after, on) =>
    live(after, {
      ...on,
      onEntries: (page) => on.onEntries(page.map((entry) => ({ ...entry, hash: ana.computer }))),
    });
  await ana.act([1], decisionOf('eligible'));
  ofAna.wake();
  await until(() => expect(ben.folds()).toEqual(ana.folds()));
  expect((await ben.sessionOf()).log.state.refused).toBe(0);
});
