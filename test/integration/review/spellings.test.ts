import { expect, onTestFinished, test } from 'vitest';
import { toStoredSpellings } from '../../../src/contract/stored-spellings.ts';
import type { Operator } from '../../../src/rules/query.ts';
import type { Spellings } from '../../../src/rules/review/spellings.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

test('two spellings are shown as one in lists and reports, each is stored as written, and they can be separated again', async () => {
  const clock = { now: () => new Date(2026, 10, 16, 9).getTime() };
  const { opened, reviews, file, operations } = openComputer(makeTempFolder(), 'a', clock);
  onTestFinished(() => file.close());
  opened.ingest('claims', [
    { id: 1, status: 'Processed' },
    { id: 2, status: 'Processed' },
    { id: 3, status: 'Processed' },
  ]);
  const find = (operator: Operator, ...values: string[]) =>
    opened.list({ entity: 'claims', conditions: [{ field: 'review.on_whom', operator, values }] });
  const wait = (claimId: number, onWhom: string) =>
    reviews.act(
      workspaceId,
      { claimIds: [claimId] },
      { kind: 'decision', state: 'waiting', outcome: null, onWhom, reason: 'EOB', reminder: null },
    );
  const store = (spellings: Spellings) => {
    const { name, query } = toStoredSpellings(spellings);
    const at = new Date(clock.now()).toISOString();
    operations.saveView({ id: 'v', workspace_id: workspaceId, name, query, created_at: at, updated_at: at });
    return reviews.updateSpellings(workspaceId);
  };
  const shown = () =>
    opened.database
      .prepare('SELECT on_whom, count(*) FROM claim_reviews GROUP BY on_whom ORDER BY on_whom')
      .raw()
      .all();

  await wait(1, 'Carrier');
  await wait(2, 'carrier');
  expect(shown()).toHaveLength(2);
  await store(new Map([['carrier', 'Carrier']]));
  expect(shown()).toEqual([['Carrier', 2]]);
  expect(await reviews.get(workspaceId, 2)).toMatchObject({ onWhom: 'carrier' });
  for (const name of ['Carrier', 'carrier'])
    for (const [operator, ids] of [
      ['is', [1, 2]],
      ['isOneOf', [1, 2]],
      ['startsWith', [1, 2]],
      ['isNot', [3]],
    ] as const)
      expect(find(operator, name), `${operator} ${name}`).toEqual(ids);
  expect(find('isOneOf', 'Member', 'carrier')).toEqual([1, 2]);
  await wait(2, 'carrier');
  expect(shown()).toEqual([['Carrier', 2]]);
  await store(new Map());
  expect(shown()).toHaveLength(2);
  expect(find('is', 'carrier')).toEqual([2]);
  expect(find('isNot', 'carrier')).toEqual([1, 3]);
});
