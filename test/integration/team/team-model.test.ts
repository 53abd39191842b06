import fc from 'fast-check';
import { test } from 'vitest';
import { fuzzRuns } from '../../support/seeds.ts';
import { openSqliteStore, runSchedule, type Schedule, schedule } from '../../support/team-model.ts';

const bulk = (on: number, outcome: number) => ({ kind: 'bulk', on, outcome }) as const;

/** A former admin and a new reader, before and after the server lost these changes. */
const roles: Schedule = [
  [0, 0, 0, 0, 0],
  [
    { kind: 'role', on: 1, role: 'admin' },
    bulk(1, 0),
    { kind: 'configure', on: 1, days: 2 },
    { kind: 'exchange', on: 1 },
    { kind: 'role', on: 1, role: 'reviewer' },
    { kind: 'restore', back: 1 },
    { kind: 'exchange', on: 1 },
    { kind: 'exchange', on: 0 },
    bulk(2, 1),
    { kind: 'role', on: 2, role: 'reader' },
    bulk(2, 2),
    { kind: 'restore', back: 2 },
    { kind: 'exchange', on: 2 },
    { kind: 'role', on: 1, role: 'admin' },
    { kind: 'exchange', on: 1 },
    { kind: 'revoke', on: 1 },
  ],
];

/** Computers that join with a checkpoint, before and after the server lost what came next. */
const examples: [Schedule][] = [
  [
    [
      [0, 0, 0, 0, 0],
      [
        ...[0, 1, 2, 0].map((on, outcome) => bulk(on, outcome % 3)),
        ...[0, 1, 2].map((on) => ({ kind: 'exchange', on }) as const),
        { kind: 'undo', on: 1 },
        { kind: 'checkpoint', on: 1 },
        { kind: 'join', on: 3 },
        { kind: 'undo', on: 0 },
        bulk(3, 1),
        { kind: 'restore', back: 3 },
        { kind: 'checkpoint', on: 3 },
        { kind: 'join', on: 4 },
        { kind: 'readBehind', on: 4 },
        bulk(4, 2),
      ],
    ],
  ],
  [roles],
];

test('computers that act and exchange end with the same reviews, whatever fails, is restored, and whoever joins or leaves', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, (one) => runSchedule(one, openSqliteStore)),
    { numRuns: Math.min(fuzzRuns(2), 100), examples },
  );
}, 3_600_000);
