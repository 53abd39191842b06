import { expect, onTestFinished, test } from 'vitest';
import { defaultSettings } from '../../../src/contract/settings.ts';
import { createWorklistHandlers } from '../../../src/main/engine/review/worklist-handlers.ts';
import { createWorklists } from '../../../src/main/engine/review/worklists.ts';
import { type WorklistId, worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

test('at midnight a reminder for the next day becomes due: the claim is back, and lists and counts are updated', async () => {
  const folder = makeTempFolder();
  let nowMs = new Date(2026, 10, 20, 23, 50).getTime();
  const clock = { now: () => nowMs };
  const { opened, reviews, store, file } = openComputer(folder, 'a', clock);
  onTestFinished(() => file.close());
  const told: string[] = [];
  const ports: Parameters<typeof createWorklists>[0] & Parameters<typeof createWorklistHandlers>[0] = {
    clock,
    isReadOnly: false,
    emit: ({ name }) => told.push(name),
    getStore: async () => store,
    readSnapshot: () => Promise.reject(new Error('no list is open')),
    getSettings: async () => ({
      ...defaultSettings,
      service: 'https://claims.example.com',
      reviewsFrom: { [workspaceId]: '2000-01-01' },
    }),
    updateReviews: (id) => reviews.updateOnce(id),
    canUndo: (...of) => reviews.canUndo(...of),
    listPayments: async () => new Map(),
    sumDone: (id) => reviews.sumDone(id),
    sumByRules: (id) => reviews.sumByRules(id),
    findPerson: async () => null,
    listPeople: async () => [],
    listConnections: async () => [],
    onFailed: (thrown) => {
      throw thrown;
    },
    main: {} as never,
    auditAction: async () => undefined,
  };
  const worklists = createWorklists(ports);
  const answers = createWorklistHandlers(ports, worklists);
  const countOf = async (id: WorklistId) =>
    (await answers['worklists:counts']({ workspaceId })).worklists.find((one) => one.id === id)?.claims;
  const days = { start: '2026-11-02', end: '2026-11-02', bounds: '[]' };
  opened.ingest('claims', [{ id: 1, status: 'Processed', date_of_service: days }]);
  const waiting = {
    kind: 'decision',
    state: 'waiting',
    outcome: null,
    onWhom: 'Lee',
    reason: 'EOB',
  } as const;
  await reviews.act(workspaceId, { claimIds: [1] }, { ...waiting, reminder: '2026-11-21' });
  await worklists.update(workspaceId);
  expect([await countOf('waiting'), await countOf('back')]).toEqual([1, 0]);

  nowMs += 20 * 60_000;
  told.length = 0;
  const before = await answers['worklists:counts']({ workspaceId });
  expect(before).toMatchObject({ isCurrent: false, day: '2026-11-21' });
  // The count that this call began runs in the background.
  await worklists.stop(workspaceId);
  expect(told).toEqual(['worklists:changed']);
  expect([await countOf('waiting'), await countOf('back')]).toEqual([1, 1]);
  expect((await answers['worklists:counts']({ workspaceId })).isCurrent).toBe(true);
  expect(opened.list(worklistQuery('back'))).toEqual([1]);
  expect(opened.list(worklistQuery('waiting'))).toEqual([1]);
  expect((await reviews.get(workspaceId, 1)).state).toBe('back');
});
