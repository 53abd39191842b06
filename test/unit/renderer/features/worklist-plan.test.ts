import { expect, test } from 'vitest';
import { gridColumns } from '../../../../src/renderer/domain/list/grid/grid-columns.ts';
import {
  listRouteOf,
  parseListRef,
  worklistClaimsList,
} from '../../../../src/renderer/domain/list/list-ref.ts';
import { toListQuery } from '../../../../src/renderer/domain/list/list-settings.ts';
import { worklistLayouts } from '../../../../src/renderer/features/claims/claim-columns.ts';
import { worklistPlan } from '../../../../src/renderer/features/claims/worklist-plan.ts';
import { fieldsOf } from '../../../../src/rules/list-fields.ts';
import { findWorklist, worklistTable } from '../../../../src/rules/worklists/worklist-table.ts';

test('every worklist is a list of its own claims whatever the user filters by, in its order, of known columns', () => {
  const known = new Set(fieldsOf.claims.map(({ path }) => path));
  for (const worklist of worklistTable) {
    const plan = worklistPlan(worklist, 1280);
    const mine = { field: 'status', operator: 'is' as const, values: ['Processed'] };
    expect(toListQuery(plan, { ...plan.initial, conditions: [mine] })).toEqual({
      entity: 'claims',
      conditions: [{ field: 'worklist', operator: 'is', values: [worklist.id] }, mine],
      sort: [worklist.sort],
      ...(worklist.includesMissing ? { includesMissing: true } : {}),
    });
    const { columns } = plan.initial;
    expect(columns.filter((path) => !known.has(path))).toEqual([]);
    expect(new Set(columns).size).toBe(columns.length);
  }
});

test('To decide shows what rules propose, if they do', () => {
  const columns = (hasProposals: boolean) =>
    worklistPlan(findWorklist('toDecide'), 1280, null, hasProposals).initial.columns;
  expect(columns(true)).toContain('facts.proposal');
  expect(columns(false)).not.toContain('facts.proposal');
});

test('a worklist shows why a claim is in it, and its groups from the start if there is space', () => {
  const denied = findWorklist('denied');
  expect(worklistPlan(denied, 1280).initial).toMatchObject({ groupBy: null });
  expect(worklistPlan(denied, 1280).initial.columns).toEqual(
    expect.arrayContaining(['remarks', 'facts.appeal_check_by']),
  );
  expect(worklistPlan(denied, 1920).initial).toMatchObject({ groupBy: 'facts.denial' });
  expect(worklistPlan(findWorklist('changed'), 1280).initial.columns).toEqual(
    expect.arrayContaining(['review.changed_fields', 'review.changed_responsibility']),
  );
  for (const worklist of worklistTable) {
    const { columns } = worklistPlan(worklist, 1440).initial;
    expect(worklist.columns.filter((path) => !columns.includes(path))).toEqual([]);
    expect(columns, 'the column of its order is in the rows').toContain(worklist.sort.field);
  }
});

test('at 1280 every column of a worklist is visible, and a patient has space for a name', () => {
  // The width excludes the sidebar, the margins of the page, the boxes of the selection and the scroll bar.
  const listPx = 1280 - 208 - 28 - 28 - 14;
  for (const worklist of worklistTable) {
    const { initial } = worklistPlan(worklist, 1280);
    const columns = gridColumns('claims', worklistLayouts, initial);
    const usedPx = columns.reduce((sum, { width, minWidth }) => sum + (minWidth ?? width ?? 0), 0);
    expect(usedPx, worklist.id).toBeLessThanOrEqual(listPx);
    const patient = columns.find(({ colId }) => colId === 'patient_name');
    expect(patient?.minWidth, worklist.id).toBeGreaterThanOrEqual(124);
  }
});

test('the denial replaces the status', () => {
  expect(worklistPlan(findWorklist('noSplit'), 1280).initial.columns).toContain('status');
  expect(worklistPlan(findWorklist('denied'), 1280).initial.columns).not.toContain('status');
});

test('a claim that was opened from a worklist leads back to it', () => {
  const list = worklistClaimsList('duplicates');
  expect(parseListRef({ list, at: 3 })).toEqual({ list, at: 3 });
  expect(listRouteOf(list, 'claims')).toEqual({
    label: 'Back to Duplicates',
    to: { to: '/worklists/$worklistId', params: { worklistId: 'duplicates' } },
  });
  expect(listRouteOf('worklist-99', 'claims').label).toBe('Back to claims');
});

test('a list that was stored before a worklist was added is still the same worklist', () => {
  for (const { id } of worklistTable) expect(worklistClaimsList(id)).toBe(`worklist-${id}`);
  expect(listRouteOf('worklist-3', 'claims').label, 'a position, as older versions stored').toBe(
    'Back to claims',
  );
});
