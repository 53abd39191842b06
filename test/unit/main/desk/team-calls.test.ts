import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import { expect, test, vi } from 'vitest';
import type { DeskPorts, Question } from '../../../../src/main/desk/desk-state.ts';
import {
  type CertificateBody,
  certifiedComputer,
  readCertificateBody,
} from '../../../../src/team-protocol/certificate.ts';
import { sealGrant } from '../../../../src/team-protocol/grant.ts';
import { readSigningKey } from '../../../../src/team-protocol/sign-entry.ts';
import { createAuthenticator } from '../../../../src/team-server/callers.ts';
import { givenCheapSecrets, vaultPassphrase } from '../../../support/cheap-secrets.ts';
import { testBytes } from '../../../support/seeds.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();
const team = testBytes(16, 1).toString('base64url');
const otherTeam = testBytes(16, 2).toString('base64url');
const server = 'https://team.example.org';

/** A desk of the desktop app with a workspace and its key, whose dialogs are answered as told. */
async function givenDesk(ports: Partial<DeskPorts> = {}) {
  const asked: Question[] = [];
  const answer = { isYes: true };
  const desk = openTestDesk({
    profileDir: profileDir(),
    ports: {
      shell: 'electron',
      async confirm(question) {
        asked.push(question);
        return answer.isYes;
      },
      ...ports,
    },
  });
  const workspace = { baseUrl: 'https://claims.example.com', email: 'a@example.com', name: 'Ours' };
  const { id: workspaceId } = await desk.call('workspaces:add', workspace);
  await desk.call('keys:generate', { type: 'ed25519', workspaceId });
  const main = await desk.main();
  const bind = (wanted: { server?: string; team?: string } = {}) =>
    main.bindTeam({ workspaceId, server, team, ...wanted });
  const readTeam = async () => (await desk.call('workspaces:list', {})).workspaces[0]?.team;
  const certify = async (of: string | null): Promise<CertificateBody> => {
    const { body } = await main.certifyComputer({ workspaceId, team: of });
    return readCertificateBody(body) as CertificateBody;
  };
  const { id: profileId } = JSON.parse(await readFile(join(profileDir(), 'profile.json'), 'utf8')) as {
    id: string;
  };
  const readSecret = () => desk.secrets.get(`team-computer/${profileId}/${workspaceId}`);
  asked.length = 0;
  desk.audit.length = 0;
  return { desk, main, workspaceId, asked, answer, bind, readTeam, certify, readSecret };
}

test('a workspace is bound to a team only when the user confirmed it outside the page', async () => {
  const { desk, asked, answer, bind, readTeam, workspaceId } = await givenDesk();
  answer.isYes = false;
  await expect(bind()).rejects.toMatchObject({ code: 'app.notConfirmed' });
  expect(asked).toMatchObject([
    { message: 'Share the reviews of “Ours” with the team at team.example.org?' },
  ]);
  expect(await readTeam()).toBeUndefined();
  expect(desk.audit).toEqual([]);
  answer.isYes = true;
  await bind({ server: `${server}/` });
  expect(await readTeam()).toEqual({ server, id: team });
  const details = { server: 'team.example.org', team };
  expect(desk.audit).toEqual([{ action: 'team.joined', workspaceId, details }]);
  expect(desk.events.at(-1)).toEqual({ name: 'workspaces:changed', payload: { activeId: workspaceId } });
  // The same again is no question; another address of the team is.
  await bind();
  expect(asked).toHaveLength(2);
  await bind({ server: 'https://new.example.org' });
  expect(asked).toHaveLength(3);
  expect(await readTeam()).toEqual({ server: 'https://new.example.org', id: team });
});

