import fc from 'fast-check';
import { test } from 'vitest';
import { fuzzRuns } from '../../support/seeds.ts';
import {
  openSqliteStore,
  runSchedule,
  type Schedule,
  scheduleWithRemovals,
} from '../../support/team-model.ts';

const decideAll = (on: number, outcome: number) => ({ kind: 'bulk', on, outcome }) as const;
const removeEmployer = (employerId: number) =>
  ({ kind: 'remove', rule: { kind: 'employer', employerId } }) as const;

/** The schedules that random runs have found. */
const examples: [Schedule][] = [
  // The server lost the removal, whose content it had deleted already, and deletes it again.
  [
    [
      [0, 0, 0, 0, 0],
      [decideAll(0, 0), removeEmployer(70), { kind: 'restore', back: 2 }, decideAll(1, 1)],
    ],
  ],
  // It lost the act too, of which only the removal has a part.
  [
    [
      [0, 0, 0, 0, 0],
      [
        decideAll(0, 0),
        { kind: 'configure', on: 0, days: 0 },
        removeEmployer(70),
        { kind: 'restore', back: 4 },
        decideAll(0, 0),
      ],
    ],
  ],
];

test('what was removed for the team is on no computer in the end, whatever fails or is restored, and everything else is', async () => {
  await fc.assert(
    fc.asyncProperty(scheduleWithRemovals, (one) => runSchedule(one, openSqliteStore)),
    { numRuns: Math.min(fuzzRuns(3), 100), examples },
  );
}, 3_600_000);
