import { expect, test } from 'vitest';
import type { Entity } from '../../../../../../src/rules/list-fields.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

function givenRecords() {
  const store = openTestStore();
  const days = (start: string, end: string) => ({ bounds: '[]', start, end });
  store.ingest('claims', [
    { id: 1, amount_billed: 1894.95, date_of_service: days('2026-11-02', '2026-11-02') },
    { id: 2, patient_responsibility: 1894.95, date_of_service: days('2026-10-30', '2026-11-04') },
    { id: 3, amount_paid: 1894, amount_allowed: 1894.95, date_of_service: days('2026-11-03', '2026-11-03') },
    { id: 1894, patient_name: 'Ann Edwards', claim_medical_lines: [{ id: 7, amount_billed: 25.5 }] },
  ]);
  store.ingest('members', [
    {
      ...{ id: 1000471, first_name: 'Margaret', last_name: 'Edwards', date_of_birth: '1981-04-12' },
      partner_key: 'benefitdesk 00000158',
      vendor_members: [
        { key: '00000471', vendor_tenant: null },
        { key: 'A-17', vendor_tenant: null },
      ],
      dependents: [{ id: 77, first_name: 'Lea', date_of_birth: '2015-04-12' }],
    },
    { id: 12, first_name: 'Maria', last_name: 'Young', date_of_birth: '1981-12-04T00:00:00Z' },
  ]);
  return store;
}

test.each<[Entity, string, number[]]>([
  ['claims', '1,894.95', [1, 2, 3]],
  ['claims', '$1,894.95', [1, 2, 3]],
  ['claims', ' 1894.95 ', [1, 2, 3]],
  ['claims', '$1894', [3]],
  ['claims', '1,894', [3]],
  ['claims', '1,894.96', []],
  // A plain number is the number of a claim.
  ['claims', '1894', [1894]],
  ['claims', '11/02/2026', [1, 2]],
  ['claims', '11/2/2026', [1, 2]],
  ['claims', '2026-11-03', [2, 3]],
  ['claims', '13/13/2026', []],
  ['members', '04/12/1981', [1000471]],
  ['members', '1981-04-12', [1000471]],
  ['members', '12/4/1981', [12]],
  ['members', '00000158', [1000471]],
  ['members', '1000471', [1000471]],
  ['members', ' 00000471', [1000471]],
  ['members', 'A-17', [1000471]],
  ['members', '00000472', []],
  ['members', '12', [12]],
  ['members', 'margret', [1000471]],
  ['members', 'edwadrs margret', [1000471]],
  ['members', 'younk', [12]],
  ['members', 'mary', []],
])('a search of %s for %j finds %j', (entity, search, expected) => {
  const store = givenRecords();
  const query = { entity, search, findsSimilar: true };
  expect(store.list(query)).toEqual(expected);
  const { rows } = store.read.readFirst({ query, limit: 20, fields: ['id'] });
  expect(rows.map((row) => row.id)).toEqual(expected);
});

test.each<[Entity, string]>([
  ['dependents', '04/12/2015'],
  ['dependents', '77'],
  ['lines', '$25.50'],
])('a search of %s for %j finds the one', (entity, search) => {
  expect(givenRecords().list({ entity, search })).toHaveLength(1);
});
