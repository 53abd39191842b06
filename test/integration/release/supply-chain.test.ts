import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** Plain JavaScript, which runs before anything is installed. */
const script: string = new URL('../../../scripts/judge-audit.mjs', import.meta.url).href;
const { judgeAudit } = (await import(script)) as {
  judgeAudit: (text: string) => { exitCode: number; lines: string[] };
};
const root = fileURLToPath(new URL('../../..', import.meta.url));

test('the bill of materials is CycloneDX and holds every package that is named and pinned', () => {
  const text = execFileSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 });
  const bill = JSON.parse(text) as {
    bomFormat: string;
    components: { name: string; version: string; hashes?: unknown[]; purl: string }[];
  };
  expect(bill.bomFormat).toBe('CycloneDX');
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(`${root}/package.json`, 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const known = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
  for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
    const real = /^npm:(.+)@/.exec(range)?.[1] ?? name;
    expect(
      [...known].some((purl) => purl.startsWith(`pkg:npm/${real}@`)),
      real,
    ).toBe(true);
  }
  expect(bill.components.every(({ hashes }) => (hashes ?? []).length > 0)).toBe(true);
});

test('a registry that cannot be asked is said so, with exit 2', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const ended = spawnSync(process.execPath, ['scripts/advisories.mjs'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_fetch_retries: '0',
      npm_config_cache: '',
    },
  });
  expect(ended.stderr).toContain('could not be asked');
  expect(ended.status).toBe(2);
});

test.each<[string, number, RegExp]>([
  ['', 2, /could not be asked/],
  ['<html>', 2, /could not be asked/],
  ['{"message":"405 Method Not Allowed","error":{}}', 2, /405 Method Not Allowed/],
  ['{"metadata":{"vulnerabilities":{"total":0}}}', 0, /no advisory/],
  [
    JSON.stringify({
      metadata: { vulnerabilities: { total: 1 } },
      vulnerabilities: {
        x: {
          name: 'x',
          severity: 'high',
          range: '<2',
          via: [{ title: 'Bad', url: 'https://advisories.example/1' }],
        },
      },
    }),
    1,
    /high: x <2: Bad https:/,
  ],
])('npm’s answer %j is exit %i', (text, exitCode, words) => {
  const verdict = judgeAudit(text);
  expect(verdict.exitCode).toBe(exitCode);
  expect(verdict.lines.join('\n')).toMatch(words);
});
