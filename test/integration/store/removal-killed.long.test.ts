import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRecords } from '../../../src/main/engine/store/maintenance/check-records.ts';
import { openRecordsFile } from '../../../src/main/engine/store/record/open-records.ts';
import { readRetentionRules } from '../../../src/main/engine/store/sync/retention.ts';
import { runUntilKilled } from '../../support/killed-program.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import { type DamageBench, makeDamageBench, readTruth } from '../../support/store-damage.ts';

const program = fileURLToPath(new URL('../../support/remove-program.ts', import.meta.url));
const date = '2023-01-01';
let bench: DamageBench;
beforeAll(() => {
  bench = makeDamageBench({ claims: 700 });
});
afterAll(() => bench.close());

test('killed at any moment of a removal, either all is there or exactly the rest, and no copy of more', async () => {
  let [killed, removed] = [0, 0];
  const kept = [...bench.truth.claims].filter(([, text]) => !/"end":"202[0-2]-/.test(text));
  const runs = Math.min(fuzzRuns(5), 100);
  // The first one ends by itself and says how long it takes here.
  let wholeMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run <= runs; run += 1) {
    const folder = bench.copy();
    const path = join(folder, 'records.db');
    const args = [program, path, bench.key.toString('hex'), date];
    const { isDone, ms } = await runUntilKilled(args, run === 0 ? null : (wholeMs * run) / runs);
    if (run === 0) wholeMs = ms;
    if (!isDone) killed += 1;

    const { database, close } = openRecordsFile(path, bench.key);
    expect(checkRecords(database, true)).toMatchObject({ isSound: true });
    const claims = readTruth(database, 'claims');
    const isRemoved = readRetentionRules(database).claimsBefore === date;
    if (isRemoved) removed += 1;
    expect([...claims]).toEqual(isRemoved ? kept : [...bench.truth.claims]);
    expect(readTruth(database, 'members').size).toBe(60);
    close();
    expect(readdirSync(folder).filter((name) => name.includes('.next'))).toEqual([]);
    if (isRemoved) {
      for (const copies of ['backups', 'kept-aside']) {
        const path = join(folder, copies);
        expect(existsSync(path) ? readdirSync(path) : []).toEqual([]);
      }
    }
    rmSync(folder, { recursive: true, force: true });
  }
  expect(killed).toBeGreaterThan(0);
  expect(removed).toBeGreaterThan(0);
});
