import { expect, test } from 'vitest';
import { readCounting } from '../../../../../../src/main/engine/store/user-data/counting-events.ts';
import { findReviewedAfter } from '../../../../../../src/main/engine/store/user-data/fold-claims.ts';
import {
  findUndoable,
  listReviewEvents,
  readReviewEntries,
} from '../../../../../../src/main/engine/store/user-data/list-events.ts';
import { findNewer } from '../../../../../../src/main/engine/store/user-data/newer-events.ts';
import { openComputer } from '../../../../../support/review-computer.ts';
import { decisionOf } from '../../../../../support/review-files.ts';
import { makeTempFolder } from '../../../../../support/temp-profile.ts';

const workspaceId = 'w';
type Database = ReturnType<typeof openComputer>['file']['database'];
const readings: Record<string, (database: Database) => unknown> = {
  'events of newer versions about a claim': (database) => findNewer(database, { workspaceId, claimIds: [1] }),
  'claims with later events': (database) => findReviewedAfter(database, { workspaceId, seq: 1, id: 'a' }),
  'the history of a claim': (database) =>
    listReviewEvents(database, { workspaceId, claimId: 1, offset: 0, limit: 100 }),
  'the act of a claim to undo': (database) => findUndoable(database, { workspaceId, claimId: 1 }),
  'the next events': (database) =>
    readReviewEntries(database, { workspaceId, after: { seq: 1, claimId: 0 }, limit: 100 }),
  'what counts of the next claims': (database) =>
    readCounting(database, { workspaceId, upTo: 9, computer: '', after: 1 }),
};

test.each(Object.keys(readings))('%s are not searched among all events of a workspace', async (name) => {
  const { file, opened, reviews } = openComputer(makeTempFolder(), 'ana', { now: () => 0 });
  opened.ingest(
    'claims',
    [1, 2, 3].map((id) => ({ id, status: 'Processed' })),
  );
  await reviews.act(workspaceId, { claimIds: [1, 2, 3] }, decisionOf('eligible'));
  const { database } = file;
  const texts: string[] = [];
  const prepare = database.prepare.bind(database);
  Object.assign(database, {
    prepare(text: string) {
      texts.push(text);
      return prepare(text);
    },
  });
  readings[name]?.(database);
  const steps = texts
    .filter((text) => text.includes('review_events'))
    .flatMap((text) => {
      const bound = text.replaceAll(/\?|:[a-zA-Z]\w*/g, '1');
      return prepare(`EXPLAIN QUERY PLAN ${bound}`).all() as { detail: string }[];
    });
  expect(steps).not.toEqual([]);
  expect(steps.filter(({ detail }) => /stored_events_by_time \(workspace=\?\)/.test(detail))).toEqual([]);
  file.close();
});
