import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { approve, listJoins } from '../../../src/main/engine/team/change-members.ts';
import type { DeskError } from '../../../src/main/lib/errors.ts';
import { createLog } from '../../../src/team-server/log.ts';
import { makeSetupCode, startServer } from '../../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import { type Member, openMember } from '../../support/team-member.ts';

const claimIds = [1, 2, 3];
const names = ['a', 'b', 'c'] as const;
const [minuteMs, dayMs] = [60_000, 86_400_000];
const outcomes = ['eligible', 'notEligible', 'disputed'] as const;

const on = fc.nat(names.length - 1);
const claim = fc.constantFrom(...claimIds);
const step = fc.oneof(
  fc.record({ kind: fc.constant('decide' as const), on, claim, outcome: fc.nat(2) }),
  fc.record({ kind: fc.constantFrom('flag' as const, 'pay' as const, 'note' as const), on, claim }),
  fc.record({ kind: fc.constantFrom('undo' as const, 'sync' as const, 'restart' as const), on }),
  fc.record({ kind: fc.constant('change' as const), claim }),
  // The request of this number fails, before the server gets it or after it answered; 9: none does.
  fc.record({ kind: fc.constant('exchange' as const), on, cutAt: fc.nat(9), isAfter: fc.boolean() }),
  fc.record({ kind: fc.constant('restore' as const), back: fc.integer({ min: 1, max: 4 }) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** How far each computer's clock is off. */
const clocks = fc.tuple(...names.map(() => fc.constantFrom(0, 90_000, -90_000, 3 * dayMs, -5 * dayMs)));

async function runSteps([offsets, steps]: [number[], Step[]]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-team-model-'));
  let trueMs = Date.parse('2026-03-01T12:00:00Z');
  const serverFolder = mkdtempSync(join(tmpdir(), 'claimdesk-team-server-'));
  const start = async (port: number) =>
    startServer({
      ...{
        database: await openSqliteDatabase(serverFolder),
        port,
        tls: null,
        origin: null,
        hasTimers: false,
      },
      ...{ now: () => trueMs, log: createLog({ write: () => true }, () => trueMs), metricsToken: null },
      limits: { computer: { capacity: 1e6, perSecond: 1e6 } },
    });
  let server = await start(0);
  const port = Number(new URL(server.origin).port);
  const members = names.map((name, index) =>
    openMember(folder, name, { now: () => trueMs + (offsets[index] ?? 0) }, { claimIds }),
  );
  const [first, ...others] = members as [Member, ...Member[]];
  const service = new Map(claimIds.map((id) => [id, 10]));
  const changedAt = new Map<number, number>();
  const sync = async ({ opened, reviews }: Member): Promise<void> => {
    opened.ingest(
      'claims',
      [...service].map(([id, paid]) => ({
        ...{ id, status: 'Processed', amount_paid: paid },
        modifieddate: new Date(changedAt.get(id) ?? 0).toISOString(),
      })),
    );
    opened.write.markClaimsRead(new Date(trueMs).toISOString());
    await reviews.settleAfterSync(workspaceId);
  };
  /** IDs of acts that were acknowledged. */
  const acknowledged = new Set<string>();
  try {
    for (const member of members) await sync(member);
    await first.create(server.origin, await makeSetupCode(server.store, trueMs));
    await first.exchange();
    for (const other of others) {
      await other.join((await first.invite()).invitation);
      const session = await first.sessionOf();
      const [join] = (await listJoins(first.ports, session)).filter(({ email }) => email === other.email);
      await approve(first.ports, session, { computer: join?.computer ?? '', role: 'reviewer' });
      await other.exchange();
    }
    for (const one of steps) {
      trueMs += minuteMs;
      if (one.kind === 'change') {
        service.set(one.claim, (service.get(one.claim) ?? 0) + 1);
        changedAt.set(one.claim, trueMs);
        continue;
      }
      if (one.kind === 'restore') {
        await server.close();
        const database = await openSqliteDatabase(serverFolder);
        const [head] = await database.all<{ number: number }>('SELECT number FROM teams');
        // Before the first entries there is no team with these people.
        const to = Math.max(names.length, Number(head?.number) - one.back);
        for (const table of ['part_arrivals', 'parts', 'entries'])
          await database.all(`DELETE FROM ${table} WHERE number>$1`, [to]);
        await database.all(
          `UPDATE teams SET number=$1, hash=(SELECT hash FROM entries WHERE number=$1),
           membership=(SELECT max(number) FROM entries WHERE kind='membership')`,
          [to],
        );
        await database.close();
        server = await start(port);
        continue;
      }
      const member = members[one.on] as Member;
      const { reviews } = member;
      const act = async (wanted: Parameters<typeof reviews.act>[2]) => {
        acknowledged.add(await member.act('claim' in one ? [one.claim] : [], wanted));
      };
      const decision = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;
      if (one.kind === 'decide')
        await act({ ...decision, state: 'done', outcome: outcomes[one.outcome] ?? 'eligible' });
      if (one.kind === 'flag') await act({ kind: 'flag', isFlagged: true });
      if (one.kind === 'note') await act({ kind: 'note', text: `by ${member.name}` });
      if (one.kind === 'pay')
        await act({ kind: 'payment', payment: 'reimbursed', amount: 10_000, day: '2026-02-01', account: '' });
      if (one.kind === 'undo') {
        const found = await reviews.findUndoable(workspaceId);
        if (found !== null) await reviews.undo(workspaceId, found.id);
      }
      if (one.kind === 'sync') await sync(member);
      if (one.kind === 'restart') member.restart();
      if (one.kind === 'exchange') {
        let requests = 0;
        const cut = async (): Promise<void> => {
          requests += 1;
          if (requests === one.cutAt + 1 && one.cutAt < 9) throw new TypeError('cut');
        };
        if (one.isAfter) member.network.after = cut;
        else member.network.before = cut;
        await member.exchange().catch(({ code }: DeskError) => {
          expect(['team.unreachable', 'team.clockDiffers']).toContain(code);
        });
        delete member.network.after;
        delete member.network.before;
      }
    }

    trueMs += minuteMs;
    /** Until nobody has anything that another lacks; a clock that is ahead needs an exchange more. */
    const exchangeAll = async (): Promise<void> => {
      for (let round = 0; round < 6; round += 1)
        for (const member of members)
          await member.exchange().catch(({ code }: DeskError) => expect(code).toBe('team.clockDiffers'));
    };
    await exchangeAll();
    const folds = first.folds();
    for (const member of members) {
      expect(member.folds(), member.name).toEqual(folds);
      expect(member.unsent(), member.name).toBe(0);
      const ids = (await member.history()).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of acknowledged) expect(ids).toContain(id);
      expect((await member.sessionOf()).log.state.refused, member.name).toBe(0);
    }

    // With the newest records everywhere, what changed since its review is to be reviewed again everywhere.
    for (const member of members) await sync(member);
    await exchangeAll();
    for (const member of members) expect(member.folds(), member.name).toEqual(first.folds());
  } finally {
    for (const { file } of members) file.close();
    await server.close();
    for (const path of [folder, serverFolder]) rmSync(path, { recursive: true, force: true });
  }
}

test('computers that act, exchange, are cut off and start again, with any clocks and a server from a backup, end with the same reviews', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(clocks, fc.array(step, { minLength: 8, maxLength: 25 })), runSteps),
    { numRuns: fuzzRuns(4) },
  );
}, 300_000);