test('a workspace has one team until it leaves that team', async () => {
  const { desk, main, workspaceId, asked, bind, readTeam, readSecret, certify } = await givenDesk();
  await bind();
  const before = await certify(team);
  await expect(bind({ team: otherTeam })).rejects.toMatchObject({ code: 'team.otherTeam' });
  expect(asked).toHaveLength(1);
  await main.unbindTeam({ workspaceId });
  expect(await readTeam()).toBeUndefined();
  expect(await readSecret()).toBeNull();
  expect(desk.actions()).toEqual(['team.joined', 'team.left']);
  await main.unbindTeam({ workspaceId });
  expect(desk.actions()).toHaveLength(2);
  await bind({ team: otherTeam });
  // A team takes no computer twice.
  expect(certifiedComputer(await certify(otherTeam))).not.toBe(certifiedComputer(before));
});

test.each([
  [{ server: 'http://team.example.org' }, 'workspace.insecureUrl'],
  [{ server: 'team' }, 'workspace.badUrl'],
  [{ team: 'short' }, 'internal.fault'],
])('%o is refused', async (wanted, code) => {
  const { asked, bind, readTeam } = await givenDesk();
  const refused = await bind(wanted).then(
    () => 'bound',
    (thrown: { code?: string }) => thrown.code ?? 'internal.fault',
  );
  expect(refused).toBe(code);
  expect(asked).toEqual([]);
  expect(await readTeam()).toBeUndefined();
});

test('the policy names the servers that are allowed, without a question', async () => {
  const { asked, bind, readTeam } = await givenDesk({ policy: { teamServers: [server] } });
  const other = { server: 'https://other.example.org' };
  await expect(bind(other)).rejects.toMatchObject({ code: 'team.serverNotAllowed' });
  await bind();
  expect(await readTeam()).toMatchObject({ server });
  expect(asked).toEqual([]);
});

test('a server that is no longer allowed gets no token', async () => {
  const before = await givenDesk();
  await before.bind();
  const { workspaceId } = before;
  await before.main.getTeamToken({ workspaceId, offsetSeconds: 0 });
  await before.desk.desk.close();
  const desk = openTestDesk({ profileDir: profileDir(), ports: { policy: { teamServers: [] } } });
  const asked = (await desk.main()).getTeamToken({ workspaceId, offsetSeconds: 0 });
  await expect(asked).rejects.toMatchObject({ code: 'team.serverNotAllowed' });
});

test('at a command line nothing more is asked', async () => {
  const { bind, asked } = await givenDesk({ shell: 'cli' });
  await bind();
  expect(asked).toEqual([]);
});

test('a team server gets tokens of this computer, and none of a person’s SSH key', async () => {
  const { main, workspaceId, bind, certify } = await givenDesk();
  const wanted = { workspaceId, offsetSeconds: 0 };
  await expect(main.getTeamToken(wanted)).rejects.toMatchObject({ code: 'team.none' });
  await bind();
  const body = await certify(team);
  const token = await main.getTeamToken(wanted);
  const nowMs = Date.UTC(2026, 10, 20);
  const verify = (audience: string) =>
    jwtVerify(token, readSigningKey(Buffer.from(body.signingKey, 'base64url')), {
      audience,
      subject: certifiedComputer(body),
      currentDate: new Date(nowMs),
    });
  const { payload } = await verify(server);
  const authenticator = createAuthenticator(
    () => server,
    () => nowMs,
  );
  await authenticator.verify(token, certifiedComputer(body), body.signingKey);
  expect(Object.keys(payload).sort()).toEqual(['aud', 'exp', 'iat', 'sub']);
  await expect(verify('https://claims.example.com')).rejects.toMatchObject({ claim: 'aud' });
  expect(await main.getTeamToken(wanted)).toBe(token);
});

test('if the shell has no dialog, the page’s own confirmation counts', async () => {
  const before = await givenDesk();
  await before.desk.desk.close();
  const desk = openTestDesk({ profileDir: profileDir() });
  await (await desk.main()).bindTeam({ workspaceId: before.workspaceId, server, team });
  expect(await before.readTeam()).toEqual({ server, id: team });
});

