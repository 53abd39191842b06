import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opened, openTestAudit, revealed } from '../../support/audit-log.ts';

const text = async (audit: ReturnType<typeof openTestAudit>): Promise<string[]> => {
  const lines: string[] = [];
  for await (const page of audit.log.readLines()) lines.push(...page);
  return lines;
};

test('older entries go, an entry carries the chain over, and the rest is verified from the cut', async () => {
  const audit = openTestAudit();
  for (const id of [1, 2, 3]) await audit.log.append(revealed(id));
  audit.passDays(400);
  for (const id of [4, 5]) await audit.log.append(opened(id));
  expect(await audit.log.trim('2026-01-01T00:00:00.000Z')).toBe(0);
  expect(await audit.log.trim('2027-06-01T00:00:00.000Z')).toBe(3);
  const { entries, total } = await audit.log.list({ offset: 0, limit: 10 });
  expect([total, entries.map(({ seq }) => seq)]).toEqual([3, [6, 5, 4]]);
  expect(entries[0]).toMatchObject({
    action: 'audit.trimmed',
    details: { before: '2027-06-01T00:00:00.000Z', entries: 3, through: 3 },
  });
  expect(await audit.log.verify()).toMatchObject({ isIntact: true, from: 4, entries: 3 });
  await audit.close();
  // Again: the cut moves on, also where nothing but what is old was there.
  audit.passDays(4000);
  expect(await audit.log.trim('2030-01-01T00:00:00.000Z')).toBe(3);
  expect(await audit.log.verify()).toMatchObject({ isIntact: true, from: 7, entries: 1 });
  expect(JSON.parse((await text(audit))[0] ?? '')).toMatchObject({ seq: 7, action: 'audit.trimmed' });
  await audit.kill();
  audit.tamper('DELETE FROM audit WHERE seq=7');
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'logMissing' });
});

test('more taken out than the entry about it says is noticed', async () => {
  const audit = openTestAudit();
  for (const id of [1, 2]) await audit.log.append(revealed(id));
  audit.passDays(400);
  for (const id of [3, 4]) await audit.log.append(opened(id));
  await audit.log.trim('2027-06-01T00:00:00.000Z');
  await audit.kill();
  audit.tamper('DELETE FROM audit WHERE seq=3');
  expect(await audit.log.verify()).toMatchObject({ isIntact: false, reason: 'missing' });
});

test('nothing of what was removed is left in backups, and entries still cannot be deleted by a statement', async () => {
  const audit = openTestAudit();
  await audit.log.append(opened(1));
  const before = readdirSync(join(audit.folder, 'backups'));
  audit.passDays(400);
  await audit.log.append(opened(2));
  await audit.log.trim('2027-06-01T00:00:00.000Z');
  const after = readdirSync(join(audit.folder, 'backups'));
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  expect(after.filter((name) => name.endsWith('.db'))).toHaveLength(1);
  expect(readFileSync(audit.anchorPath, 'utf8')).toContain('"seq":3');
  await audit.kill();
  const remove = () => audit.open((connection) => connection.exec('DELETE FROM audit'));
  expect(remove).toThrow('append-only');
});

test('a list pages quickly through 100,000 entries, by kind and by record', async () => {
  const audit = openTestAudit();
  await audit.log.append(revealed(1));
  await audit.kill();
  audit.tamper(
    `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i+1 FROM n WHERE i<100000)
     INSERT INTO audit (seq, at, action, workspace_id, details, hash, actor)
     SELECT i, '2026-11-20T12:00:00.000Z', CASE WHEN i%50=0 THEN 'records.copied' ELSE 'record.opened' END, 'w',
       json_object('list', 'claims', 'recordId', i%5000), 'x', 'dana' FROM n`,
  );
  await audit.log.list({ offset: 0, limit: 1 });
  const began = performance.now();
  const newest = await audit.log.list({ offset: 0, limit: 100 });
  const oldest = await audit.log.list({ offset: 99_900, limit: 100 });
  const copied = await audit.log.list({ offset: 0, limit: 100, filter: { kinds: ['copied'] } });
  const record = { workspaceId: 'w', list: 'claims' as const, id: 7 };
  const ofRecord = await audit.log.list({ offset: 0, limit: 100, filter: { record } });
  // Four pages; measured 120 ms on two busy cores.
  expect(performance.now() - began).toBeLessThan(2_000);
  expect([newest.total, oldest.entries.at(-1)?.seq]).toEqual([100_000, 1]);
  expect([copied.total, ofRecord.total]).toEqual([2_000, 20]);
});
