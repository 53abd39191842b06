import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../../src/team-server/log.ts';
import { makeSetupCode, startServer } from '../../../src/team-server/server.ts';
import { openSqliteDatabase } from '../../../src/team-server/store/sqlite-database.ts';
import { startCli } from '../../support/cli-run.ts';
import { openBench } from '../../support/engine-session.ts';
import { decisionOf } from '../../support/review-files.ts';
import { compareCodes } from '../../support/team-sessions.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

/** The types of the keys whose signatures stock ssh-keygen finds good: those of all certificates in a file. */
function checkCertificates(file: string): (string | undefined)[] {
  const folder = makeTempFolder();
  const [signers, signed] = [join(folder, 'signers'), join(folder, 'body.sig')];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line.startsWith('{"certificate"') ? [JSON.parse(line).certificate] : []))
    .map(({ email, sshKey, body, signature }: Record<string, string>) => {
      writeFileSync(signers, `${email} ${sshKey}\n`);
      writeFileSync(signed, signature ?? '');
      const args = [
        '-Y',
        'verify',
        '-f',
        signers,
        '-I',
        email ?? '',
        '-n',
        'computer@claimdesk',
        '-s',
        signed,
      ];
      const said = execFileSync('ssh-keygen', args, { input: body, encoding: 'utf8', stdio: 'pipe' });
      expect(said).toContain(`Good "computer@claimdesk" signature for ${email}`);
      return sshKey?.split(' ')[0];
    });
}

