import { beforeAll, describe, expect, it } from 'vitest';
import type { DataClient } from './data-client.ts';
import { dataClient, readAll } from './data-client.ts';
import { givenSandbox } from './given-sandbox.ts';

type Row = Record<string, unknown>;

/** The tables of docs/service.md, written down here a second time on purpose. */
const CLAIM: Readonly<Record<string, string>> = {
  ...named('number', 'amount_allowed amount_billed amount_not_covered amount_paid amount_paid_other'),
  check_date: 'date',
  check_number: 'string',
  claim_medical_lines: 'array',
  ...named(
    'number',
    'coinsurance_patient copayment discount reduction patient_responsibility incurred_value',
  ),
  ...named(
    'number',
    'computed_amount_allowed computed_amount_billed computed_amount_paid computed_coinsurance_patient ' +
      'computed_copayment computed_patient_responsibility computed_reduction',
  ),
  ...named('date-time', 'createddate modifieddate date_column last_updated_status'),
  ...named('integer', 'dataobject_id id service_provider_billing_npi_number service_provider_npi_number'),
  date_of_service: 'range',
  ...named('date', 'eob_date processed_on'),
  ...named(
    'string',
    'group_name group_number network patient_account_number patient_name patient_payer_number remarks',
  ),
  ...named('boolean', 'is_incomplete recrawl_requested'),
  members: 'array',
  ...named('object', 'policy_holder type'),
  ...named(
    'string',
    'service_provider service_provider_address service_provider_billing_address service_provider_billing_name ' +
      'service_provider_billing_number service_provider_billing_phone service_provider_number status vendor_system_id',
  ),
  uuid: 'uuid',
};
const LINE: Readonly<Record<string, string>> = {
  ...named(
    'number',
    'amount_allowed amount_billed amount_not_covered amount_paid amount_paid_other coinsurance_patient copayment ' +
      'discount patient_responsibility reduction total_patient_responsibility quantity',
  ),
  date_of_service: 'range',
  ...named('integer', 'days_supply id prescription_type_id'),
  ...named(
    'string',
    'diagnosis_code national_drug_code prescription_type_str procedure_code procedure_name vendor_system_id',
  ),
  uuid: 'uuid',
};
const CLAIM_MEMBER: Readonly<Record<string, string>> = {
  ...named('string', 'email first_name last_name'),
  id: 'integer',
  ...named('object', 'employer system_key'),
};
const MEMBER: Readonly<Record<string, string>> = {
  ...named('array', 'accounts dependents vendor_members'),
  ...named(
    'string',
    'address first_name last_name email ssn first_name_derived last_name_derived full_name_derived partner_key',
  ),
  ...named('boolean', 'archived can_make_claim_requests can_use_portal'),
  ...named('date-time', 'archived_date createddate modifieddate'),
  date_of_birth: 'date',
  ...named('object', 'employer tenant'),
  ...named('integer', 'id unread_count'),
};
const DEPENDENT: Readonly<Record<string, string>> = {
  ...named('string', 'address email first_name middle_name last_name ssn partner_key'),
  ...named('date-time', 'createddate modifieddate'),
  date_of_birth: 'date',
  id: 'integer',
};
const EMPLOYER: Readonly<Record<string, string>> = {
  ...named('boolean', 'archived email_automation'),
  ...named('array', 'eligible_payers payers'),
  ...named('integer', 'employer_id id'),
  ...named(
    'string',
    'name slug support_email_derived support_phone_derived tenant_logo_derived tenant_name_derived',
  ),
};
const TENANT: Readonly<Record<string, string>> = {
  partner_key_enabled: 'boolean',
  ...named('integer', 'id tenant_id'),
  name: 'string',
  vendor_tenants: 'array',
};

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)?)?$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)?$/;
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && !Array.isArray(value),
  date: (value) => DATE.test(String(value)),
  'date-time': (value) => DATE_TIME.test(String(value)),
  uuid: (value) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(String(value)),
  range: (value) => {
    const { bounds, start, end } = value as Row;
    return (
      /^[[(][\])]$/.test(String(bounds)) &&
      [start, end].every((side) => side === null || DATE.test(String(side)))
    );
  },
};

const sandbox = givenSandbox('--members', '1500', '--claims', '6000', '--seed', '1');
let client: DataClient;
let claims: Row[];
let members: Row[];

beforeAll(async () => {
  client = await dataClient(sandbox);
  claims = await readAll(client, '/claims');
  members = await readAll(client, '/member');
});

const many = (rows: readonly Row[], field: string): Row[] =>
  rows.flatMap((row) => (row[field] as Row[] | null) ?? []);
