import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Amount, Total } from '../../../../src/renderer/components/amount.tsx';
import { gridColumns } from '../../../../src/renderer/domain/list/grid/grid-columns.ts';
import { ClaimLines } from '../../../../src/renderer/features/claims/claim-lines.tsx';
import { fieldsOf } from '../../../../src/rules/list-fields.ts';
import { addRow } from '../../../../src/rules/money/amounts.ts';
import type { Row, Totals } from '../../../../src/rules/query.ts';

const draw = (shown: ReactNode): string =>
  renderToStaticMarkup(<MantineProvider>{shown}</MantineProvider>)
    .replace(/<style.*?<\/style>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

it('a claim shows the lines that could be read, and the others as received', () => {
  const lines = [{ amount_billed: '100.50' }, { amount_billed: 'see contract' }];
  const shown = draw(
    <ClaimLines
      claim={{ id: 1, amount_billed: 100.5, claim_medical_lines: lines as never }}
      setAside={[
        { list: 'claim_medical_lines', value: null },
        { list: 'claim_medical_lines', value: 'pending' },
        { list: 'members', value: 5 },
      ]}
    />,
  );
  expect(shown).toContain('2 lines could not be read. Received: null pending');
  expect(shown).toContain('Lines (2)');
  expect(shown).toContain('⚠ see contract (Not a number: no sum counts it)');
  expect(shown).toContain('$100.50 1 amount not counted');
});

it('one line is shown as one, and a claim without odd ones shows nothing', () => {
  const claim = { id: 1, claim_medical_lines: [] };
  expect(draw(<ClaimLines claim={claim} setAside={[{ list: 'claim_medical_lines', value: 7 }]} />)).toContain(
    '1 line could not be read. Received: 7',
  );
  expect(draw(<ClaimLines claim={claim} setAside={[]} />)).not.toContain('could not be read');
});

it('amounts are dollars if they are amounts, and marked if not', () => {
  expect(draw(<Amount value="$1,200.5" />)).toContain('$1,200.50');
  expect(draw(<Amount value={{ a: 1 }} />)).toContain('⚠ {&quot;a&quot;:1}');
  expect(draw(<Total amount={13_005_000} notCounted={3} />)).toContain('$1,300.50 3 amounts not counted');
  expect(draw(<Total amount={5} />)).not.toContain('not counted');
});

it('a list marks what is not a number, and adds selected rows up exactly', () => {
  const [column] = gridColumns('claims', [], {
    columns: ['amount_billed'],
    ...{ frozen: [], widths: {}, sort: [], conditions: [] },
  });
  const format = column?.valueFormatter as (params: { data: object; value: unknown }) => string;
  expect([2_005_000, '0.12345', 'abc', 'true'].map((value) => format({ data: {}, value }))).toEqual([
    '$200.50',
    '$0.12',
    '⚠ abc',
    '⚠ true',
  ]);
  expect(fieldsOf.claims.some(({ path }) => path === 'members.id')).toBe(false);
  const none: Totals = { count: 0, billed: null, allowed: null, paid: null, patientResponsibility: null };
  const rows = [{ amount_billed: '0.00011' }, { amount_billed: 20_000 }, { amount_billed: 'abc' }, {}];
  const add = (sums: Totals, row: Row) => addRow(sums, row, { billed: 'amount_billed' });
  expect(rows.reduce(add, none)).toEqual({
    ...{ ...none, billed: 20_001 },
    notCounted: { billed: 1 },
  });
});
