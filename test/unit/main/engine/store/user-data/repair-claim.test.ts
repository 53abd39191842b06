import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { claimRepair } from '../../../../../../src/main/engine/store/user-data/repair-claim.ts';
import { givenTempProfile } from '../../../../../support/temp-profile.ts';

const folder = givenTempProfile();
const busy = expect.objectContaining({ code: 'store.busy' });

test('one process claims a repair until it releases it', () => {
  const path = join(folder(), 'x.repairing');
  const release = claimRepair(path);
  expect(() => claimRepair(path)).toThrow(busy);
  release();
  claimRepair(path)();
  expect(existsSync(path)).toBe(false);
});

test('the claim of a killed process is taken over by one of those that find it', () => {
  const path = join(folder(), 'x.repairing');
  writeFileSync(path, '');
  const longAgo = new Date(Date.now() - 600_000);
  utimesSync(path, longAgo, longAgo);
  const release = claimRepair(path);
  expect(() => claimRepair(path)).toThrow(busy);
  expect(readdirSync(dirname(path))).toEqual(['x.repairing']);
  release();
  expect(readdirSync(dirname(path))).toEqual([]);
});
