import { afterAll, beforeAll, expect, test } from 'vitest';
import { localDayOf } from '../../../src/rules/days.ts';
import { createLog } from '../../../src/team-server/log.ts';
import { makeSetupCode, startServer } from '../../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { codeOf, readLines, runCommand } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { decisionOf } from '../../support/review-files.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '4', '--claims', '12', '--seed', '7');
});
afterAll(() => bench.close());

/** A number as the command prints it. */
interface Printed {
  readonly claims: number;
  readonly filter?: readonly string[];
}

test('review people prints one line per person, and the filter of a number lists its claims', async () => {
  const profile = await bench.newProfile();
  const run = (...words: string[]) => runCommand(words, { profile });
  const server = await startServer({
    ...{ database: await openSqliteDatabase(makeTempFolder()), port: 0, tls: null, origin: null },
    ...{ metricsToken: null, log: createLog({ write: () => true }, Date.now) },
  });
  try {
    const session = await bench.open(profile);
    await bench.sync(session);
    const { id: workspaceId } = await session.findWorkspace();
    const [first, second] = (await bench.readAll(session, 'claims')).map(({ id }) => id as number);
    const setupCode = await makeSetupCode(server.store, Date.now());
    await session.call('team:create', { workspaceId, server: server.origin, setupCode });
    const act = (claimId: number | undefined, made: ReturnType<typeof decisionOf>) =>
      session.call('reviews:act', { workspaceId, target: { claimIds: [claimId as number] }, act: made });
    await act(first, decisionOf('eligible'));
    await act(second, decisionOf('disputed'));
    await session.close();

    const result = await run('review', 'people');
    expect(result.code, result.stderr).toBe(0);
    expect(result.stderr).toContain('list the claims of a number with its filters and --missing');
    const [person, unassigned] = readLines(result) as Record<string, Printed>[];
    expect(person).toMatchObject({
      ...{ kind: 'member', person: bench.sandbox.account.email, verified: true },
      ...{ decided: { claims: 2 }, eligible: { claims: 1 }, disputed: { claims: 1 } },
      ...{ notEligible: { claims: 0 }, reopened: { claims: 0 }, checked: { claims: 0 } },
      days: [{ day: localDayOf(new Date()), claims: 2, eligible: 1, disputed: 1 }],
    });
    expect(person?.reopened).not.toHaveProperty('filter');
    expect(unassigned).toMatchObject({ kind: 'unassigned' });
    expect(unassigned).not.toHaveProperty('decided');
    for (const number of [person?.decided, person?.eligible, person?.disputed, unassigned?.open]) {
      const filters = number?.filter?.flatMap((filter) => ['--filter', filter]) ?? [];
      const listed = await run('list', 'claims', '--missing', ...filters, '--reason', 'A test');
      expect([listed.code, listed.lines.length], listed.stderr).toEqual([0, number?.claims]);
    }
    const before = await run('review', 'people', '--from', '2020-01-01', '--to', '2020-01-31');
    expect(readLines(before)[0]).toMatchObject({ decided: { claims: 0 }, days: [] });
  } finally {
    await server.close();
  }
});

test('review people refuses an invalid period', async () => {
  const profile = await bench.newProfile();
  for (const [words, said] of [
    [['--from', '2026-11-02', '--to', '2026-11-01'], '--from is after --to'],
    [['--from', '11/02/2026'], '--from takes a date as 2024-01-31'],
  ] as const) {
    const result = await runCommand(['review', 'people', ...words], { profile });
    expect([result.code, result.stdout]).toEqual([2, '']);
    expect(result.stderr).toContain(said);
  }
  const withoutTeam = await runCommand(['review', 'people'], { profile });
  expect([withoutTeam.code, codeOf(withoutTeam)]).toEqual([1, 'team.none']);
});
