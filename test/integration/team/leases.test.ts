import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { revoke, setRole } from '../../../src/main/engine/team/change-members.ts';
import { followLeases } from '../../../src/main/engine/team/follow-leases.ts';
import { keepLive } from '../../../src/main/engine/team/keep-live.ts';
import { createNews } from '../../../src/main/engine/team/wait-for-news.ts';
import { leaseMs } from '../../../src/team-protocol/leases.ts';
import { admit, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import type { Member } from '../../support/team-member.ts';

const claimIds = Array.from({ length: 60 }, (_none, index) => index + 1);

/** A computer that follows its team, with one page. */
async function follow(member: Member, nextMs = 250, firstMs?: number) {
  const session = await member.sessionOf();
  const userData = await member.ports.getUserData(workspaceId);
  let [changes, sendings] = [0, 0];
  const limit = { nextMs };
  const leases = followLeases(session, {
    now: Date.now,
    get nextMs() {
      return limit.nextMs;
    },
    isLive: (): boolean => loop.status().state === 'live',
    hasSentAll: async () => (await userData.call('countUnsent', { workspaceId })) === 0,
    onChanged: () => {
      changes += 1;
    },
    onSending: () => {
      sendings += 1;
    },
  });
  member.followed.reportSending = leases.reportSending;
  const loop = keepLive(
    session,
    {
      ...member.ports,
      sleep: (ms, signal) => pause(Math.min(ms, 20), undefined, { signal }).catch(() => undefined),
    },
    createNews(session.client, leases.receive, firstMs),
  );
  onTestFinished(async () => {
    await leases.end();
    await loop.end();
  });
  await until(() => expect(loop.status().state).toBe('live'));
  const listedAt = member.ports.clock.now();
  return {
    loop,
    leases,
    limit,
    changes: () => changes,
    sendings: () => sendings,
    next: (left: readonly number[], page = 'page') => leases.next(page, left, listedAt),
    list: () => leases.list(claimIds).map(({ claimId, computer }) => [claimId, computer]),
    async decide(claimId: number) {
      await member.act([claimId], decisionOf('eligible'));
      loop.wake();
    },
  };
}
const openBoth = async () => {
  const opened = await openTeam('ana', 'ben');
  const [ana, ben] = opened.members as [Member, Member];
  return { opened, ana, ben, ofAna: await follow(ana), ofBen: await follow(ben) };
};
const until = (check: () => void) => vi.waitFor(check, { interval: 2 });

test('three people who work down one list from the top never meet on a claim, and miss none', async () => {
  const { members, open } = await openTeam('ana');
  const three = ['ben', 'cleo', 'dora'].map((name) => open(name, { claimIds }));
  for (const one of three) await admit(members[0], one);
  const followed = await Promise.all(three.map((one) => follow(one, 10_000)));
  const met: number[] = [];
  await Promise.all(
    followed.map(async ({ next, decide }) => {
      let at = 0;
      for (;;) {
        const { claimId } = await next(claimIds.slice(at, at + 16));
        if (claimId === null && at + 16 >= claimIds.length) break;
        if (claimId === null) {
          at += 16;
          continue;
        }
        met.push(claimId);
        at = claimIds.indexOf(claimId) + 1;
        await decide(claimId);
        // The pace is faster than a user's, and no faster than the server allows.
        await pause(200);
      }
    }),
  );
  expect(met.toSorted((one, other) => one - other)).toEqual(claimIds);
});

test('others know of an act on thousands of claims before the first of it is sent, until it is sent or its author is away', async () => {
  const many = Array.from({ length: 3_000 }, (_none, index) => index + 1);
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const ben = open('ben', { claimIds: many });
  await admit(ana, ben);
  const [ofAna, ofBen] = [await follow(ana), await follow(ben)];
  let isHeld = true;
  ben.network.before = async (method, path) => {
    while (isHeld && method === 'POST' && path.endsWith('/entries')) await pause(5);
  };
  await ben.act(many, { kind: 'flag', isFlagged: true });
  ofBen.loop.wake();
  await until(() => expect(ofAna.leases.findSending()).toEqual({ email: 'ben@example.com', claims: 3_000 }));
  expect(ofAna.sendings()).toBe(1);
  // It is no claim, and nothing of the act counts.
  expect(ofAna.list()).toEqual([]);
  expect(ana.folds()).toEqual([]);
  expect(ofBen.leases.findSending()).toBeNull();
  isHeld = false;
  await until(() => expect(ofAna.leases.findSending()).toBeNull());
  await until(() => expect(ana.folds()).toHaveLength(3_000));
  // An author whose computer is shut down.
  ofBen.leases.reportSending(3_000);
  await until(() => expect(ofAna.leases.findSending()).not.toBeNull());
  await ofBen.leases.end();
  await until(() => expect(ofAna.leases.findSending()).toBeNull());
});

test('others no longer wait for an act whose author’s computer stopped silently a minute after announcing it', async () => {
  const { opened, ben, ofAna, ofBen } = await openBoth();
  ofBen.leases.reportSending(3_000);
  await until(() => expect(ofAna.leases.findSending()).toMatchObject({ claims: 3_000 }));
  await ofBen.loop.end();
  ben.network.before = async () => {
    throw new Error('The computer is off.');
  };
  /** Changes what is open, so that the leases are sent again. */
  const tellAgain = async (claimId: number) => {
    const before = ofAna.changes();
    ofAna.leases.show('page', claimId);
    await until(() => expect(ofAna.changes()).toBeGreaterThan(before));
  };
  opened.clock.nowMs += leaseMs - 1_000;
  await tellAgain(1);
  expect(ofAna.leases.findSending()).toMatchObject({ claims: 3_000 });
  opened.clock.nowMs += 1_001;
  await tellAgain(2);
  expect(ofAna.leases.findSending()).toBeNull();
  expect(ofAna.sendings()).toBe(2);
});

test('others see immediately which claim is open, and that it was left; ending the program returns it', async () => {
  const { ana, ofAna, ofBen } = await openBoth();
  ofAna.leases.show('page', 3);
  await until(() => expect(ofBen.list()).toEqual([[3, ana.computer]]));
  expect(ofAna.list()).toEqual([]);
  expect(ofBen.changes()).toBe(1);
  // Another window on the same computer, and one that moves on.
  ofAna.leases.show('other', 5);
  ofAna.leases.show('page', 4);
  await until(() =>
    expect(ofBen.list()).toEqual([
      [4, ana.computer],
      [5, ana.computer],
    ]),
  );
  expect(await ofBen.next([4, 5, 6, 7])).toEqual({ claimId: 6, open: 2 });
  expect(await ofBen.next([4, 5])).toEqual({ claimId: null, open: 2 });
  ofAna.leases.show('page', null);
  await until(() => expect(ofBen.list()).toEqual([[5, ana.computer]]));
  await ofAna.leases.end();
  await until(() => expect(ofBen.list()).toEqual([]));
});

test('whatever three computers open and leave, in the end each sees exactly what the others have open', async () => {
  const { members } = await openTeam('ana', 'ben', 'cleo');
  const followed = await Promise.all(members.map((one) => follow(one)));
  const step = fc.record({ on: fc.nat(2), page: fc.constantFrom('one', 'two'), claim: fc.option(fc.nat(3)) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 15 }), async (steps) => {
      const shown = members.map(() => new Map<string, number | null>());
      for (const { on, page, claim } of steps) {
        const claimId = claim === null ? null : claim + 1;
        followed[on]?.leases.show(page, claimId);
        shown[on]?.set(page, claimId);
      }
      const openOn = (on: number): string[] =>
        [...new Set(shown[on]?.values())].flatMap((one) =>
          one === null ? [] : [`${one} ${members[on]?.computer}`],
        );
      for (const [on, one] of followed.entries()) {
        const others = members.flatMap((_member, other) => (other === on ? [] : openOn(other))).sort();
        await until(() =>
          expect(
            one
              .list()
              .map((lease) => lease.join(' '))
              .sort(),
          ).toEqual(others),
        );
      }
      // The next ones begin with nothing open.
      for (const [on, { leases }] of followed.entries())
        for (const page of shown[on]?.keys() ?? []) leases.show(page, null);
      for (const one of followed) await until(() => expect(one.list()).toEqual([]));
    }),
    { numRuns: Math.min(fuzzRuns(1), 100) },
  );
}, 600_000);

