import { expect, test } from 'vitest';
import type { Question } from '../../../../src/main/ipc/desk-state.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();

/** A desk of the desktop app, whose dialogs are answered as told. */
function givenDesk() {
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
    },
  });
  return { desk, asked, answer };
}

test('a workspace is removed with its key only when a person confirms it outside the page', async () => {
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
  const host = await desk.host();
  await expect(host.confirmRemoval({ before: '2024-01-31' })).rejects.toMatchObject({
    code: 'app.notConfirmed',
  });
  expect(asked).toMatchObject([{ detail: expect.stringContaining('2024-01-31') }]);
  answer.isYes = true;
  await host.confirmRemoval({ before: null });
});
