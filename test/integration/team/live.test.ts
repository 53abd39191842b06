import { expect, onTestFinished, test, vi } from 'vitest';
import { keepLive } from '../../../src/main/engine/team/team-session.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { startTestServer } from '../../support/team-server.ts';

async function follow(member: Member) {
  const loop = keepLive(await member.sessionOf(), {
    ...member.ports,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, 5);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  });
  onTestFinished(() => loop.end());
  return loop;
}
const until = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 });

test('an act is seen by a colleague at once, kept while the server is away, and sent when it is back', async () => {
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
  await until(() => expect(ofBen.status()).toEqual({ state: 'live', problem: null }));
  expect(ana.folds().map(({ claimId }) => claimId)).toEqual([1, 2]);
});

test('a computer that waits for an admin says so, and follows once it is admitted; a revoked one stops', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members as [Member];
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  const ben = open('ben');
  await ben.join((await ana.invite()).invitation);
  const loop = await follow(ben);
  await until(() => expect(loop.status().state).toBe('waiting'));
  const { approve, revoke } = await import('../../../src/main/engine/team/change-members.ts');
  const session = await ana.sessionOf();
  await approve(ana.ports, session, { computer: ben.computer, role: 'reviewer' });
  await until(() => expect(loop.status().state).toBe('live'));
  await until(() => expect(ben.folds()).toEqual(ana.folds()));
  await revoke(ana.ports, session, { computer: ben.computer });
  loop.wake();
  await until(() =>
    expect(loop.status()).toMatchObject({ state: 'stopped', problem: { code: 'team.notMember' } }),
  );
});
