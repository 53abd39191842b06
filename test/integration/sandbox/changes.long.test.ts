import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataClient } from './data-client.ts';
import { dataClient, readAll } from './data-client.ts';
import type { Sandbox } from './start-sandbox.ts';
import { startSandbox } from './start-sandbox.ts';

type Row = Record<string, unknown> & { id: number };
type SpecialClaims = {
  claims: { kind: string; claim_id: number; original_id?: number; changes_at?: string }[];
};

const ARGS = ['--members', '200', '--claims', '1200', '--seed', '5'];
const opened: Sandbox[] = [];

async function open(...more: string[]): Promise<{ sandbox: Sandbox; client: DataClient }> {
  const sandbox = await startSandbox(...ARGS, ...more);
  opened.push(sandbox);
  return { sandbox, client: await dataClient(sandbox) };
}
afterAll(async () => Promise.all(opened.map((sandbox) => sandbox.stop())));

const byId = (rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));
const instant = (value: unknown) =>
  Date.parse(/Z$|\+00:00$/.test(String(value)) ? String(value) : `${value}Z`);

describe('time', () => {
  let before: Map<number, Row>;
  let after: Map<number, Row>;
  let membersBefore: Row[];
  let membersAfter: Row[];
  let special: SpecialClaims['claims'];

  beforeAll(async () => {
    const { sandbox, client } = await open();
    special = (await sandbox.control<SpecialClaims>('GET', '/truth/special-claims')).claims;
    before = byId(await sandbox.truth<Row>('claims'));
    membersBefore = await sandbox.truth<Row>('members');
    await sandbox.control('POST', '/clock', { advanceDays: 20 });
    const truth = await sandbox.truth<Row>('claims');
    expect(await readAll(client, '/claims')).toEqual(truth);
    after = byId(truth);
    membersAfter = await sandbox.truth<Row>('members');
  });

  it('statuses move on from In Process', () => {
    const moved = [...before.values()].filter(
      (row) =>
        row.status === 'In Process' &&
        !['In Process', null, undefined].includes(after.get(row.id)?.status as string),
    );
    expect(moved.length).toBeGreaterThan(5);
  });

  it('amounts are adjusted', () => {
    const adjusted = [...before.values()].filter((row) => {
      const later = after.get(row.id);
      return (
        later?.status === 'Adjusted' && row.status !== 'Adjusted' && row.amount_paid !== later.amount_paid
      );
    });
    expect(adjusted.length).toBeGreaterThan(0);
  });

  it('claims appear and disappear', () => {
    expect([...after.keys()].filter((id) => !before.has(id)).length).toBeGreaterThan(20);
    expect([...before.keys()].filter((id) => !after.has(id)).length).toBeGreaterThan(5);
  });

  it('members appear, disappear and change', () => {
    const [then, now] = [byId(membersBefore), byId(membersAfter)];
    expect([...now.keys()].some((id) => !then.has(id))).toBe(true);
    expect([...then.keys()].some((id) => !now.has(id))).toBe(true);
    expect(
      [...then.values()].some((row) => now.has(row.id) && now.get(row.id)?.address !== row.address),
    ).toBe(true);
  });

  it('what changed has a later modifieddate, and what did not change keeps it', () => {
    let changed = 0;
    for (const row of before.values()) {
      const later = after.get(row.id);
      if (later === undefined || JSON.stringify(later) === JSON.stringify(row)) continue;
      if (row.modifieddate === null) continue;
      expect(instant(later.modifieddate)).toBeGreaterThan(instant(row.modifieddate));
      changed += 1;
    }
    expect(changed).toBeGreaterThan(20);
  });

  it('last_updated_status moves only with a material change (docs/service.md, "What the claim fields mean")', () => {
    let material = 0;
    for (const row of before.values()) {
      const later = after.get(row.id);
      if (later === undefined || row.last_updated_status === null) continue;
      const isSame = [
        'status',
        'computed_patient_responsibility',
        'patient_responsibility',
        'is_incomplete',
      ].every((field) => row[field] === later[field]);
      if (!isSame) {
        expect(instant(later.last_updated_status)).toBeGreaterThan(instant(row.last_updated_status));
        material += 1;
      }
    }
    expect(material).toBeGreaterThan(10);
  });

  it.each([
    ['material-change', true],
    ['becomes-incomplete', true],
    ['immaterial-change', false],
  ])('the change of the special claim %s happens: last_updated_status moves: %s', (kind, isMaterial) => {
    const cases = special.filter((one) => one.kind === kind);
    expect(cases.length).toBeGreaterThan(5);
    for (const { claim_id: id } of cases) {
      const [row, later] = [before.get(id), after.get(id)];
      if (
        row === undefined ||
        later === undefined ||
        row.modifieddate === null ||
        row.last_updated_status === null
      )
        continue;
      expect(instant(later.modifieddate)).toBeGreaterThan(instant(row.modifieddate));
      if (isMaterial)
        expect(instant(later.last_updated_status)).toBeGreaterThan(instant(row.last_updated_status));
      else expect(later.last_updated_status).toBe(row.last_updated_status);
    }
  });
});

