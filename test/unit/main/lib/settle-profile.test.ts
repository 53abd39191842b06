import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { windowsProfileDir } from '../../../../src/main/lib/paths.ts';
import { moveProfileOnce } from '../../../../src/main/lib/settle-profile.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';

const folder = givenTempProfile();
const roaming = () => join(folder(), 'Roaming', 'Claimdesk');
const local = () => join(folder(), 'Local', 'Claimdesk');

async function makeProfile(path: string, content: string): Promise<void> {
  await mkdir(join(path, 'keys'), { recursive: true });
  await writeFile(join(path, 'profile.json'), content);
}

test('a profile in Roaming is moved to Local once, with all that is in it', async () => {
  await makeProfile(roaming(), 'old');
  expect(moveProfileOnce(roaming(), local())).toBe(local());
  expect(existsSync(roaming())).toBe(false);
  expect(await readFile(join(local(), 'profile.json'), 'utf8')).toBe('old');
  expect(existsSync(join(local(), 'keys'))).toBe(true);
  expect(moveProfileOnce(roaming(), local())).toBe(local());
});

test('a profile that is in Local already stays, and so does the one in Roaming', async () => {
  await makeProfile(roaming(), 'old');
  await makeProfile(local(), 'new');
  expect(moveProfileOnce(roaming(), local())).toBe(local());
  expect(await readFile(join(local(), 'profile.json'), 'utf8')).toBe('new');
  expect(await readFile(join(roaming(), 'profile.json'), 'utf8')).toBe('old');
});

test('an empty folder is not in the way; one with anything in it is left alone', async () => {
  await makeProfile(roaming(), 'old');
  await mkdir(local(), { recursive: true });
  await writeFile(join(local(), 'other.txt'), '');
  expect(moveProfileOnce(roaming(), local())).toBe(roaming());
  expect(await readFile(join(roaming(), 'profile.json'), 'utf8')).toBe('old');
  const empty = join(folder(), 'Empty', 'Claimdesk');
  await mkdir(empty, { recursive: true });
  expect(moveProfileOnce(roaming(), empty)).toBe(empty);
});

test('without a profile in Roaming the one in Local is used, and nothing is made', () => {
  expect(moveProfileOnce(roaming(), local())).toBe(local());
  expect(existsSync(local())).toBe(false);
});

test('Roaming is where versions before 0.2 had it', () => {
  const environment = { APPDATA: 'C:\\Users\\ada\\Roam', USERPROFILE: 'C:\\Users\\ada' };
  expect(windowsProfileDir(environment, 'Roaming')).toBe('C:\\Users\\ada\\Roam\\Claimdesk');
});
