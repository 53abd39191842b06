import { expect, test } from 'vitest';
import { procedures } from '../../../src/contract/procedures.ts';
import { errorReportSchema } from '../../../src/contract/result.ts';
import { openSynced } from '../../support/synced-session.ts';

const { bench, session, workspaceId } = await openSynced('--members', '30', '--claims', '200', '--seed', '3');
const engine = await session.getEngine();

test.each<[string, unknown, string]>([
  ['no such procedure', { name: 'records:destroy', input: {} }, 'usage.invalid'],
  ['a name of the prototype', { name: '__proto__', input: {} }, 'usage.invalid'],
  ['a procedure of main', { name: 'keys:list', input: {} }, 'usage.invalid'],
  ['an input that does not fit', { name: 'records:open', input: { workspaceId: 7 } }, 'usage.invalid'],
  ['no input', { name: 'records:open', input: undefined }, 'usage.invalid'],
  [
    'a window too large',
    { name: 'records:getWindow', input: { snapshotId: 'x', offset: 0, limit: 5000 } },
    'usage.invalid',
  ],
  [
    'a list that is not open',
    { name: 'records:getWindow', input: { snapshotId: 'x', offset: 0, limit: 5 } },
    'snapshot.expired',
  ],
  ['a record that is not here', { name: 'records:getClaim', input: { id: 1 } }, 'record.unknown'],
  [
    'a target that nobody chose',
    {
      name: 'export:start',
      input: {
        source: { kind: 'list', query: { entity: 'claims' } },
        format: 'csv',
        columns: ['id'],
        targetId: '/etc/passwd',
      },
    },
    'app.forbidden',
  ],
])('%s is answered with a code and never rejects', async (_name, wanted, code) => {
  const { name, input } = wanted as { name: string; input: object | undefined };
  const result = await engine.call(name, input === undefined ? undefined : { workspaceId, ...input });
  expect(result.ok).toBe(false);
  if (!result.ok) expect(errorReportSchema.parse(result.error).code).toBe(code);
});

test('an unknown workspace is workspace.unknown', async () => {
  const result = await engine.call('records:getSummary', { workspaceId: 'nobody' });
  expect(result).toMatchObject({ ok: false, error: { code: 'workspace.unknown' } });
});

test('every answer of the engine matches the contract', async () => {
  const parse = (name: keyof typeof procedures, value: unknown): unknown =>
    procedures[name].output.parse(value);
  parse('records:getSummary', await session.call('records:getSummary', { workspaceId }));
  parse('sync:getStatus', await session.call('sync:getStatus', { workspaceId }));
  parse('records:listSetAside', await session.call('records:listSetAside', { workspaceId }));
  for (const entity of ['members', 'dependents', 'claims', 'lines'] as const) {
    const opened = await session.call('records:open', { workspaceId, query: { entity } });
    parse('records:open', opened);
    expect(opened.totals?.count ?? opened.total).toBe(opened.total);
    const window = await session.call('records:getWindow', {
      workspaceId,
      snapshotId: opened.snapshotId,
      offset: opened.total - 1,
      limit: 10,
    });
    parse('records:getWindow', window);
    expect(window.rows).toHaveLength(1);
    const id = Number(window.rows[0]?.id);
    if (entity === 'members')
      parse('records:getMember', await session.call('records:getMember', { workspaceId, id }));
    if (entity === 'claims')
      parse('records:getClaim', await session.call('records:getClaim', { workspaceId, id }));
    if (entity === 'dependents') {
      parse('records:getDependent', await session.call('records:getDependent', { workspaceId, id }));
    }
  }
});

test('a window sees no full SSN, by whatever call', async () => {
  const truth = await bench.sandbox.truth<{
    id: number;
    ssn: string | null;
    dependents: { id: number; ssn: string }[];
  }>('members');
  const member = truth.find(({ ssn, dependents }) => ssn !== null && dependents?.length > 0);
  const opened = await session.call('records:open', { workspaceId, query: { entity: 'members' } });
  const seen = JSON.stringify([
    await session.call('records:getMember', { workspaceId, id: member?.id ?? 0 }),
    await session.call('records:getDependent', { workspaceId, id: member?.dependents[0]?.id ?? 0 }),
    await session.call('records:getWindow', {
      workspaceId,
      snapshotId: opened.snapshotId,
      offset: 0,
      limit: 1000,
    }),
  ]);
  for (const { ssn } of [...truth, ...truth.flatMap(({ dependents }) => dependents ?? [])]) {
    if (ssn !== null) expect(seen).not.toContain(ssn);
  }
  expect(seen).toContain('***-**-');
});

