import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { guardText } from '../../../src/main/engine/export/guard.ts';
import { exportList } from '../../../src/main/shells/cli/commands/export.ts';
import type { ListQuery, Totals } from '../../../src/rules/query.ts';
import { parseCsv } from '../../support/csv.ts';
import { openSynced } from '../../support/synced-session.ts';

let exports = 0;

const { bench, session, workspaceId, profileDir } = await openSynced(
  '--members',
  '60',
  '--claims',
  '900',
  '--seed',
  '5',
);

/** `12.5` → 125000n: the digits of a file, with no number of ours in between. */
function tenThousandths(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  expect(whole, text).not.toBe('');
  return BigInt(`${sign}${whole}${fraction.padEnd(4, '0')}`);
}

/** Count and sums of what an export holds. */
async function sumOfExport(query: ListQuery): Promise<{ count: number; sums: (string | null)[] }> {
  exports += 1;
  const outPath = join(profileDir, `export-${exports}.csv`);
  await exportList(session, {
    workspaceId,
    source: { kind: 'list', query },
    format: 'csv',
    columns: ['amount_billed', 'amount_allowed', 'amount_paid', 'patient_responsibility'],
    outPath,
    isSsnShown: false,
    onProgress: () => undefined,
  });
  const [, ...rows] = parseCsv(await readFile(outPath, 'utf8'));
  const sums = [0, 1, 2, 3].map((column) => {
    const cells = rows.map((row) => row[column] as string).filter((cell) => cell !== '');
    return cells.length === 0
      ? null
      : String(cells.map(tenThousandths).reduce((sum, cell) => sum + cell, 0n));
  });
  return { count: rows.length, sums };
}

const plain = (totals: Totals) => ({
  count: totals.count,
  sums: [totals.billed, totals.allowed, totals.paid, totals.patientResponsibility].map((sum) =>
    sum === null ? null : String(sum),
  ),
});

test.each<[string, ListQuery]>([
  ['all claims', { entity: 'claims' }],
  ['all lines', { entity: 'lines' }],
  [
    'rejected claims',
    { entity: 'claims', conditions: [{ field: 'status', operator: 'is', values: ['Rejected'] }] },
  ],
  [
    'a quarter out of network',
    {
      entity: 'claims',
      conditions: [
        { field: 'date_of_service', operator: 'between', values: ['2025-01-01', '2025-06-30'] },
        { field: 'network', operator: 'is', values: ['OUT'] },
      ],
    },
  ],
  ['a search', { entity: 'claims', search: 'gar' }],
  ['nothing', { entity: 'claims', search: 'nobody there' }],
])('totals are the sums over the exported rows, to the ten-thousandth: %s', async (_name, query) => {
  const { total, totals } = await session.call('records:open', { workspaceId, query });
  expect(totals?.count).toBe(total);
  expect(plain(totals as Totals)).toEqual(await sumOfExport(query));
});

test.each(['status', 'date_of_service.month', 'members.employer.id', 'members.tenant.id'])(
  'each group by %s is the sum of the rows that its condition exports',
  async (by) => {
    const query: ListQuery = {
      entity: 'claims',
      conditions: [{ field: 'amount_paid', operator: 'moreThan', values: [0] }],
    };
    const { groups, total } = await session.call('records:group', { workspaceId, query, by });
    expect(groups.length).toBe(total);
    expect(total).toBeGreaterThan(1);
    for (const group of [groups.at(-1)]) {
      const conditions = [...(query.conditions ?? []), ...(group?.conditions ?? [])];
      expect(plain(group?.totals as Totals)).toEqual(await sumOfExport({ ...query, conditions }));
    }
  },
);

