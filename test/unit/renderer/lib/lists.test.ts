import { describe, expect, it } from 'vitest';
import { buildListQuery, fieldsToFetch } from '../../../../src/renderer/domain/list/list-query.ts';
import { listRouteOf, parseListRef } from '../../../../src/renderer/domain/list/list-ref.ts';
import { listQuerySchema } from '../../../../src/rules/query.ts';

describe('buildListQuery', () => {
  it('leaves out what is empty', () => {
    expect(buildListQuery('claims', { search: '  ', conditions: [], sort: [] })).toEqual({
      entity: 'claims',
    });
  });

  it('requests archived members only for members', () => {
    expect(buildListQuery('members', { includesArchived: true })).toEqual({
      entity: 'members',
      includesArchived: true,
    });
    expect(buildListQuery('claims', { includesArchived: true })).toEqual({ entity: 'claims' });
  });

  it('stays within the contract however long the search is', () => {
    const query = buildListQuery('claims', { search: 'x'.repeat(900) });
    expect(listQuerySchema.safeParse(query).success).toBe(true);
  });
});

describe('fieldsToFetch', () => {
  it('contain what is shown, and always the ID', () => {
    expect(fieldsToFetch('claims', ['date_of_service', 'status'])).toEqual([
      'id',
      'date_of_service',
      'status',
    ]);
  });

  it('contain what a row is opened by, and no column that does not exist', () => {
    expect(fieldsToFetch('lines', ['nonsense'])).toEqual(['id', '$claim_id']);
    expect(fieldsToFetch('dependents', ['last_name'])).toEqual(['id', 'last_name', '$member_id']);
  });
});

describe('parseListRef', () => {
  it('keeps a list and a position, and drops everything else', () => {
    expect(parseListRef({ list: 'member-12', at: 3, q: 'Ada' })).toEqual({ list: 'member-12', at: 3 });
    expect(parseListRef({ list: 'claims', at: -1 })).toEqual({ list: 'claims' });
    expect(parseListRef({ list: 'Ada Lovelace', at: 3 })).toEqual({});
    expect(parseListRef({})).toEqual({});
  });
});

describe('listPlaceOf', () => {
  it('leads back to where the record was opened', () => {
    expect(listRouteOf(undefined, 'members').to).toEqual({ to: '/members' });
    expect(listRouteOf('lines', 'claims').to).toEqual({ to: '/lines' });
    expect(listRouteOf('member-12', 'claims').to).toEqual({
      to: '/members/$memberId',
      params: { memberId: 12 },
    });
    expect(listRouteOf('dependent-4', 'claims').label).toBe('Back to dependent');
  });
});