test('totals over the claims of a member are the sums of the rows', async () => {
  const truth = await bench.sandbox.truth<{ amount_billed: number | null; members: { id: number }[] | null }>(
    'claims',
  );
  const id = truth.find(({ members }) => members !== null && members.length > 0)?.members?.[0]?.id ?? 0;
  const { totals } = await session.call('records:open', {
    workspaceId,
    query: { entity: 'claims', conditions: [{ field: 'members.id', operator: 'is', values: [id] }] },
  });
  const mine = truth.filter(({ members }) => members?.some((member) => member.id === id));
  expect(totals?.count).toBe(mine.length);
  const billed = mine.reduce((sum, claim) => sum + Math.round((claim.amount_billed ?? 0) * 10_000), 0);
  expect(totals?.billed ?? 0).toBe(billed);
});

test('rows are copied masked and guarded, and the audit log records that', async () => {
  const { snapshotId, total } = await session.call('records:open', {
    workspaceId,
    query: { entity: 'members' },
  });
  const { text, rows } = await session.call('records:copy', {
    workspaceId,
    snapshotId,
    places: [
      [0, 1],
      [4, 4],
    ],
    fields: ['id', 'last_name', 'ssn'],
  });
  const [head, ...lines] = text.split('\r\n');
  expect([head, rows, lines.length]).toEqual(['Record no.\tLast name\tSSN', 3, 3]);
  expect(text).not.toMatch(/\d{3}-\d{2}-\d{4}/);
  const { entries } = await session.call('audit:list', { offset: 0, limit: 1000 });
  expect(entries.filter(({ action }) => action === 'records.copied').at(-1)?.details).toEqual({
    list: 'members',
    rows: 3,
    columns: 'id last_name ssn',
  });
  expect(total).toBeGreaterThan(5);
});

test('many rows of people are copied only with a reason, like an export', async () => {
  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
  const copy = (rows: number, field: string, reason?: string) =>
    engine.call('records:copy', {
      workspaceId,
      snapshotId,
      places: [[0, rows - 1]],
      fields: ['id', field],
      ...(reason === undefined ? {} : { reason }),
    });
  for (const [rows, field] of [
    [1, 'patient_name'],
    [100, 'patient_name'],
    [101, 'amount_billed'],
  ] as const)
    expect(await copy(rows, field)).toMatchObject({ ok: true, value: { rows } });
  for (const reason of [undefined, '', '.', ' - '])
    expect(await copy(101, 'patient_name', reason)).toMatchObject({
      ok: false,
      error: { code: 'export.reasonMissing' },
    });
  expect(await copy(101, 'patient_name', 'Appeals')).toMatchObject({ ok: true, value: { rows: 101 } });
  const { entries } = await session.call('audit:list', { offset: 0, limit: 1 });
  expect(entries[0]).toMatchObject({
    action: 'records.copied',
    details: { rows: 101, columns: 'id patient_name', reason: 'Appeals' },
  });
});

test('making, changing and removing saved views is recorded in the audit log, without their names', async () => {
  const save = (name: string, id?: string) =>
    session.call('views:save', { workspaceId, name, query: '{}', ...(id === undefined ? {} : { id }) });
  await save('$session');
  const { id } = await save('Planted name');
  await save('Planted name', id);
  await session.call('views:remove', { workspaceId, id });
  const { entries } = await session.call('audit:list', { offset: 0, limit: 3 });
  expect(entries.map(({ action }) => action)).toEqual(['view.removed', 'view.changed', 'view.made']);
  expect(entries.map(({ details }) => details)).toEqual([{ viewId: id }, { viewId: id }, { viewId: id }]);
});

test('what can’t be copied is refused with its code', async () => {
  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
  const copy = (places: [number, number][], fields: string[]) =>
    engine.call('records:copy', { workspaceId, snapshotId, places, fields });
  expect(await copy([[0, 10_000]], ['id'])).toMatchObject({ ok: false, error: { code: 'copy.tooMany' } });
  expect(await copy([[0, 0]], ['secret'])).toMatchObject({
    ok: false,
    error: { code: 'export.unknownColumn' },
  });
  expect(await copy([], ['id'])).toMatchObject({ ok: false, error: { code: 'usage.invalid' } });
});
