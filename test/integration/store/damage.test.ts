import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RepairReport } from '../../../src/contract/store.ts';
import { readMarks } from '../../../src/main/engine/store/file/side-files.ts';
import { checkRecords } from '../../../src/main/engine/store/maintenance/check-records.ts';
import { repairRecords } from '../../../src/main/engine/store/maintenance/repair-records.ts';
import { openRecords, openRecordsFile } from '../../../src/main/engine/store/record/open-records.ts';
import type { DeskError } from '../../../src/main/lib/errors.ts';
import { fuzzRuns, seedFrom } from '../../support/seeds.ts';
import { type DamageBench, makeDamage, makeDamageBench, readTruth } from '../../support/store-damage.ts';

let closed: DamageBench;
let killed: DamageBench;
beforeAll(() => {
  closed = makeDamageBench();
  killed = makeDamageBench({ keepsLog: true });
});
afterAll(() => {
  closed.close();
  killed.close();
});

interface Seen {
  readonly members: ReadonlyMap<number, string>;
  readonly claims: ReadonlyMap<number, string>;
}

/** Opens a file, repaired if need be. Returns its records, all reports of losses, and how often it asked. */
function recover(filePath: string, key: Buffer): { seen: Seen; reports: RepairReport[]; asked: number } {
  const reports: RepairReport[] = [];
  let asked = 0;
  const noteOpened = (): void => {
    const { lastRepair } = readMarks(filePath);
    if (lastRepair !== null && !reports.some(({ at }) => at === lastRepair.at)) reports.push(lastRepair);
  };
  const climb = (): void => {
    let report = repairRecords({ filePath, key, mayLose: false });
    if (report.outcome === 'needsConsent') {
      expect(report.lost.length).toBeGreaterThan(0);
      asked += 1;
      report = repairRecords({ filePath, key, mayLose: true });
    }
    reports.push(report);
    noteOpened();
  };
  try {
    const { database, close } = openRecordsFile(filePath, key);
    noteOpened();
    const { isSound } = checkRecords(database, true);
    close();
    if (!isSound) climb();
  } catch (thrown) {
    expect((thrown as DeskError).code).toBe('store.damaged');
    climb();
  }
  const connection = openRecords(filePath, key, { isReadOnly: true });
  expect(checkRecords(connection, true)).toMatchObject({ isSound: true });
  const seen = { members: readTruth(connection, 'members'), claims: readTruth(connection, 'claims') };
  connection.close();
  return { seen, reports, asked };
}

const names = [
  'records.db',
  'records.db',
  'records.db',
  'records.db-wal',
  'records.db.check',
  'records.db.marks',
  'records.db.page1',
  'records.db.findings',
];

test.each(Array.from({ length: Math.min(fuzzRuns(24), 200) }, (_none, index) => index))(
  'damage %i: no crash, nothing false, and nothing lost without a word',
  (seed) => {
    const bench = seed % 3 === 0 ? killed : closed;
    const folder = bench.copy();
    const what = makeDamage(seedFrom(seed), names)(folder);
    const { seen, reports } = recover(join(folder, 'records.db'), bench.key);
    const lost = reports.flatMap((report) => report.lost);
    for (const kind of ['members', 'claims'] as const) {
      const missing = [...bench.truth[kind].keys()].filter((id) => !seen[kind].has(id));
      for (const [id, text] of seen[kind])
        expect(text, `${what}: ${kind} ${id}`).toBe(bench.truth[kind].get(id));
      if (missing.length === 0) continue;
      const said = lost.filter((loss) => loss.what === kind || loss.what === 'latestWrites');
      expect(said, `${what}: ${missing.length} ${kind} are gone and nobody said so`).not.toEqual([]);
      const exact = said.find((loss) => loss.what === kind && loss.count !== null);
      if (exact !== undefined && !said.some((loss) => loss.what === 'latestWrites')) {
        expect(exact.count, what).toBe(missing.length);
      }
    }
  },
);
