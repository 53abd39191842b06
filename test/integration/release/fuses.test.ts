import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { givenTempProfile } from '../../support/temp-profile.ts';

const script: string = new URL('../../../scripts/electron-fuses.mjs', import.meta.url).href;
const { flipAndReadFuses, readFuses, wantedFuses } = (await import(script)) as {
  wantedFuses: Record<string, boolean>;
  readFuses: (path: string) => Promise<Record<string, boolean>>;
  flipAndReadFuses: (path: string) => Promise<Record<string, boolean>>;
};
const folder = givenTempProfile();

/** A program with fuses as Electron has them in its own: a mark, version 1, their number, and a byte each. */
async function givenProgram(fuses: string): Promise<string> {
  const path = join(folder(), 'claimdesk');
  const mark = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
  const wire = Buffer.concat([Buffer.from(mark), Buffer.from([1, fuses.length]), Buffer.from(fuses)]);
  await writeFile(path, Buffer.concat([Buffer.alloc(5000, 7), wire, Buffer.alloc(500, 7)]));
  return path;
}

test('every fuse is flipped and read back', async () => {
  const path = await givenProgram('101100011');
  await expect(readFuses(path)).rejects.toThrow(/RunAsNode, EnableCookieEncryption/);
  expect(await flipAndReadFuses(path)).toEqual(wantedFuses);
});

test('a fuse that Electron has but no one decided on is an error', async () => {
  const path = await givenProgram('1011000110');
  await expect(flipAndReadFuses(path)).rejects.toThrow(/strictlyRequireAllFuses/);
});

const security = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');

test('docs/security.md tells every fuse as it is', () => {
  const rows = [...security.matchAll(/^\| `(\w+)` \| (on|off) \|/gm)].map(([, name, state]) => [
    name,
    state === 'on',
  ]);
  expect(Object.fromEntries(rows)).toEqual(wantedFuses);
});

test('docs/security.md names twenty points of Electron’s checklist, and only tests that are there', () => {
  const points = [...security.matchAll(/^\| ([\d., ]+)\. /gm)].flatMap(([, numbers = '']) =>
    numbers.split('., '),
  );
  expect(points.map(Number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  const there = readdirSync(new URL('../..', import.meta.url), { recursive: true, encoding: 'utf8' }).map(
    (path) => basename(path),
  );
  const named = [...security.matchAll(/`(?:[\w/-]+\/)?([\w-]+\.(?:test|spec)\.ts)`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((name) => !there.includes(name))).toEqual([]);
});
