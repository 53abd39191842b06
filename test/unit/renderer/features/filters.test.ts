import { describe, expect, it } from 'vitest';
import { claimLayouts } from '../../../../src/renderer/features/claims/claim-columns.ts';
import { nameMatchConditions } from '../../../../src/renderer/features/dependents/dependent-page.tsx';
import { fieldsOf } from '../../../../src/rules/list-fields.ts';

it('shows only columns that exist', () => {
  const known = new Set(fieldsOf.claims.map((spec) => spec.path));
  expect(claimLayouts.filter((layout) => !known.has(layout.path))).toEqual([]);
});

describe('nameMatchConditions', () => {
  it('stays within the family and requires both names', () => {
    expect(nameMatchConditions({ first_name: 'Ada', last_name: 'Abbott' }, 7)).toEqual([
      { field: 'members.id', operator: 'is', values: [7] },
      { field: 'patient_name', operator: 'contains', values: ['Ada'] },
      { field: 'patient_name', operator: 'contains', values: ['Abbott'] },
    ]);
  });

  it('matches no one without a first name', () => {
    expect(nameMatchConditions({ first_name: null, last_name: 'Abbott' }, 7)).toBeNull();
  });
});