test('if a passphrase is required and none is set, no workspace is bound', async () => {
  const before = await givenDesk();
  await before.desk.desk.close();
  const policy = { requireUnlockPassphrase: true };
  const desk = openTestDesk({ profileDir: profileDir(), ports: { policy } });
  const bound = (await desk.main()).bindTeam({ workspaceId: before.workspaceId, server, team });
  await expect(bound).rejects.toMatchObject({ code: 'policy.passphraseNeeded' });
});

test('the certificate for a team is not the one for files', async () => {
  const { certify } = await givenDesk();
  const [files, ofTeam] = [await certify(null), await certify(team)];
  expect(files.team).toBeNull();
  expect(ofTeam).toEqual({ ...files, team });
});

test('a team key is opened only from a grant for this computer', async () => {
  const { main, workspaceId, bind, certify } = await givenDesk();
  const body = await certify(team);
  const key = testBytes(32, 3);
  const position = { team, generation: 2, computer: certifiedComputer(body) };
  const grant = sealGrant({ ...position, key, sealingKey: body.sealingKey });
  const wanted = { workspaceId, generation: 2, grant };
  await expect(main.openGrant(wanted)).rejects.toMatchObject({ code: 'team.none' });
  await bind();
  expect(await main.openGrant(wanted)).toBe(key.toString('base64'));
  expect(await main.openGrant({ ...wanted, generation: 1 })).toBeNull();
  const ofOther = sealGrant({ ...position, team: otherTeam, key, sealingKey: body.sealingKey });
  expect(await main.openGrant({ ...wanted, grant: ofOther })).toBeNull();
});

test('a locked desk answers nothing of a team, and drops its tokens', async () => {
  givenCheapSecrets(profileDir());
  const { desk, main, workspaceId, bind, certify } = await givenDesk();
  await bind();
  await certify(team);
  const wanted = { workspaceId, offsetSeconds: 0 };
  const read = vi.spyOn(desk.secrets, 'get');
  for (const _again of [1, 2]) await main.getTeamToken(wanted);
  expect(read).toHaveBeenCalledTimes(1);
  await desk.call('lock:lock', {});
  for (const call of [
    () => main.getTeamToken(wanted),
    () => main.certifyComputer({ workspaceId, team }),
    () => main.signHeaders({ workspaceId, headers: [] }),
    () => main.openGrant({ workspaceId, generation: 1, grant: '' }),
    () => bind({ team: otherTeam }),
    () => main.unbindTeam({ workspaceId }),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'app.locked' });
  await desk.call('lock:unlock', { passphrase: vaultPassphrase });
  read.mockClear();
  await main.getTeamToken(wanted);
  expect(read).toHaveBeenCalledTimes(1);
});

test('the secret of this computer goes with its workspace', async () => {
  const { desk, workspaceId, bind, certify, readSecret } = await givenDesk();
  await bind();
  await certify(team);
  expect(await readSecret()).toHaveLength(32);
  await desk.call('workspaces:remove', { workspaceId });
  expect(await readSecret()).toBeNull();
});

test('and with everything', async () => {
  const { desk, certify, readSecret } = await givenDesk();
  await certify(null);
  expect(await readSecret()).toHaveLength(32);
  await desk.call('data:removeEverything', { typed: 'remove everything' });
  expect(await readSecret()).toBeNull();
});

test('while a workspace is removed, its keys are not made again', async () => {
  const { desk, workspaceId, certify } = await givenDesk();
  const { delete: remove } = desk.secrets;
  const codes: string[] = [];
  vi.spyOn(desk.secrets, 'delete').mockImplementation(async (account) => {
    codes.push(
      await certify(team).then(
        () => 'made',
        ({ code }) => code,
      ),
    );
    await remove(account);
  });
  await desk.call('workspaces:remove', { workspaceId });
  expect(new Set(codes)).toEqual(new Set(['workspace.unknown']));
});
