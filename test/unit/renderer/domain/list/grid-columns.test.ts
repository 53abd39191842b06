import { expect, test } from 'vitest';
import {
  ChipCell,
  fittingWidth,
  gridColumns,
} from '../../../../../src/renderer/domain/list/grid/grid-columns.ts';
import { startSettings } from '../../../../../src/renderer/domain/list/list-settings.ts';
import { columnsThatFit } from '../../../../../src/renderer/domain/list/split-view.ts';
import { claimLayouts } from '../../../../../src/renderer/features/claims/claim-columns.ts';
import { toneOfCode } from '../../../../../src/renderer/lib/claim-status.ts';
import { fieldsOf } from '../../../../../src/rules/list-fields.ts';

const columns = gridColumns(
  'claims',
  [],
  startSettings({ columns: ['status', 'network', 'patient_name', 'amount_billed'] }),
);
const columnAt = (path: string) => columns.find(({ colId }) => colId === path);

test('amounts are sorted largest first, texts from A', () => {
  expect(columnAt('amount_billed')?.sortingOrder?.[0]).toBe('desc');
  expect(columnAt('patient_name')?.sortingOrder?.[0]).toBe('asc');
});

test('a status has a dot in its color; a network, which has no such meaning, is only a word', () => {
  expect(columnAt('status')?.cellRenderer).toBe(ChipCell);
  expect(columnAt('network')?.cellRenderer).toBeUndefined();
  expect(columnAt('patient_name')?.cellRenderer).toBeUndefined();
});

test('the title of the sorted column has space for itself and its arrow, unless a user set a width', () => {
  const widthOf = (widths: Record<string, number>, isSorted: boolean) =>
    gridColumns('claims', [], {
      ...startSettings({
        columns: ['facts.open'],
        sort: isSorted ? [{ field: 'facts.open', direction: 'desc' }] : [],
      }),
      widths,
    })[0]?.width;
  expect(widthOf({}, false)).toBe(108);
  expect(widthOf({}, true)).toBeGreaterThanOrEqual('Open amount'.length * 7 + 30);
  expect(widthOf({ 'facts.open': 70 }, true)).toBe(70);
});

test('changes are shown by the labels of the fields', () => {
  const [changed] = gridColumns('claims', [], startSettings({ columns: ['review.changed_fields'] }));
  const format = changed?.valueFormatter as unknown as (params: object) => unknown;
  expect(format({ value: 'status $isMissing patient_responsibility', data: {} })).toBe(
    'Status, No longer in the service, Patient responsibility',
  );
  const [change] = gridColumns('claims', [], startSettings({ columns: ['review.changed_responsibility'] }));
  const signed = change?.valueFormatter as unknown as (params: object) => unknown;
  expect(signed({ value: 200_000, data: {} })).toBe('+$20.00');
  expect(signed({ value: -200_000, data: {} })).toBe('−$20.00');
});

test('an owner who is not in the team is marked', () => {
  const isOutsider = (owner: string) => owner === 'Carrier hotline';
  const settings = startSettings({ columns: ['review.owner'] });
  const [owner] = gridColumns('claims', [], settings, false, isOutsider);
  const format = owner?.valueFormatter as unknown as (params: object) => unknown;
  expect(format({ value: 'Carrier hotline', data: {} })).toBe('Carrier hotline (not in the team)');
  expect(format({ value: 'ben@example.com', data: {} })).toBe('ben@example.com');
  expect(format({ value: null, data: {} })).toBe('–');
});

test('a code without a meaning here has no color', () => {
  expect(toneOfCode('status', 'Rejected')).toBe('bad');
  expect(toneOfCode('network', 'OUT')).toBeNull();
  expect(toneOfCode('review.state', 'constructor')).toBeNull();
  expect(toneOfCode('patient_name', 'Rejected')).toBeNull();
});

test('members show the first in the one form of names, and how many more', () => {
  const [members, employers] = gridColumns(
    'claims',
    [],
    startSettings({ columns: ['members.name', 'members.employer.name'] }),
  );
  const show = (column: unknown, value: string | null): unknown =>
    (column as { valueFormatter: (params: object) => unknown }).valueFormatter({ value, data: {} });
  expect(show(members, 'MARGARET EDWARDS\nAaron Young')).toBe('Margaret Edwards +1');
  expect(show(members, 'Aaron Young')).toBe('Aaron Young');
  expect(show(members, null)).toBe('–');
  expect(show(employers, 'ACME\nGlobex\nInitech')).toBe('ACME +2');
});

test('names of people on file have the same form', () => {
  const [last] = gridColumns('members', [], startSettings({ columns: ['last_name'] }));
  const format = last?.valueFormatter as unknown as (params: object) => unknown;
  expect(format({ value: 'EDWARDS', data: {} })).toBe('Edwards');
});

test('next to a record, the patient and the provider have space, and others are left out first', () => {
  const widthOf = (path: string): number => {
    const spec = fieldsOf.claims.find((one) => one.path === path);
    const layout = claimLayouts.find((one) => one.path === path);
    return spec === undefined ? 0 : fittingWidth(spec, layout, undefined);
  };
  const at1280 = ['id', 'date_of_service', 'patient_name', 'service_provider', 'status', 'review.state'];
  expect(columnsThatFit(at1280, widthOf, 660)).toEqual(at1280.slice(0, 5));
  expect(columnsThatFit(at1280, widthOf, 460)).toEqual(at1280.slice(0, 3));
});
