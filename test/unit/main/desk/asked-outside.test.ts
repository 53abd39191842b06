import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DeskPorts, Question } from '../../../../src/main/desk/desk-state.ts';
import { profilePaths } from '../../../../src/main/lib/paths.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();

/** A desk of the desktop app, whose dialogs are answered as told. */
function givenDesk(ports: Partial<DeskPorts> = {}) {
  const asked: Question[] = [];
  const answer = { isYes: false };
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
  return { desk, asked, answer };
}

test('a workspace is removed with its key only when the user confirms it outside the page', async () => {
  const { desk, asked, answer } = givenDesk();
  answer.isYes = true;
  const workspace = { baseUrl: 'https://claims.example.com', email: 'a@example.com', name: 'Ours' };
  const { id: workspaceId } = await desk.call('workspaces:add', workspace);
  const { name: typedKeyName } = await desk.call('keys:generate', { type: 'ed25519', workspaceId });
  asked.length = 0;
  answer.isYes = false;
  const removal = { workspaceId, alsoRemovesKeys: true, typedKeyName };
  expect(await desk.fail('workspaces:remove', removal)).toMatchObject({ code: 'app.notConfirmed' });
  expect(asked).toMatchObject([{ message: expect.stringContaining('Ours') }]);
  expect((await desk.call('workspaces:list', {})).workspaces).toHaveLength(1);
  expect((await desk.call('keys:list', {})).keys).toHaveLength(1);
  answer.isYes = true;
  expect((await desk.call('workspaces:remove', removal)).removedKeyIds).toHaveLength(1);
});

test('the engine has a removal of records confirmed outside the page', async () => {
  const { desk, asked, answer } = givenDesk();
  const main = await desk.main();
  await expect(main.confirmRemoval({ before: '2024-01-31' })).rejects.toMatchObject({
    code: 'app.notConfirmed',
  });
  expect(asked).toMatchObject([{ detail: expect.stringContaining('2024-01-31') }]);
  answer.isYes = true;
  await main.confirmRemoval({ before: null });
  // A compromised page may ask for another one than the person chose, so each is named.
  await main.confirmRemoval({ before: null, team: { kind: 'member', memberId: 7351 } });
  await main.confirmRemoval({ before: null, team: { kind: 'claimsBefore', date: '2024-01-31' } });
  await main.confirmRemoval({ before: null, team: { kind: 'employer', employerId: 80 } });
  await main.confirmRemoval({ before: null, team: { kind: 'everything' } });
  expect(asked.slice(2).map(({ message }) => message)).toEqual(
    ['the member with record no. 7351', 'every claim before 2024-01-31', 'employer 80', 'everything'].map(
      (what) => `Permanently remove ${what} for the whole team?`,
    ),
  );
});

test('a service is called only when the user confirmed its address outside the page', async () => {
  const { desk, asked, answer } = givenDesk();
  const added = (baseUrl: string, email: string) => desk.call('workspaces:add', { baseUrl, email });
  const first = { baseUrl: 'http://127.0.0.1:4010', email: 'a@example.com' };
  expect(await desk.fail('workspaces:add', first)).toMatchObject({ code: 'app.notConfirmed' });
  expect(asked).toMatchObject([{ message: 'Connect to 127.0.0.1:4010?' }]);
  expect((await desk.call('workspaces:list', {})).workspaces).toEqual([]);
  answer.isYes = true;
  await added(first.baseUrl, first.email);
  await added('claims.example.com/eu', 'a@example.com');
  expect(asked).toHaveLength(3);
  // The same service with another account, or at another path, is not asked again; another port is.
  await added(first.baseUrl, 'b@example.com');
  await added('https://claims.example.com/us', 'a@example.com');
  expect(asked).toHaveLength(3);
  await added('http://127.0.0.1:4011', 'a@example.com');
  expect(asked).toHaveLength(4);
});

test('a service that the organization lists, or that is typed at a command line, needs no confirmation', async () => {
  const workspace = { baseUrl: 'https://claims.example.com', email: 'a@example.com' };
  const listed = givenDesk({ policy: { allowedServices: [workspace.baseUrl] } });
  await listed.desk.call('workspaces:add', workspace);
  const typed = givenDesk({ shell: 'cli' });
  await typed.desk.call('workspaces:add', { ...workspace, email: 'b@example.com' });
  expect([...listed.asked, ...typed.asked]).toEqual([]);
});

test('the removal of everything lists the folders of backups that stay', async () => {
  const { desk, asked } = givenDesk();
  await desk.call('keys:generate', { type: 'ed25519' });
  const since = '2026-11-20T09:00:00.000Z';
  const made = { since, last: null, failed: null, fullAt: since, through: 0, refused: null };
  const target = { ...made, dir: '/media/stick/claimdesk-1', isNew: false };
  const unused = { ...made, dir: '/media/other/claimdesk-1', isNew: true };
  const record = { version: 1, number: 1, seal: null, targets: [target, unused], removals: [] };
  writeFileSync(profilePaths(profileDir()).backups, JSON.stringify(record));
  const typed = 'remove everything';
  expect(await desk.fail('data:removeEverything', { typed })).toMatchObject({ code: 'app.notConfirmed' });
  const { detail } = asked.at(-1) as Question;
  expect(detail).toContain('Backups elsewhere stay: delete /media/stick/claimdesk-1 yourself.');
});
