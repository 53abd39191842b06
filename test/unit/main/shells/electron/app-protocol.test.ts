import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocol } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { registerAppScheme, serveApp } from '../../../../../src/main/shells/electron/app-protocol.ts';
import { listPageFiles } from '../../../../../src/main/shells/page/page-files.ts';
import { FakeSession } from '../../../../support/fake-electron/fake-session.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

const folder = givenTempProfile();
let session: FakeSession;

beforeEach(async () => {
  const renderer = join(folder(), 'renderer');
  await mkdir(join(renderer, 'assets'), { recursive: true });
  await writeFile(join(folder(), 'secret.js'), 'outside');
  await writeFile(join(renderer, 'assets', 'app.js'), 'void 0;');
  await writeFile(
    join(renderer, 'index.html'),
    '<p>__CLAIMDESK_NONCE__|__CLAIMDESK_THEME__|__CLAIMDESK_ENGINE__</p>',
  );
  session = new FakeSession('test');
  serveApp(session as unknown as Electron.Session, {
    files: await listPageFiles(renderer),
    readStart: async () => ({ theme: 'dark', workspace: '' }),
  });
});

test('the scheme is a separate secure standard one', () => {
  registerAppScheme();
  expect(protocol).toMatchObject({
    registered: [{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }],
  });
});

test('the page is filled in, under a strict policy with its own nonce', async () => {
  const load = async () => {
    const reply = await session.protocol.ask('app://claimdesk/');
    return { text: await reply.text(), policy: reply.headers.get('content-security-policy') ?? '', reply };
  };
  const first = await load();
  const [, nonce = ''] = /<p>([\w-]+)\|dark\|<\/p>/.exec(first.text) ?? [];
  expect(nonce).not.toBe('');
  expect(first.policy).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
      "font-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(first.reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await load()).policy).not.toBe(first.policy);
});

test('files have their type', async () => {
  const reply = await session.protocol.ask('app://claimdesk/assets/app.js');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await reply.text()).toBe('void 0;');
});

test.each([
  ['app://claimdesk/../secret.js', 404],
  ['app://claimdesk/assets/../../secret.js', 404],
  ['app://claimdesk/assets/..%2f..%2fsecret.js', 404],
  ['app://claimdesk/assets/..%5c..%5csecret.js', 404],
  ['app://claimdesk/%2e%2e/secret.js', 404],
  ['app://claimdesk//secret.js', 404],
  ['app://claimdesk/index.html', 404],
  ['app://claimdesk/assets', 404],
  ['app://evil/', 403],
  ['app://claimdesk.evil/', 403],
])('%s is refused', async (address, status) => {
  const reply = await session.protocol.ask(address);
  expect(reply.status).toBe(status);
  expect(await reply.text()).toBe('');
});

test('only reading is answered', async () => {
  expect((await session.protocol.ask('app://claimdesk/', { method: 'POST', body: 'x' })).status).toBe(405);
});