test('two profiles make a team through the whole app: main’s keys, the engine, the server', async () => {
  const bench = await openBench('--members', '4', '--claims', '12', '--seed', '7');
  const lines: string[] = [];
  const server = await startServer({
    ...{ database: await openSqliteDatabase(makeTempFolder()), port: 0, tls: null, origin: null },
    ...{ metricsToken: null, log: createLog({ write: (text: string) => lines.push(text) > 0 }, Date.now) },
  });
  const herePath = await bench.newProfile();
  const [here, there] = [await bench.open(herePath), await bench.open(await bench.newProfile())];
  let isHereOpen = true;
  try {
    const workspaceId = (await here.findWorkspace()).id;
    for (const session of [here, there]) await bench.sync(session);
    const [claim = { id: 0 }] = await bench.readAll(here, 'claims');
    const claimId = claim.id as number;
    expect(await here.call('team:getStatus', { workspaceId })).toBeNull();
    await expect(here.call('team:sync', { workspaceId })).rejects.toMatchObject({ code: 'team.none' });
    const wanted = { workspaceId, server: server.origin };
    await expect(here.call('team:create', { ...wanted, setupCode: 'wrong' })).rejects.toMatchObject({
      code: 'team.wrongSetupCode',
    });
    expect((await here.findWorkspace()).team).toBeUndefined();
    const setupCode = await makeSetupCode(server.store, Date.now());
    const { recoveryKey } = await here.call('team:create', { ...wanted, setupCode });
    expect(recoveryKey).toMatch(/^([A-Z0-9]{4}[- ]?){14}$/);
    expect((await here.findWorkspace()).team).toMatchObject({ server: server.origin });

    const whom = { email: bench.sandbox.account.email, role: 'admin' as const };
    await expect(here.call('team:invite', { workspaceId, ...whom })).rejects.toMatchObject({
      code: 'team.recoveryKeyNotTried',
    });
    const { invitation } = await here.call('team:invite', { workspaceId, ...whom, recoveryKey });
    await there.call('team:join', { workspaceId, invitation });
    const { code, email, computer } = await compareCodes(here, there, workspaceId);
    expect([code, email]).toEqual([
      (await there.call('team:getStatus', { workspaceId }))?.code,
      bench.sandbox.account.email,
    ]);
    await here.call('team:approve', { workspaceId, computer, acceptsOtherKey: true });
    expect(await there.call('team:sync', { workspaceId })).toMatchObject({ role: 'admin', unsent: 0 });

    await here.call('reviews:act', {
      workspaceId,
      target: { claimIds: [claimId] },
      act: decisionOf('eligible'),
    });
    expect(await here.call('team:sync', { workspaceId })).toMatchObject({ unsent: 0, refused: 0 });
    await there.call('team:sync', { workspaceId });
    expect(await there.call('reviews:get', { workspaceId, claimId })).toMatchObject({ outcome: 'eligible' });
    const { members } = await there.call('team:listMembers', { workspaceId });
    expect(members).toMatchObject([
      { isYou: true, role: 'admin', computers: [{ isThis: false }, { isThis: true }] },
    ]);

    // The team has the settings of its maker, and each computer has told what its records have.
    for (const session of [here, there])
      await vi.waitFor(
        async () => {
          const { settings, computers } = await session.call('team:getSettings', { workspaceId });
          expect(settings).not.toBeNull();
          expect(computers).toMatchObject([{ hasSameEmployers: true }, { hasSameEmployers: true }]);
          expect(computers.map(({ employers }) => employers)).not.toContain(null);
        },
        { timeout: 20_000 },
      );
    const path = join(makeTempFolder(), 'team.jsonl');
    const targetId = await there.addSaveTarget(path, 'teamLog');
    const { verdict, sha256 } = await there.call('team:export', { workspaceId, targetId, reason: 'audit' });
    expect(verdict).toMatchObject({ isWhole: true, entries: 6, leftOut: 0 });
    expect(await here.call('team:verify', { workspaceId })).toEqual(verdict);
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(sha256);
    // The check runs as for a user who has the file and nothing else.
    const profile = join(makeTempFolder(), 'no profile');
    const env = { CLAIMDESK_VAULT_PASSPHRASE: undefined };
    const verify = () => startCli(['team', 'verify', path], { profile, env }).result;
    const verified = await verify();
    expect(verified).toMatchObject({ code: 0, stderr: expect.stringContaining('is whole: 6 entries of 2') });
    const decided = readFileSync(path, 'utf8')
      .split('\n')
      .find((line) => line.includes('eligible'));
    const number = /"number":(\d+)/.exec(decided ?? '')?.[1];
    writeFileSync(path, readFileSync(path, 'utf8').replace('eligible', 'disputed'));
    const changed = await verify();
    expect(changed.code).toBe(1);
    expect(changed.stderr).toContain(
      `is not whole (entry ${number}: its content isn’t what its author signed).`,
    );
    expect(existsSync(profile)).toBe(false);

    // Another SSH key, by a rotation: the members learn of it with the next exchange.
    const { newKey } = await here.call('rotation:begin', { workspaceId, type: 'ecdsa-256' });
    await bench.sandbox.control('POST', '/keys', { name: 'next', publicKey: newKey?.publicKey });
    const rotated = await here.call('rotation:answer', { workspaceId, answer: 'registered' });
    expect(rotated.step).toBe('switched');
    await here.call('rotation:answer', { workspaceId, answer: 'keepOld' });
    for (const session of [here, there, here]) await session.call('team:sync', { workspaceId });
    const { members: after } = await there.call('team:listMembers', { workspaceId });
    expect(after[0]?.computers.map(({ fingerprint }) => fingerprint)).toEqual([
      newKey?.fingerprint,
      members[0]?.computers[1]?.fingerprint,
    ]);
    expect(await there.call('team:verify', { workspaceId })).toMatchObject({ isWhole: true, entries: 7 });
    const later = join(makeTempFolder(), 'team.jsonl');
    const laterTarget = await there.addSaveTarget(later, 'teamLog');
    await there.call('team:export', { workspaceId, targetId: laterTarget, reason: 'audit' });
    expect(checkCertificates(later)).toEqual(['ssh-ed25519', 'ssh-ed25519', 'ecdsa-sha2-nistp256']);

    await there.call('team:leave', { workspaceId });
    expect(await there.call('team:getStatus', { workspaceId })).toBeNull();
    expect(await there.call('reviews:get', { workspaceId, claimId })).toMatchObject({ outcome: 'eligible' });
    expect(await here.call('team:sync', { workspaceId })).toMatchObject({ state: expect.any(String) });
    const { entries } = await there.call('audit:list', { offset: 0, limit: 50 });
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['team.joined', 'team.left', 'team.exported']),
    );
    expect(lines.join('')).not.toContain(bench.sandbox.account.email);

    // The two-person rule and another recovery key, by commands.
    await here.close();
    isHereOpen = false;
    const run = async (args: string[], input?: object) => {
      const options = { profile: herePath, ...(input && { stdin: JSON.stringify(input) }) };
      const { code, stdout, stderr } = await startCli(
        ['team', ...args, ...(input ? ['--input', '-'] : [])],
        options,
      ).result;
      return { code, stderr, said: stdout === '' ? null : JSON.parse(stdout) };
    };
    expect(await run(['settings', '--two-people-above', '250.50'])).toMatchObject({
      said: { twoPeopleAbove: 250.5, planYearStarts: expect.any(Object) },
    });
    expect((await run(['settings', '--two-people-above', 'some'])).code).toBe(2);
    expect((await run(['settings', '--two-people-above', 'none'])).said).toMatchObject({
      twoPeopleAbove: null,
    });
    // Who decided a claim doesn't pay it above the amount: the row is left out, and named.
    const csv = join(makeTempFolder(), 'payments.csv');
    writeFileSync(csv, `claim,amount,date\n${claimId},300,2026-01-02\n`);
    await run(['settings', '--two-people-above', '250.50']);
    const paid = await startCli(['review', 'pay', '--file', csv], { profile: herePath }).result;
    expect(JSON.parse(paid.stdout)).toMatchObject({
      ...{ eventId: null, payments: 0 },
      unmatched: [{ line: 2, reason: 'needsSecond', rule: { above: 250.5, over: 49.5 } }],
    });
    expect(paid.stderr).toContain('1 left out: the team’s two-person rule needs another person');
    const made = await run(['recover', '--renew']);
    expect(made.said).toMatchObject({ server: server.origin, team: expect.any(String) });
    expect(made.stderr).toContain('Nothing is changed yet.');
    const renew = (key: string) => run(['recover', '--renew', '--yes'], { 'recovery-key': key });
    const asked = await run(['recover', '--renew'], { 'recovery-key': made.said.recoveryKey });
    expect(asked.stderr).toContain('app.notConfirmed');
    expect((await renew(recoveryKey)).said).toEqual({ event: 'unchanged' });
    expect(await renew(made.said.recoveryKey)).toEqual({
      ...{ code: 0, said: { event: 'replaced' } },
      stderr: expect.stringContaining('Destroy the former page.'),
    });
    expect((await renew(made.said.recoveryKey)).said).toEqual({ event: 'unchanged' });
    expect((await renew(recoveryKey)).code).toBe(1);
  } finally {
    if (isHereOpen) await here.close();
    await there.close();
    await server.close();
    await bench.close();
  }
});