test('the first rows are the same, whether they come with the list or before it', async () => {
  const query: ListQuery = { entity: 'claims', sort: [{ field: 'amount_billed', direction: 'desc' }] };
  const begun = await session.call('records:begin', {
    workspaceId,
    query,
    limit: 20,
    fields: ['id', 'amount_billed'],
  });
  const counted = await session.call('records:getCount', { workspaceId, snapshotId: begun.snapshotId });
  expect(counted).toMatchObject({ total: 900, snapshotId: begun.snapshotId });
  expect(counted.totals?.count).toBe(900);
  const window = await session.call('records:getWindow', {
    workspaceId,
    snapshotId: begun.snapshotId,
    offset: 0,
    limit: 20,
    fields: ['id', 'amount_billed'],
  });
  expect(begun.rows).toEqual(window.rows);
  const first = { workspaceId, query, limit: 20, fields: ['id', 'amount_billed'] };
  expect(await session.call('records:readFirst', first)).toEqual({ rows: begun.rows });
  expect(window.isStale).toBe(false);
  const invalid = session.call('records:begin', {
    workspaceId,
    query: { entity: 'claims', conditions: [{ field: 'x', operator: 'is', values: [1] }] },
    limit: 1,
  });
  await expect(invalid).rejects.toMatchObject({ code: 'query.invalid' });
});

test('a list keeps its rows while a sync writes, and says that newer data exist', async () => {
  const query: ListQuery = { entity: 'claims', sort: [{ field: 'status', direction: 'asc' }] };
  const { snapshotId } = await session.call('records:open', { workspaceId, query });
  const read = () =>
    session.call('records:getWindow', { workspaceId, snapshotId, offset: 100, limit: 50, fields: ['id'] });
  const before = await read();
  await bench.sync(session);
  expect((await read()).isStale).toBe(false);
  const target = before.rows[3]?.id;
  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'change', list: 'claims', id: target, set: { status: 'Adjusted' } }],
  });
  await bench.sync(session);
  const after = await read();
  expect(after.rows).toEqual(before.rows);
  expect(after.isStale).toBe(true);
  const again = await session.call('records:open', { workspaceId, query });
  const fresh = await session.call('records:getWindow', {
    workspaceId,
    snapshotId: again.snapshotId,
    offset: 0,
    limit: 1000,
    fields: ['id', 'status'],
  });
  expect(fresh.isStale).toBe(false);
  expect(fresh.rows.find((row) => row.id === target)?.status).toBe('Adjusted');
});

test('a search by a whole SSN finds its person, and the log records the search, not the number', async () => {
  const truth = await bench.sandbox.truth<{ id: number; ssn: string | null; archived: boolean | null }>(
    'members',
  );
  const person = truth.find(({ ssn, archived }) => ssn !== null && archived !== true);
  const ssn = person?.ssn as string;
  const query: ListQuery = { entity: 'members', search: ssn };
  const searched = async () => {
    const { entries } = await session.call('audit:list', { offset: 0, limit: 1000 });
    return entries.filter(({ action }) => action === 'ssn.searched');
  };
  const before = (await searched()).length;
  const found = await session.call('records:open', { workspaceId, query });
  await session.call('records:open', {
    workspaceId,
    query: { ...query, sort: [{ field: 'id', direction: 'desc' }] },
  });
  const { rows } = await session.call('records:getWindow', {
    workspaceId,
    snapshotId: found.snapshotId,
    offset: 0,
    limit: 5,
    fields: ['id', 'ssn'],
  });
  expect(rows.map(({ id }) => id)).toContain(person?.id);
  expect(JSON.stringify(rows)).not.toContain(ssn);
  const partial = await session.call('records:open', {
    workspaceId,
    query: { entity: 'members', search: ssn.slice(0, 6) },
  });
  expect(partial.total).toBe(0);
  const entries = await searched();
  expect(entries).toHaveLength(before + 1);
  expect(entries.at(0)).toMatchObject({ workspaceId, details: { list: 'members' } });
  expect(JSON.stringify(entries)).not.toMatch(new RegExp(ssn.replace(/\D/g, '').slice(0, 5)));
});

