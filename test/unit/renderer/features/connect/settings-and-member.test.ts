import { describe, expect, it } from 'vitest';
import type { ConnectMember } from '../../../../../src/contract/connect-views.ts';
import { toExtraErrors } from '../../../../../src/renderer/features/connect/carrier-errors.ts';
import {
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
  it('saves what differs, and nothing where nothing does', () => {
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
  it('says at the field what cannot be', () => {
    const values = { ...valuesOf(kept), publicToken: 'ä', headers: { ...usualHeaders, tenantKey: 'Cookie' } };
    const { change, errors } = readSettings(values, kept);
    expect(change).toBeNull();
    expect(Object.keys(errors).sort()).toEqual(['publicToken', 'tenantKey']);
  });
});

const dana = {
  email: 'dana.reyes@example.com',
  firstName: 'Dana',
  lastName: 'Reyes',
  employerName: 'Newco',
  systemKey: 'NEWCO-1',
  vendor: 'nw',
};

describe('a member to be brought in', () => {
  it('is filled in from the record, the employer’s key from a colleague; dots of desk mode are left out', () => {
    const before = [
      { employer: { id: 1, name: 'Newco' }, systemKey: 'NEWCO-1', vendor: 'nw' },
    ] as ConnectMember[];
    const record = {
      id: 7,
      email: ' dana.reyes@example.com ',
      first_name: 'Dana',
      last_name: null,
      last_name_derived: 'Reyes',
      date_of_birth: '••••',
      employer: { name: 'Newco' },
      vendor_members: [{ key: 'HRX-7', vendor_tenant: { vendor: { code: 'hrx' } } }],
    } as unknown as Parameters<typeof prefillMember>[0];
    expect(prefillMember(record, before)).toEqual({
      ...emptyMember,
      ...dana,
      vendor: 'hrx',
      memberSystemKey: 'HRX-7',
    });
    const dated = { ...record, date_of_birth: '1985-04-12T00:00:00Z' };
    expect(prefillMember(dated, []).dateOfBirth).toBe('1985-04-12');
    expect(prefillMember(record, []).systemKey).toBe('');
  });
  it('is sent without what is empty', () => {
    expect(readMember({ ...emptyMember, ...dana })).toEqual({ input: dana, errors: {} });
  });
  it('is not sent while a field is not in order', () => {
    const { input, errors } = readMember({ ...emptyMember, ...dana, email: 'dana', dateOfBirth: '12.4.85' });
    expect(input).toBeNull();
    expect(Object.keys(errors).sort()).toEqual(['dateOfBirth', 'email']);
    expect(Object.keys(readMember(emptyMember).errors)).toHaveLength(6);
  });
});

describe('what the service says of single fields', () => {
  it('stands at the fields', () => {
    const details = { status: 422, 'field.username': 'must be an email address' };
    expect(toExtraErrors(details)).toEqual({ username: { __errors: ['must be an email address'] } });
    expect(toExtraErrors(undefined)).toEqual({});
  });
});
