import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { chromium, expect, test } from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { exploreSample, openList } from './steps.ts';

/** Plain JavaScript, which has no types. */
const load = (name: string) => import(new URL(`../../scripts/${name}`, import.meta.url).href);

test('the package is complete: what was laid out runs by itself, with threads and native modules', {
  tag: '@long',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-package-'));
  const archive = join(folder, 'app.asar');
  const { layOutPackage } = await load('lay-out-package.mjs');
  expect(await layOutPackage(archive)).toEqual([]);
  const app = join(folder, 'app');
  extractAll(archive, app);
  // Nothing of this repository can be found from there.
  const child = spawn(
    process.execPath,
    [join(app, 'out/main/browser.js'), '--no-open', '--profile', join(folder, 'profile')],
    {
      cwd: app,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, CLAIMDESK_SAMPLE_MEMBERS: '20', CLAIMDESK_SAMPLE_CLAIMS: '100' },
    },
  );
  const [printed] = await once(child.stdout, 'data');
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
  const page = await browser.newPage();
  await page.goto(/http:\/\/\S+/.exec(String(printed))?.[0] ?? '');
  await exploreSample(page);
  await openList(page, 'Claims');
  await browser.close();
  child.kill('SIGTERM');
  await once(child, 'exit');
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('the license of every package in it, and the bill of materials, lie beside the app', {
  tag: '@long',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-legal-'));
  const { writeLegal } = await load('write-legal.mjs');
  writeLegal(folder);
  expect((await readdir(folder)).sort()).toEqual(['LICENSE', 'licenses.txt', 'sbom.cdx.json']);
  const text = await readFile(join(folder, 'licenses.txt'), 'utf8');
  // The file covers main, the window's bundle, and the packages that these need.
  for (const name of [
    'fastify',
    'pdfkit',
    '@fontsource/noto-sans',
    'better-sqlite3-multiple-ciphers',
    'react-dom',
    '@mantine/core',
    'ag-grid-community',
    // A development dependency that is in main's bundle.
    'selfsigned',
  ])
    expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
  expect(text).not.toMatch(/^(vitest|electron-builder) \d/m);
  const { components } = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8')) as {
    components: { name: string; scope: string }[];
  };
  const scopes = new Map(components.map(({ name, scope }) => [name, scope]));
  for (const name of [
    'electron',
    'react',
    '@mantine/core',
    'dompurify',
    'pdfkit',
    'selfsigned',
    '@github/keytar',
  ])
    expect(scopes.get(name), name).toBe('required');
  for (const name of ['playwright', 'vitest', '@biomejs/biome', 'electron-builder'])
    expect(scopes.get(name), name).toBe('excluded');
  const printed = execFileSync('npm', ['run', '-s', 'sbom'], { encoding: 'utf8', maxBuffer: 1e8 });
  expect(JSON.parse(printed).components).toEqual(components);
  await rm(folder, { recursive: true });
});
