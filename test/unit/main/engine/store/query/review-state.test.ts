import { expect, test } from 'vitest';
import { openTestStore } from '../../../../../support/engine-store.ts';

test('claims are to do from the first day in scope, according to their bounds', () => {
  const store = openTestStore();
  const ranges = [
    { bounds: '[]', start: '2025-08-31', end: '2025-09-05' },
    { bounds: '(]', start: '2025-08-31', end: '2025-09-05' },
    { bounds: '[]', start: '2025-09-01', end: '2025-09-01' },
    { bounds: '[]', start: '2025-09-01T10:00:00Z', end: null },
    { bounds: '[]', start: null, end: '2025-12-01' },
    { bounds: '[]', start: 'September', end: null },
    null,
  ];
  store.ingest(
    'claims',
    ranges.map((date_of_service, id) => ({ id, date_of_service })),
  );
  const stateOf = (state: string) =>
    store.list({
      entity: 'claims',
      conditions: [{ field: 'review.state', operator: 'is', values: [state] }],
    });
  expect(stateOf('notSelected')).toHaveLength(ranges.length);
  store.write.writeReviewPeriod({ from: '2025-09-01', on: null });
  expect(stateOf('todo')).toEqual([1, 2, 3]);
  expect(stateOf('notSelected')).toEqual([0, 4, 5, 6]);
});