const one = (rows: readonly Row[], field: string): Row[] =>
  rows.map((row) => row[field] as Row | null).filter((row) => row !== null);

const TABLES: readonly [string, Readonly<Record<string, string>>, () => Row[], readonly string[]][] = [
  ['Claim', CLAIM, () => claims, ['id']],
  ['Claim medical line', LINE, () => many(claims, 'claim_medical_lines'), ['id']],
  [
    'Claim member',
    CLAIM_MEMBER,
    () => many(claims, 'members'),
    ['id', 'first_name', 'last_name', 'employer'],
  ],
  ['Member', MEMBER, () => members, ['id']],
  ['Dependent', DEPENDENT, () => many(members, 'dependents'), ['id']],
  [
    'Employer',
    EMPLOYER,
    () => one(members, 'employer'),
    ['id', 'employer_id', 'name', 'archived', 'payers', 'eligible_payers', 'tenant_name_derived'],
  ],
  [
    'Tenant',
    TENANT,
    () => one(members, 'tenant'),
    ['id', 'tenant_id', 'name', 'partner_key_enabled', 'vendor_tenants'],
  ],
];

describe.each(TABLES)('interface, %s', (_name, table, rowsOf, neverNull) => {
  it.each(Object.entries(table))('%s is %s where it is filled, and filled somewhere', (field, type) => {
    const values = rowsOf()
      .map((row) => row[field])
      .filter((value) => value !== null && value !== undefined);
    expect(values.length).toBeGreaterThan(0);
    expect(values.filter((value) => !TYPES[type]?.(value)).slice(0, 3)).toEqual([]);
  });

  it.each(Object.keys(table).filter((field) => !neverNull.includes(field)))(
    '%s is null somewhere',
    (field) => {
      expect(rowsOf().some((row) => row[field] === null)).toBe(true);
    },
  );
});

describe('interface, Vendor tenant and Vendor member', () => {
  it('a tenant lists its vendor tenants with key_enabled', () => {
    for (const tenant of one(members, 'tenant')) {
      for (const vendorTenant of tenant.vendor_tenants as Row[]) {
        expect(vendorTenant).toEqual({
          id: expect.any(Number),
          key_enabled: expect.any(Boolean),
          label: expect.any(String),
          vendor: { code: expect.any(String), id: expect.any(Number), name: expect.any(String) },
        });
      }
    }
  });

  it('a vendor member has a key and a vendor tenant without key_enabled, one of its tenant', () => {
    const vendorMembers = many(members, 'vendor_members');
    expect(vendorMembers.length).toBeGreaterThan(1000);
    for (const vendorMember of vendorMembers) {
      expect(vendorMember).toEqual({
        key: expect.stringMatching(/^00\d+$/),
        vendor_tenant: {
          id: expect.any(Number),
          label: expect.any(String),
          vendor: { code: expect.any(String), id: expect.any(Number), name: expect.any(String) },
        },
      });
    }
  });
});

describe('docs/service.md, "Lists and values": dates, ranges, ids', () => {
  it.each(['eob_date', 'check_date', 'processed_on'])(
    '%s is sent as a date, and sometimes as a date-time',
    (field) => {
      const values = claims.map((claim) => claim[field]).filter((value) => value !== null) as string[];
      expect(values.some((value) => value.length === 10)).toBe(true);
      expect(values.some((value) => value.length > 10)).toBe(true);
    },
  );

  it.each([
    ['Z and fractions', /\.\d+Z$/],
    ['Z without fractions', /:\d\dZ$/],
    ['+00:00', /\+00:00$/],
    ['no zone', /\.\d+$/],
  ])('date-times come with %s', (_form, pattern) => {
    expect(claims.some((claim) => pattern.test(String(claim.createddate)))).toBe(true);
  });

  it.each(['[)', '[]', '(]', '()'])('the bounds %s occur', (bounds) => {
    expect(claims.some((claim) => (claim.date_of_service as Row | null)?.bounds === bounds)).toBe(true);
  });

  it('[) around one day ends the day after', () => {
    const single = claims.find((claim) => {
      const range = claim.date_of_service as Row | null;
      return range?.bounds === '[)' && range.end !== null && days(range) === 1;
    });
    expect(single).toBeDefined();
  });

  it('stays of several days, unbounded starts and unbounded ends occur', () => {
    const ranges = one(claims, 'date_of_service');
    expect(ranges.some((range) => range.end !== null && range.start !== null && days(range) > 2)).toBe(true);
    expect(ranges.some((range) => range.end === null)).toBe(true);
    expect(ranges.some((range) => range.start === null)).toBe(true);
  });

  it('claim_medical_line_id sometimes replaces id', () => {
    const lines = many(claims, 'claim_medical_lines');
    const standIns = lines.filter((line) => 'claim_medical_line_id' in line);
    expect(standIns.length).toBeGreaterThan(0);
    for (const line of standIns) expect('id' in line).toBe(false);
  });

  it('procedure_code can contain code and text', () => {
    const codes = many(claims, 'claim_medical_lines').map((line) => String(line.procedure_code));
    expect(codes.some((code) => /^[A-Z]\d{4} - ./.test(code))).toBe(true);
  });

  it('adjustments are negative', () => {
    expect(many(claims, 'claim_medical_lines').some((line) => Number(line.amount_billed) < 0)).toBe(true);
  });
});

