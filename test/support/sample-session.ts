import { setTimeout as sleep } from 'node:timers/promises';
import type { Input, Output, ProcedureName } from '../../src/contract/procedures.ts';
import { amountOfCell } from '../../src/rules/money/amounts.ts';
import type { Condition, ListQuery, Row } from '../../src/rules/query.ts';
import { findWorklist, type WorklistId } from '../../src/rules/worklists/worklist-table.ts';
import { callAs, startShellUnderTest } from './browser-shell.ts';

/**
 * A session of the sample after its first sync, with the reviews of a colleague in every worklist. Procedures are
 * called as a page calls them.
 */
export interface SampleSession {
  readonly workspaceId: string;
  call<N extends ProcedureName>(procedure: N, input: Omit<Input<N>, 'workspaceId'>): Promise<Output<N>>;
  /** All rows of a list of claims. */
  readRows(query: Omit<ListQuery, 'entity'>, fields: readonly string[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** The worklists that have no claim of the sample. */
const notInSample: readonly WorklistId[] = [
  'adjustments',
  'missing',
  'otherClaims',
  'notComputed',
  'lettersUntrue',
];

/** Worklists of a team are empty without one, but for the quality check, which is only not shown. */
export const isInSample = (id: WorklistId): boolean =>
  id === 'qualityCheck' || !(findWorklist(id).isOfTeam || notInSample.includes(id));

export async function openSample(members: number, claims: number): Promise<SampleSession> {
  const under = await startShellUnderTest({
    environment: { CLAIMDESK_SAMPLE_MEMBERS: String(members), CLAIMDESK_SAMPLE_CLAIMS: String(claims) },
  });
  const page = await under.loadPage(await under.enter());
  const ask = async <N extends ProcedureName>(to: 'main' | 'engine', procedure: N, input: unknown) => {
    const result = await callAs(under, page, to, procedure, input);
    if (!result.ok) throw new Error(`${procedure}: ${result.error.code}`);
    return result.value as Output<N>;
  };
  const { id: workspaceId } = await ask('main', 'sample:open', {});
  const call: SampleSession['call'] = (procedure, input) =>
    ask('engine', procedure, { ...input, workspaceId });
  await call('sync:start', {});
  for (let empty = 1; empty > 0; await sleep(50)) {
    await call('worklists:update', {});
    const { worklists } = await call('worklists:counts', {});
    empty = worklists.filter(({ id, claims: count }) => count === 0 && isInSample(id)).length;
  }
  return {
    workspaceId,
    call,
    async readRows(query, fields) {
      const whole = { entity: 'claims' as const, ...query };
      const { snapshotId, total } = await call('records:open', { query: whole });
      const rows: Row[] = [];
      while (rows.length < total) {
        const window = { snapshotId, offset: rows.length, limit: 1000, fields: [...fields] };
        rows.push(...(await call('records:getWindow', window)).rows);
      }
      await call('records:close', { snapshotId });
      return rows;
    },
    close: () => under.close(),
  };
}

/** The exact sum of a column as in totals: ten-thousandths of a dollar, null where no row has an amount. */
export function sumOf(rows: readonly Row[], field: string): bigint | null {
  return rows.reduce<bigint | null>((sum, row) => {
    const amount = amountOfCell(row[field]);
    return amount === null ? sum : (sum ?? 0n) + BigInt(amount);
  }, null);
}

/** Count and sums of rows, as pages show them. */
export const totalsOf = (rows: readonly Row[]) => ({
  count: rows.length,
  billed: sumOf(rows, 'amount_billed'),
  allowed: sumOf(rows, 'amount_allowed'),
  paid: sumOf(rows, 'amount_paid'),
  patientResponsibility: sumOf(rows, 'patient_responsibility'),
});

export const summedFields = [
  'id',
  'amount_billed',
  'amount_allowed',
  'amount_paid',
  'patient_responsibility',
] as const;

export const where = (...conditions: Condition[]): Omit<ListQuery, 'entity'> => ({ conditions });
