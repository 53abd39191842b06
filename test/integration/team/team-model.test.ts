import fc from 'fast-check';
import { test } from 'vitest';
import { fuzzRuns } from '../../support/seeds.ts';
import { openSqliteStore, runSchedule, schedule } from '../../support/team-model.ts';

test('computers that act and exchange end with the same reviews, whatever fails, is restored, and whoever joins or leaves', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, (one) => runSchedule(one, openSqliteStore)),
    { numRuns: Math.min(fuzzRuns(2), 100) },
  );
}, 3_600_000);