describe('docs/service.md, "What the claim fields mean": meanings', () => {
  it.each(['In Process', 'Processed', 'Partially Approved', 'Rejected', 'Adjusted', 'Under Review'])(
    'the status %s occurs',
    (status) => {
      expect(claims.some((claim) => claim.status === status)).toBe(true);
    },
  );

  it.each(['IN', 'OUT', 'TIER1', 'TIER2'])('the network %s occurs', (network) => {
    expect(claims.some((claim) => claim.network === network)).toBe(true);
  });

  it('the five types have the ids 1 to 5', () => {
    const pairs = new Set(one(claims, 'type').map((type) => `${type.type_id}:${type.name}`));
    expect([...pairs].map((pair) => pair.split(':')[0]).sort()).toEqual(['1', '2', '3', '4', '5']);
    expect([...pairs].map((pair) => pair.split(':')[1]).sort()).toEqual([
      'dental',
      'facility',
      'medical',
      'rx',
      'vision',
    ]);
  });

  it('computed_X has a value in some places where X is null', () => {
    expect(
      claims.some((claim) => claim.amount_allowed === null && claim.computed_amount_allowed !== null),
    ).toBe(true);
  });

  it('ids of claims and of vendor systems are unique', () => {
    expect(new Set(claims.map((claim) => claim.id)).size).toBe(claims.length);
    const vendorIds = claims.map((claim) => claim.vendor_system_id).filter((id) => id !== null);
    expect(new Set(vendorIds).size).toBe(vendorIds.length);
    expect(vendorIds.some((id) => /-\d\d$/.test(String(id)))).toBe(true);
  });

  it('every member that a claim names is in the member list, with the same employer', () => {
    const byId = new Map(members.map((member) => [member.id, member]));
    for (const named of many(claims, 'members')) {
      const member = byId.get(named.id);
      expect(member, `member ${named.id}`).toBeDefined();
      const employer = member?.employer as Row | null;
      if (employer) expect((named.employer as Row).id).toBe(employer.id);
    }
  });

  it('a patient belongs to the family of the member', () => {
    const byId = new Map(members.map((member) => [member.id, member]));
    let checked = 0;
    for (const claim of claims) {
      const member = byId.get((claim.members as Row[] | null)?.[0]?.id);
      const dependents = member?.dependents as Row[] | null | undefined;
      if (!member || !dependents || claim.patient_name === null) continue;
      const family = [member, ...dependents];
      if (family.some((person) => person.first_name === null || person.last_name === null)) continue;
      const wanted = words(String(claim.patient_name));
      expect(family.map((person) => words(`${person.first_name} ${person.last_name}`))).toContain(wanted);
      checked += 1;
    }
    expect(checked).toBeGreaterThan(2000);
  });

  it('archived members stay in the list and have a date', () => {
    const archived = members.filter((member) => member.archived === true);
    expect(archived.length).toBeGreaterThan(10);
    expect(archived.filter((member) => member.archived_date !== null).length).toBeGreaterThan(10);
  });

  it.each(['gender', 'phone_mobile', 'hire_term_daterange'])(
    'members carry the unlisted field %s',
    (field) => {
      expect(members.some((member) => member[field] !== null && member[field] !== undefined)).toBe(true);
    },
  );

  it.each(['relationship', 'gender', 'phone_mobile'])(
    'dependents carry the unlisted field %s, some of them',
    (field) => {
      const dependents = many(members, 'dependents');
      expect(dependents.some((dependent) => field in dependent)).toBe(true);
      expect(dependents.some((dependent) => !(field in dependent))).toBe(true);
    },
  );
});

function named(type: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, type]));
}

function days(range: Row): number {
  return (Date.parse(String(range.end)) - Date.parse(String(range.start))) / 86_400_000;
}

/** The words of a name in any order and case, as carriers spell them. */
function words(name: string): string {
  return name
    .toUpperCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .sort()
    .join(' ');
}
