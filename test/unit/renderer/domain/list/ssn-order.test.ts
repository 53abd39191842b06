import { expect, it } from 'vitest';
import { findSortChoices } from '../../../../../src/renderer/domain/list/describe-sort.ts';
import { gridColumns } from '../../../../../src/renderer/domain/list/grid/grid-columns.ts';
import { startSettings } from '../../../../../src/renderer/domain/list/list-settings.ts';
import { settingsOf, viewOf } from '../../../../../src/renderer/domain/list/view-settings.ts';

const bySsn = { field: 'ssn', direction: 'asc' as const };
const byName = { field: 'last_name', direction: 'desc' as const };

it.each(['members', 'dependents'] as const)('offers no order of %s by SSN', (entity) => {
  const choices = findSortChoices(entity, [byName]).map(({ path }) => path);
  expect(choices).toContain('date_of_birth');
  expect(choices).not.toContain('ssn');
  expect(choices).not.toContain('last_name');
  const settings = startSettings({ columns: ['last_name', 'ssn'] });
  const columns = gridColumns(entity, [], settings);
  expect(columns.map(({ colId, sortable }) => [colId, sortable])).toEqual([
    ['last_name', true],
    ['ssn', false],
  ]);
});

it('opens a view of an earlier version without its order by SSN, and with the rest of it', () => {
  const view = viewOf(startSettings({ columns: ['id', 'ssn'], sort: [bySsn, byName] }));
  expect(settingsOf('members', view)).toMatchObject({ sort: [byName], columns: ['id', 'ssn'] });
});
