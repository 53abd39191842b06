import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../../src/contract/fields.ts';
import { listQuerySchema } from '../../../../src/contract/query.ts';
import { claimLayouts, claimListStart } from '../../../../src/renderer/features/claims/claim-columns.ts';
import {
  claimConditions,
  claimQuery,
  noClaimFilter,
} from '../../../../src/renderer/features/claims/claim-filter.ts';
import { nameMatchConditions } from '../../../../src/renderer/features/dependents/name-match.ts';
import { memberQuery, noMemberFilter } from '../../../../src/renderer/features/members/member-filter.ts';

describe('claimConditions', () => {
  it('asks for nothing where nothing is chosen', () => {
    expect(claimConditions(noClaimFilter)).toEqual([]);
  });

  it('maps every filter to one condition', () => {
    expect(
      claimConditions({
        statuses: ['Rejected', 'In Process'],
        networks: ['OUT'],
        serviceFrom: '2025-09-01',
        serviceTo: '2025-09-30',
        billedAtLeast: '$1,500.25',
      }),
    ).toEqual([
      { field: 'status', operator: 'isOneOf', values: ['Rejected', 'In Process'] },
      { field: 'network', operator: 'isOneOf', values: ['OUT'] },
      { field: 'date_of_service.start', operator: 'atLeast', values: ['2025-09-01'] },
      { field: 'date_of_service.start', operator: 'lessThan', values: ['2025-10-01'] },
      { field: 'amount_billed', operator: 'atLeast', values: [1500.25] },
    ]);
  });

  it('waits until a date or an amount is whole', () => {
    expect(claimConditions({ ...noClaimFilter, serviceFrom: '2025-', billedAtLeast: 'abc' })).toEqual([]);
  });
});

it('makes queries the contract takes, the fixed conditions first', () => {
  const always = [{ field: 'members.id', operator: 'is' as const, values: [7] }];
  const query = claimQuery({ ...claimListStart, search: 'ada' }, always);
  expect(listQuerySchema.parse(query)).toEqual(query);
  expect(query.conditions?.[0]).toEqual(always[0]);
  expect(query.sort).toEqual([{ field: 'date_of_service.start', direction: 'desc' }]);
});

it('shows only columns that exist', () => {
  const known = new Set(fieldsOf.claims.map((spec) => spec.path));
  expect(claimLayouts.filter((layout) => !known.has(layout.path))).toEqual([]);
});

describe('memberQuery', () => {
  const settings = { search: '', filter: noMemberFilter, sort: [], columns: [] };
  it('leaves archived members out unless they are asked for', () => {
    expect(memberQuery(settings)).toEqual({ entity: 'members' });
    expect(memberQuery({ ...settings, filter: { employer: ' Tessel ', includesArchived: true } })).toEqual({
      entity: 'members',
      includesArchived: true,
      conditions: [{ field: 'employer.name', operator: 'contains', values: ['Tessel'] }],
    });
  });
});

describe('nameMatchConditions', () => {
  it('stays within the family and wants both names', () => {
    expect(nameMatchConditions({ first_name: 'Ada', last_name: 'Abbott' }, 7)).toEqual([
      { field: 'members.id', operator: 'is', values: [7] },
      { field: 'patient_name', operator: 'contains', values: ['Ada'] },
      { field: 'patient_name', operator: 'contains', values: ['Abbott'] },
    ]);
  });

  it('matches nobody without a first name', () => {
    expect(nameMatchConditions({ first_name: null, last_name: 'Abbott' }, 7)).toBeNull();
  });
});
