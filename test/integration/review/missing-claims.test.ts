import { expect, onTestFinished, test } from 'vitest';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

test('one act answers for many claims that are no longer in the service, and leaves others unchanged', async () => {
  let nowMs = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => (nowMs += 1000) };
  const { opened, reviews, file } = openComputer(makeTempFolder(), 'ada', clock);
  onTestFinished(() => file.close());
  opened.ingest(
    'claims',
    [1, 2, 3].map((id) => ({ id, status: 'Processed', patient_responsibility: 50 })),
  );
  const since = new Date(nowMs).toISOString();
  opened.database.prepare('UPDATE claims SET gone_since=? WHERE id<>3').run(since);
  const done = await reviews.act(workspaceId, { claimIds: [1, 2, 3] }, { kind: 'missing', answer: 'keep' });
  expect(done).toMatchObject({ claims: 2, leftOut: [3] });
  const roles = await Promise.all([1, 2, 3].map((id) => reviews.get(workspaceId, id)));
  expect(roles.map(({ chain }) => chain?.role ?? null)).toEqual(['archived', 'archived', null]);
});