test('values and employers are listed with their counts', async () => {
  const truth = await bench.sandbox.truth<{ status: string | null }>('claims');
  const { values } = await session.call('records:listValues', {
    workspaceId,
    entity: 'claims',
    field: 'network',
  });
  expect(values.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(truth.length);
  expect(values.map(({ value }) => value)).toEqual(values.map(({ value }) => value).toSorted());
  const { employers } = await session.call('records:listEmployers', { workspaceId });
  const first = employers.find(({ members }) => members > 0);
  const members = await session.call('records:open', {
    workspaceId,
    query: {
      entity: 'members',
      includesArchived: true,
      conditions: [{ field: 'employer.id', operator: 'is', values: [first?.id ?? 0] }],
    },
  });
  expect(members.total).toBe(first?.members);
  const claims = await session.call('records:open', {
    workspaceId,
    query: {
      entity: 'claims',
      conditions: [{ field: 'members.employer.name', operator: 'is', values: [first?.name ?? ''] }],
    },
  });
  expect(claims.totals?.count).toBeGreaterThan(0);
});

interface NamedClaim {
  readonly id: number;
  readonly members:
    | readonly {
        readonly first_name: string | null;
        readonly last_name: string | null;
        readonly employer: { readonly name: string } | null;
      }[]
    | null;
}

test('a file has the names of all members of a claim, and their employers', async () => {
  const truth = await bench.sandbox.truth<NamedClaim>('claims');
  const outPath = join(profileDir, 'owners.csv');
  await exportList(session, {
    workspaceId,
    source: { kind: 'list', query: { entity: 'claims' } },
    format: 'csv',
    reason: 'Names are compared',
    columns: ['id', 'members.name', 'members.employer.name', 'carrier'],
    outPath,
    isSsnShown: false,
    onProgress: () => undefined,
  });
  const [header, ...rows] = parseCsv(await readFile(outPath, 'utf8'));
  expect(header).toEqual(['id', 'members.name', 'members.employer.name', 'carrier']);
  const joined = (names: readonly string[]): string =>
    guardText(names.filter((name) => name !== '').join('; '), 'text');
  const expected = truth.map(({ id, members }) => {
    const all = members ?? [];
    return [
      String(id),
      joined(all.map((member) => [member.first_name, member.last_name].filter(Boolean).join(' '))),
      joined([...new Set(all.map(({ employer }) => employer?.name ?? ''))]),
      '',
    ];
  });
  expect(rows.toSorted(byNumber)).toEqual(expected.toSorted(byNumber));
  expect(truth.some(({ members }) => (members ?? []).length > 1)).toBe(true);
});

const byNumber = ([a]: readonly string[], [b]: readonly string[]): number => Number(a) - Number(b);

test('values are counted within a list, and a newer call for the same column cancels the previous one', async () => {
  const conditions = [{ field: 'amount_billed', operator: 'atLeast' as const, values: ['200'] }];
  const count = (search: string, field = 'members.employer.name') =>
    session.call('records:listValues', {
      workspaceId,
      entity: 'claims',
      field,
      search,
      within: { conditions },
      order: 'count',
      limit: 1000,
    });
  const [replaced, other, last] = await Promise.allSettled([count('a'), count('', 'status'), count('')]);
  expect(replaced).toMatchObject({ status: 'rejected', reason: { code: 'snapshot.expired' } });
  expect([other.status, last.status]).toEqual(['fulfilled', 'fulfilled']);
  // Equal calls get equal answers, such as from a reloaded window beside the one before or another window.
  const [one, same] = await Promise.all([count('b'), count('b')]);
  expect(same).toEqual(one);
  const { groups } = await session.call('records:group', {
    workspaceId,
    query: { entity: 'claims', conditions },
    by: 'members.employer.name',
    limit: 1000,
  });
  expect((await count('')).values).toEqual(
    groups.filter(({ value }) => value !== null).map(({ value, totals }) => ({ value, count: totals.count })),
  );
});