test('whoever opened a claim first is notified of others who open it, and they learn who was first', async () => {
  const { members } = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = members as [Member, Member, Member];
  const [ofAna, ofBen, ofCleo] = [await follow(ana), await follow(ben), await follow(cleo)];
  const openers = ({ leases }: typeof ofAna) =>
    leases.list([3]).map(({ computer, isFirst }) => [computer, isFirst]);
  ofAna.leases.show('page', 3);
  await until(() => expect(openers(ofBen)).toEqual([[ana.computer, true]]));
  ofBen.leases.show('page', 3);
  await until(() => expect(openers(ofAna)).toEqual([[ben.computer, false]]));
  ofCleo.leases.show('page', 3);
  await until(() => expect(openers(ofBen)).toHaveLength(2));
  expect(openers(ofBen)).toEqual([
    [ana.computer, true],
    [cleo.computer, false],
  ]);
  // The next one has it when the first one leaves.
  ofAna.leases.show('page', null);
  await until(() => expect(openers(ofAna)).toContainEqual([ben.computer, true]));
  ofBen.leases.show('page', null);
  await until(() => expect(openers(ofBen)).toEqual([[cleo.computer, true]]));
  await until(() => expect(openers(ofAna)).toEqual([[cleo.computer, true]]));
  expect(openers(ofCleo)).toEqual([]);
});

