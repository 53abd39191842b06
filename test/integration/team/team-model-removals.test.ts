import fc from 'fast-check';
import { test } from 'vitest';
import { fuzzRuns } from '../../support/seeds.ts';
import { openSqliteStore, runSchedule, scheduleWithRemovals } from '../../support/team-model.ts';

test('what was removed for the team is on no computer at the end, whatever fails or is restored, and all else is', async () => {
  await fc.assert(
    fc.asyncProperty(scheduleWithRemovals, (one) => runSchedule(one, openSqliteStore)),
    { numRuns: Math.min(fuzzRuns(2), 100) },
  );
}, 3_600_000);
