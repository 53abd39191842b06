import type { DependentRecord, MemberRecord } from '../../../src/contract/records.ts';

/** A small generator with a seed: the same data every time. */
export function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

export function pick<T>(dice: (sides: number) => number, from: readonly T[]): T {
  const value = from[dice(from.length)];
  if (value === undefined) throw new Error('There is nothing to pick from.');
  return value;
}

const firstNames = ['Ada', 'Bruno', 'Carmen', 'Dmitri', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas'];
const lastNames = [
  'Abbott',
  'Bergström',
  'Castillo',
  'Delacroix',
  'Eisenberg',
  'Fitzgerald',
  'Gutierrez',
  'Holloway',
  'Ivanova',
  'Johansson',
];
const employers = ['Harbor Freight Systems', 'Northwind Bakery', 'Lakeside School District', 'Tessel Optics'];
const stamp = (day: number) =>
  `2025-${String((day % 12) + 1).padStart(2, '0')}-${String((day % 27) + 1).padStart(2, '0')}T14:05:09.123Z`;

function makeDependent(dice: (sides: number) => number, id: number, lastName: string): DependentRecord {
  return {
    id,
    first_name: pick(dice, firstNames),
    middle_name: dice(3) === 0 ? 'Lee' : null,
    last_name: lastName,
    email: null,
    address: '12 Elm Street, Dayton, OH 45402',
    date_of_birth: `20${String(10 + dice(12))}-0${1 + dice(9)}-1${dice(9)}`,
    ssn: `•••-••-${String(1000 + dice(9000))}`,
    partner_key: `D-${id}`,
    relationship: pick(dice, ['child', 'spouse']),
    createddate: stamp(id),
    modifieddate: stamp(id + 3),
  };
}

/** A member with everything the screens show, and now and then a field that is not there. */
export function makeMember(dice: (sides: number) => number, id: number): MemberRecord {
  const lastName = pick(dice, lastNames);
  const firstName = pick(dice, firstNames);
  const employerIndex = dice(employers.length);
  const isArchived = dice(12) === 0;
  return {
    id,
    first_name: firstName,
    last_name: lastName,
    full_name_derived: `${firstName} ${lastName}`,
    first_name_derived: firstName,
    last_name_derived: lastName,
    email: `${firstName}.${lastName}@example.com`.toLowerCase(),
    address: dice(9) === 0 ? null : '12 Elm Street, Dayton, OH 45402',
    ssn: dice(10) === 0 ? null : `•••-••-${String(1000 + dice(9000))}`,
    date_of_birth: `19${60 + dice(39)}-0${1 + dice(9)}-1${dice(9)}`,
    partner_key: `M-${id}`,
    archived: isArchived,
    archived_date: isArchived ? stamp(id) : null,
    can_make_claim_requests: true,
    can_use_portal: dice(2) === 0,
    unread_count: dice(4),
    createddate: stamp(id),
    modifieddate: stamp(id + 5),
    accounts: [{ id: 1, name: 'Benefits account' }],
    dependents: Array.from({ length: dice(4) }, (_, index) => makeDependent(dice, id * 10 + index, lastName)),
    employer: {
      id: employerIndex + 1,
      employer_id: 100 + employerIndex,
      name: employers[employerIndex],
      slug: 'employer',
      archived: false,
      email_automation: true,
      support_email_derived: 'benefits@example.com',
      support_phone_derived: '555-0100',
      tenant_name_derived: 'Ohio Benefits Trust',
      payers: [{ id: 3, name: 'Buckeye Health Plan', short_name: 'BHP' }],
      eligible_payers: [{ id: 4, name: 'Lakes Dental', short_name: 'LD', retriever: 'portal' }],
    },
    tenant: {
      id: 9,
      tenant_id: 90,
      name: 'Ohio Benefits Trust',
      partner_key_enabled: true,
      vendor_tenants: [],
    },
    vendor_members: [
      {
        key: `HRX-${id}`,
        vendor_tenant: { id: 2, label: 'hrx', vendor: { id: 5, code: 'hrx', name: 'HR Exchange' } },
      },
    ],
    hire_term_daterange: { bounds: '[)', start: '2019-04-01', end: null },
  };
}