test('open claims are sent over the stream of entries, without requests; otherwise with requests that wait', async () => {
  const { members } = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = members as [Member, Member, Member];
  cleo.network.chunk = () => undefined;
  const [ofAna, ofBen] = [await follow(ana), await follow(ben)];
  const ofCleo = await follow(cleo, 250, 50);
  await until(() => expect(ofCleo.loop.status().updatesBy).toBe('requests'));
  const asked: string[] = [];
  ben.network.before = async (method, path) => void asked.push(`${method} ${path}`);
  for (const claimId of [1, 2]) {
    ofAna.leases.show('page', claimId);
    for (const { list } of [ofBen, ofCleo])
      await until(() => expect(list()).toContainEqual([claimId, ana.computer]));
  }
  await ofAna.leases.end();
  for (const { list } of [ofBen, ofCleo]) await until(() => expect(list()).toEqual([]));
  expect(asked).toEqual([]);
});

test('a claim that was left is free only after the decision on it can be read', async () => {
  const { ana, ofAna, ofBen } = await openBoth();
  await ofAna.next([1]);
  // The act does not arrive while the line is cut for entries.
  let isCut = true;
  ana.network.before = async (method, path) => {
    if (isCut && method === 'POST' && path.endsWith('/entries')) throw new Error('cut');
  };
  await ofAna.decide(1);
  ofAna.leases.show('page', 2);
  await pause(1_500);
  await until(() => expect(ofBen.list().map(([claimId]) => claimId)).toContain(1));
  isCut = false;
  ofAna.loop.wake();
  await until(() => expect(ofBen.list()).toEqual([[2, ana.computer]]));
  expect(await ofBen.next([1, 2, 3])).toEqual({ claimId: 3, open: 1 });
});

test('nothing waits for a server that is slow or can’t be reached, and what others have open is then not shown', async () => {
  const { opened, ben, ofAna, ofBen } = await openBoth();
  ofAna.leases.show('page', 1);
  await until(() => expect(ofBen.list()).toHaveLength(1));
  const answered = Promise.withResolvers<void>();
  ben.network.before = async (method, path) => {
    if (method === 'POST' && path.endsWith('/leases')) await answered.promise;
  };
  const began = performance.now();
  expect(await ofBen.next([1, 2])).toEqual({ claimId: 2, open: 1 });
  expect(performance.now() - began).toBeGreaterThan(240);
  // It is known to be slow: whatever waited for it now would wait longer than the test may take.
  ofBen.limit.nextMs = 3_600_000;
  expect(await ofBen.next([1, 3])).toEqual({ claimId: 3, open: 1 });
  answered.resolve();
  await opened.close();
  await until(() => expect(ofBen.list()).toEqual([]));
  await until(() => expect(ofBen.loop.status().state).toBe('offline'));
  expect(await ofBen.next([1, 2])).toEqual({ claimId: 1, open: 0 });
});

test('a revoked computer and a reader keep no one from a claim', async () => {
  const { ana, ben, ofAna, ofBen } = await openBoth();
  const session = await ana.sessionOf();
  ofBen.leases.show('page', 1);
  await until(() => expect(ofAna.list()).toEqual([[1, ben.computer]]));
  await setRole(ana.ports, session, { email: ben.email, role: 'reader' });
  await until(() => expect(ofAna.list()).toEqual([]));
  await setRole(ana.ports, session, { email: ben.email, role: 'reviewer' });
  await until(() => expect(ofAna.list()).toEqual([[1, ben.computer]]));
  await revoke(ana.ports, session, { computer: ben.computer });
  await until(() => expect(ofAna.list()).toEqual([]));
  expect(await ofAna.next([1, 2])).toEqual({ claimId: 1, open: 0 });
});
