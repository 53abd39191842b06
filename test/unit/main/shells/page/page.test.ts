import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findAppPaths, readAppVersion } from '../../../../../src/main/shells/app-paths.ts';
import { fillPage } from '../../../../../src/main/shells/page/fill-page.ts';
import { listPageFiles } from '../../../../../src/main/shells/page/page-files.ts';
import { contentPolicy, headersOf, pageHeaders } from '../../../../../src/main/shells/page/page-policy.ts';
import { readSampleSize } from '../../../../../src/main/shells/sample-size.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

const folder = givenTempProfile();
const marks = { engine: 'http://localhost:1', nonce: 'N', theme: 'dark', workspace: 'active' };

describe('the page', () => {
  test('has each mark in its position, wherever and however often', () => {
    const names = ['ENGINE', 'NONCE', 'THEME', 'WORKSPACE', 'NONCE'];
    const template = names.map((name) => `__CLAIMDESK_${name}__`).join(' ');
    expect(fillPage(template, marks)).toBe('http://localhost:1 N dark active N');
  });

  test.each(['"', '<', '>', '&', "'", ' ', '\n', '$&"'])('takes no mark with %j', (character) => {
    expect(() => fillPage('__CLAIMDESK_THEME__', { ...marks, theme: character })).toThrow('characters');
  });

  test('a policy contains the engine if there is one, and never anything unsafe', () => {
    const policy = contentPolicy({ nonce: 'N', connect: ['http://localhost:1'] });
    expect(policy).toContain("connect-src 'self' http://localhost:1;");
    expect(contentPolicy({ nonce: 'N', connect: [] })).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*|blob:/);
    expect(headersOf({ contentType: 'text/javascript; charset=utf-8' })['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'",
    );
    expect(pageHeaders(policy)['permissions-policy']).toMatch(/camera=\(\).*clipboard-write=\(self\)/);
  });
});

describe('the files of the window', () => {
  test('are those of known types, found by their address, without links out of the folder', async () => {
    const root = join(folder(), 'renderer');
    await mkdir(join(root, 'assets', 'deep'), { recursive: true });
    await writeFile(join(folder(), 'secret.js'), '');
    for (const name of ['index.html', 'assets/a.js', 'assets/deep/b.woff2', 'assets/a.js.map', 'notes'])
      await writeFile(join(root, name), '');
    await symlink(join(folder(), 'secret.js'), join(root, 'link.js'));
    const files = await listPageFiles(root);
    expect([...files.keys()].sort()).toEqual(['/assets/a.js', '/assets/deep/b.woff2', '/index.html']);
    expect(files.get('/assets/deep/b.woff2')).toEqual({
      path: join(root, 'assets/deep/b.woff2'),
      contentType: 'font/woff2',
    });
  });
});

describe('where things are', () => {
  test('is the same from the sources and from the bundle', async () => {
    const fromSources = findAppPaths('file:///app/src/main/shells/app-paths.ts');
    expect(findAppPaths('file:///app/out/main/chunk.js')).toEqual(fromSources);
    expect(fromSources).toEqual({
      packageFile: '/app/package.json',
      rendererDir: '/app/out/renderer',
      preloadFile: '/app/out/preload/index.cjs',
    });
    expect(readAppVersion()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('the sample has the size in the environment, if valid', () => {
    const usual = { members: 2_000, claims: 20_000 };
    expect(readSampleSize({})).toEqual(usual);
    expect(readSampleSize({ CLAIMDESK_SAMPLE_MEMBERS: '5', CLAIMDESK_SAMPLE_CLAIMS: '50' })).toEqual({
      members: 5,
      claims: 50,
    });
    for (const text of ['', '0', '-1', '1e3', '99999999', 'x'])
      expect(readSampleSize({ CLAIMDESK_SAMPLE_CLAIMS: text })).toEqual(usual);
  });
});
