import { expect, test } from 'vitest';
import { unsentOnly } from '../../../../../../src/main/engine/store/user-data/list-events.ts';
import { openComputer } from '../../../../../support/review-computer.ts';
import { makeTempFolder } from '../../../../../support/temp-profile.ts';

test.each([
  'SELECT count(*) FROM review_events e WHERE',
  'SELECT id FROM review_events e WHERE seq>=:from AND',
  "SELECT id FROM review_events e WHERE kind='note' AND",
  "SELECT id FROM review_events e WHERE at>'2026' AND",
])('events to send are searched after the last that was sent, not among all of a workspace: %s', (text) => {
  const { file } = openComputer(makeTempFolder(), 'ana', { now: () => 0 });
  const steps = file.database
    .prepare(`EXPLAIN QUERY PLAN ${text} ${unsentOnly} ORDER BY seq LIMIT 1`)
    .all({ workspaceId: 'w', from: 0 }) as { detail: string }[];
  expect(steps[0]?.detail).toBe('SEARCH stored_events USING INTEGER PRIMARY KEY (rowid>?)');
  file.close();
});