describe('determinism', () => {
  it('the same seed and the same changes give the same data, another seed another', async () => {
    const changes = {
      edits: [
        { op: 'churn', list: 'claims', count: 40, seed: 9 },
        { op: 'advance-days', days: 3 },
      ],
    };
    const tell = async (sandbox: Sandbox) => {
      await sandbox.control('POST', '/edits', changes);
      return JSON.stringify([await sandbox.truth('claims'), await sandbox.truth('members')]);
    };
    const [a, b] = [await open(), await open()];
    const c = await open('--seed', '6');
    expect(await tell(a.sandbox)).toBe(await tell(b.sandbox));
    expect(JSON.stringify(await c.sandbox.truth('members'))).not.toBe(
      JSON.stringify(await a.sandbox.truth('members')),
    );
  });
});

describe('a schedule: changes between two requests', () => {
  const steps = [
    { after: 1, route: 'claims', edits: [{ op: 'insert', list: 'claims', at: 'start', count: 2 }] },
    { after: 2, route: 'claims', edits: [{ op: 'delete', list: 'claims', position: 0 }] },
    { after: 3, edits: [{ op: 'advance-days', days: 5 }] },
  ];

  it('rows shift under a paging client, the same way each time', async () => {
    const run = async () => {
      const { sandbox, client } = await open();
      await sandbox.control('POST', '/schedule', { steps });
      const pages: number[][] = [];
      for (let page = 1; page <= 4; page += 1) {
        pages.push(
          (await client.page(`/claims?page=${page}&per_page=5`)).data.map((row) => row.id as number),
        );
      }
      expect(await sandbox.control('GET', '/schedule')).toEqual({ answered: 3, pending: 0, errors: [] });
      return pages;
    };
    const first = await run();
    expect(first[1]?.slice(0, 2)).toEqual(first[0]?.slice(-2));
    expect(new Set(first.flat()).size).toBeLessThan(20);
    expect(await run()).toEqual(first);
  });

  it('an edit that no longer matches is reported, and the service continues', async () => {
    const { sandbox, client } = await open();
    await sandbox.control('POST', '/schedule', {
      steps: [{ after: 1, edits: [{ op: 'delete', list: 'claims', position: 99_999 }] }],
    });
    await client.page('/claims');
    expect(await sandbox.control('GET', '/schedule')).toMatchObject({
      pending: 0,
      errors: [expect.stringContaining('99999')],
    });
    await client.page('/claims');
  });

  it('a swap across page boundaries hides a row that exists throughout, while total and ID count are unchanged', async () => {
    const { sandbox, client } = await open();
    const all = (await sandbox.truth<Row>('claims')).map((row) => row.id);
    await sandbox.control('POST', '/schedule', {
      steps: [
        {
          after: 1,
          edits: [
            { op: 'swap', list: 'claims', a: 0, b: 1100 },
            { op: 'delete', list: 'claims', position: 1100 },
            { op: 'insert', list: 'claims', at: 'end' },
          ],
        },
      ],
    });
    const seen: number[] = [];
    const totals = new Set<number>();
    for (let page = 1; page <= 2; page += 1) {
      const got = await client.page(`/claims?page=${page}&per_page=1000`);
      seen.push(...got.data.map((row) => row.id as number));
      totals.add(got.total);
    }
    expect(totals).toEqual(new Set([1200]));
    expect(new Set(seen).size).toBe(1200);
    expect(seen).not.toContain(all[1100]);
    expect((await sandbox.truth<Row>('claims')).map((row) => row.id)).toContain(all[1100]);
  });
});

