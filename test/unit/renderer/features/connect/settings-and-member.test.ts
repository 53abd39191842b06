import { describe, expect, it } from 'vitest';
import type { ConnectEmployer } from '../../../../../src/contract/connect-members.ts';
import {
  chooseEmployer,
  emptyMember,
  prefillMember,
  readMember,
} from '../../../../../src/renderer/features/connect/member-prefill.ts';
import {
  readSettings,
  usualHeaders,
  valuesOf,
} from '../../../../../src/renderer/features/connect/settings-values.ts';

const kept = {
  publicToken: 'pk_1',
  hasSecret: true,
  tenantLabel: null,
  tenantKey: null,
  isDemo: false,
  base: 'current',
  correction: 'path',
  headers: usualHeaders,
} as const;

describe('the integration’s settings', () => {
  it('saves what differs, and nothing if nothing does', () => {
    const values = valuesOf(kept);
    expect(readSettings(values, kept).change).toBeNull();
    expect(readSettings({ ...values, publicToken: ' ', isDemo: true }, kept).change).toEqual({
      publicToken: null,
      isDemo: true,
    });
    const headers = { ...usualHeaders, serviceToken: ' X-Other-Token ' };
    expect(readSettings({ ...values, headers }, kept).change).toEqual({
      headers: { serviceToken: 'X-Other-Token' },
    });
  });
  it('reports invalid values at the field', () => {
    const values = { ...valuesOf(kept), publicToken: 'ä', headers: { ...usualHeaders, tenantKey: 'Cookie' } };
    const { change, errors } = readSettings(values, kept);
    expect(change).toBeNull();
    expect(Object.keys(errors).sort()).toEqual(['publicToken', 'tenantKey']);
  });
});

const newco: ConnectEmployer = {
  id: 70,
  name: 'Newco',
  otherIds: [700],
  tenantNames: [],
  systemKey: 'NEWCO-1',
  vendor: 'nw',
  vendorLabels: ['nw', 'hrx'],
};
const dana = {
  email: 'dana.reyes@example.com',
  firstName: 'Dana',
  lastName: 'Reyes',
  employer: { kind: 'known', id: 70 },
  systemKey: 'NEWCO-1',
  vendor: 'nw',
} as const;

describe('a member to be added', () => {
  const record = {
    id: 7,
    email: ' dana.reyes@example.com ',
    first_name: 'Dana',
    last_name: null,
    last_name_derived: 'Reyes',
    date_of_birth: '••••',
    employer: { id: 70, name: 'Newco' },
    vendor_members: [
      { key: 'OTHER-7', vendor_tenant: { label: 'other' } },
      { key: 'NW-7', vendor_tenant: { label: 'nw', vendor: { code: 'hris' } } },
    ],
  } as unknown as Parameters<typeof prefillMember>[0];

  it('is filled in from the record, with their employer and what is stored for it; the masks of privacy mode are left out', () => {
    expect(prefillMember(record, [{ ...newco, id: 71, otherIds: [] }, newco])).toEqual({
      ...emptyMember,
      ...dana,
      memberSystemKey: 'NW-7',
    });
    const dated = { ...record, date_of_birth: '1985-04-12T00:00:00Z' };
    expect(prefillMember(dated, []).dateOfBirth).toBe('1985-04-12');
  });
  it('has the employer under either of its numbers, and none if it is not among the choices', () => {
    const named = { ...record, employer: { id: 700, name: 'Newco' } } as typeof record;
    expect(prefillMember(named, [newco]).employer).toEqual({ kind: 'known', id: 70 });
    expect(prefillMember(record, [])).toMatchObject({ employer: null, systemKey: '', vendor: 'other' });
  });
  it('an employer’s ID is asked for once; the vendor that most of its members have is proposed', () => {
    const unasked = { ...newco, systemKey: null, vendor: null };
    expect(chooseEmployer(emptyMember, unasked)).toMatchObject({ systemKey: '', vendor: 'nw' });
    expect(chooseEmployer({ ...emptyMember, ...dana }, null)).toMatchObject({
      employer: null,
      systemKey: '',
      vendor: '',
    });
    expect(readMember({ ...emptyMember, ...dana, systemKey: ' ' }).errors).toHaveProperty('systemKey');
  });
  it('is sent without what is empty', () => {
    expect(readMember({ ...emptyMember, ...dana })).toEqual({ input: dana, errors: {} });
    const created = { ...emptyMember, ...dana, employer: { kind: 'new', name: ' Mill ' } } as const;
    expect(readMember(created).input?.employer).toEqual({ kind: 'new', name: 'Mill' });
  });
  it('is not sent while a field is invalid, or no employer is chosen', () => {
    const { input, errors } = readMember({ ...emptyMember, ...dana, email: 'dana', dateOfBirth: '12.4.85' });
    expect(input).toBeNull();
    expect(Object.keys(errors).sort()).toEqual(['dateOfBirth', 'email']);
    expect(Object.keys(readMember(emptyMember).errors).sort()).toEqual([
      'email',
      'employer',
      'firstName',
      'lastName',
    ]);
    const unnamed = { ...emptyMember, ...dana, employer: { kind: 'new', name: '  ' } } as const;
    expect(Object.keys(readMember(unnamed).errors)).toEqual(['employer']);
  });
});
