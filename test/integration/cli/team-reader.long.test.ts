import { afterAll, beforeAll, expect, test } from 'vitest';
import { setRole } from '../../../src/main/engine/team/change-members.ts';
import { approve, listJoins } from '../../../src/main/engine/team/join-team.ts';
import { createLog } from '../../../src/team-server/log.ts';
import { makeSetupCode, startServer } from '../../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { startCli } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { openMember } from '../../support/team-member.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '4', '--claims', '12', '--seed', '7');
});
afterAll(() => bench.close());

test('by commands, a computer joins with a compared code and, as a reader, undoes what it could not send', async () => {
  const { baseUrl, account } = bench.sandbox;
  const profile = await bench.newProfile();
  const server = await startServer({
    ...{ database: await openSqliteDatabase(makeTempFolder()), port: 0, tls: null, origin: null },
    ...{ metricsToken: null, log: createLog({ write: () => true }, Date.now) },
  });
  const run = async (args: string[], input?: object) => {
    const options = { profile, ...(input && { stdin: JSON.stringify(input) }) };
    const words = [...args, ...(input ? ['--input', '-'] : [])];
    const { code, stdout, stderr } = await startCli(words, options).result;
    return { code, stderr, said: stdout === '' ? null : JSON.parse(stdout.split('\n')[0] ?? '') };
  };
  try {
    const session = await bench.open(profile);
    await bench.sync(session);
    const [claim] = await bench.readAll(session, 'claims');
    await session.close();
    const service = new URL(baseUrl).origin;
    const ana = openMember(makeTempFolder(), 'ana', { now: Date.now }, { service });
    await ana.create(server.origin, await makeSetupCode(server.store, Date.now()));
    await ana.exchange();
    const admin = await ana.sessionOf();

    const { invitation } = await ana.invite(account.email);
    const asked = await run(['team', 'join'], { invitation });
    expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining('claimdesk team sync')]);
    expect((await run(['team', 'sync'])).said).toMatchObject({ state: 'connecting', code: null });
    const [join] = await listJoins(ana.ports, admin);
    expect(join).toMatchObject({ email: account.email, code: null });
    const told = await run(['team', 'sync']);
    expect(told.stderr).toContain('Tell the code to the admin');
    const [compared] = await listJoins(ana.ports, admin);
    expect(compared?.code).toBe(told.said.code);
    await approve(ana.ports, admin, { computer: compared?.computer ?? '' });
    expect((await run(['team', 'sync'])).said).toMatchObject({ role: 'reviewer', code: null });

    // The command acts before it has read of its new role.
    await setRole(ana.ports, admin, { email: account.email, role: 'reader' });
    const decide = ['review', 'set', String(claim?.id), '--state', 'done', '--outcome', 'eligible'];
    const acted = await run(decide);
    expect(acted.code, acted.stderr).toBe(0);
    await run(['team', 'sync']);
    const held = await run(['team', 'status']);
    expect(held.said).toMatchObject({ role: 'reader', held: 1 });
    expect(held.stderr).toContain('claimdesk team undo-held');
    expect((await run(decide)).stderr).toContain('team.readOnly');
    expect(await run(['team', 'undo-held'])).toMatchObject({ code: 0, said: { undone: 1, left: 0 } });
    expect((await run(['team', 'status'])).said).toMatchObject({ held: 0 });
    expect((await run(['team', 'undo-held'])).said).toEqual({ undone: 0, left: 0 });
  } finally {
    await server.close();
  }
});