describe('edits', () => {
  let sandbox: Sandbox;
  let client: DataClient;
  beforeAll(async () => {
    ({ sandbox, client } = await open());
  });

  it('insert, delete, change, move and swap have the named effect', async () => {
    const truth = async () => sandbox.truth<Row>('claims');
    const rows = await truth();
    const apply = (...edits: object[]) =>
      sandbox
        .control<{ data: { ids: number[] }[] }>('POST', '/edits', { edits })
        .then(({ data }) => data.map(({ ids }) => ids));
    const [inserted] = await apply({ op: 'insert', list: 'claims', at: 3, count: 2 });
    expect((await truth()).slice(0, 6).map((row) => row.id)).toEqual([
      ...rows.slice(0, 3).map((row) => row.id),
      ...(inserted ?? []),
      rows[3]?.id,
    ]);
    await apply(
      { op: 'delete', list: 'claims', id: inserted?.[0] },
      { op: 'delete', list: 'claims', id: inserted?.[1] },
    );
    expect((await truth()).map((row) => row.id)).toEqual(rows.map((row) => row.id));
    await apply({ op: 'move', list: 'claims', from: 0, to: 9 }, { op: 'swap', list: 'claims', a: 1, b: 5 });
    expect((await truth()).map((row) => row.id).sort()).toEqual(rows.map((row) => row.id).sort());
    expect((await truth())[9]?.id).toBe(rows[0]?.id);
    const id = rows[50]?.id;
    await apply({
      op: 'change',
      list: 'claims',
      id,
      material: false,
      set: { remarks: '=changed', extra: [1] },
    });
    const changed = byId(await truth()).get(id as number) as Row;
    expect(changed).toMatchObject({
      remarks: '=changed',
      extra: [1],
      last_updated_status: rows[50]?.last_updated_status,
    });
  });

  it('a material change moves last_updated_status and keeps allowed = paid + patient', async () => {
    const row = (await sandbox.truth<Row>('claims')).find(
      (one) =>
        one.status === 'Processed' && one.amount_paid && one.patient_responsibility && one.amount_allowed,
    ) as Row;
    await sandbox.control('POST', '/edits', { edits: [{ op: 'change', list: 'claims', id: row.id }] });
    const changed = byId(await sandbox.truth<Row>('claims')).get(row.id) as Row;
    expect(instant(changed.last_updated_status)).toBeGreaterThan(instant(row.last_updated_status));
    const cents = (field: string) => Math.round(Number(changed[field]) * 10_000);
    expect(cents('amount_paid') + cents('patient_responsibility')).toBe(cents('amount_allowed'));
  });

  it('a row that does not exist: 422', async () => {
    await expect(
      sandbox.control('POST', '/edits', { edits: [{ op: 'delete', list: 'claims', id: 1 }] }),
    ).rejects.toThrow('422');
    await expect(
      sandbox.control('POST', '/edits', { edits: [{ op: 'swap', list: 'members', a: 0, b: 9999 }] }),
    ).rejects.toThrow('422');
    await expect(sandbox.control('POST', '/edits', { edits: [] })).rejects.toThrow('422');
  });

  it.each(['asc', 'desc', 'shuffled'])(
    'the order %s contains every record once, and pages agree with the truth',
    async (order) => {
      await sandbox.control('POST', '/order', { claims: order });
      const rows = await readAll(client, '/claims', 400);
      const ids = rows.map((row) => row.id as number);
      expect(rows).toEqual(await sandbox.truth('claims'));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThan(1100);
      const ascending = [...ids].sort((a, b) => a - b);
      if (order === 'asc') expect(ids).toEqual(ascending);
      else if (order === 'desc') expect(ids).toEqual(ascending.reverse());
      else expect(ids).not.toEqual(ascending);
    },
  );

  it('the order can be changed later, with edits kept', async () => {
    await sandbox.control('POST', '/edits', { edits: [{ op: 'churn', list: 'claims', count: 30 }] });
    const ids = (await sandbox.truth<Row>('claims')).map((row) => row.id).sort();
    for (const claims of ['desc', 'shuffled', 'asc']) {
      await sandbox.control('POST', '/order', { claims });
      expect((await sandbox.truth<Row>('claims')).map((row) => row.id).sort()).toEqual(ids);
    }
  });
});
