import { describe, expect, it } from 'vitest';
import type { KnownEmployer } from '../../../../../src/main/engine/connect/known-employers.ts';
import {
  checkAnswer,
  type KnownBefore,
  type NewMember,
  planMember,
} from '../../../../../src/main/engine/connect/plan-member.ts';

const employer = (part: Partial<KnownEmployer>): KnownEmployer => ({
  id: 70,
  name: 'Acme Foods, Inc.',
  otherIds: [],
  tenantNames: ['Trust'],
  systemKey: null,
  vendor: null,
  vendorLabels: [],
  isOfOtherTenant: false,
  memberKeys: [],
  ...part,
});
const acme = employer({ otherIds: [700], systemKey: 'A1', vendor: 'trust-a' });
const bakery = employer({ id: 80, name: 'Bakery' });
const known = (part: Partial<KnownBefore> = {}): KnownBefore => ({
  employers: [acme, bakery],
  members: [],
  isTenantKnown: true,
  ...part,
});
const input = (part: Partial<NewMember> = {}): NewMember => ({
  email: 'dana@acme.example',
  firstName: 'Dana',
  lastName: 'Reyes',
  employer: { kind: 'known', id: 70 },
  ...part,
});
const seenAt = (employerId: number) => ({ employerId, firstName: 'Dana', lastName: 'Reyes-Ito' });
const keys = { systemKey: 'B1', vendor: 'trust-a' };
const refused = (part: Partial<NewMember>, more: Partial<KnownBefore> = {}) => {
  try {
    return planMember(input(part), known(more)).plan.sentence;
  } catch (thrown) {
    const { code, details } = thrown as { code: string; details?: unknown };
    return details === undefined ? { code } : { code, details };
  }
};

describe('what will be created is said before it is', () => {
  it('an existing member at an existing employer, by either of its numbers: nothing', () => {
    for (const id of [70, 700]) {
      const { plan, keyToCheck } = planMember(input(), known({ members: [seenAt(80), seenAt(id)] }));
      expect(plan).toEqual({
        memberName: 'Dana Reyes-Ito',
        isMemberKnown: true,
        employer: { id: 70, name: 'Acme Foods, Inc.' },
        systemKey: 'A1',
        vendor: 'trust-a',
        sentence:
          'Existing member matched: Dana Reyes-Ito, employer Acme Foods, Inc. Nothing new is created.',
        warning: null,
      });
      expect(keyToCheck).toBeNull();
    }
  });
  it('a new member at an existing employer, chosen by id or by its exact name', () => {
    const sentence = 'Creates member Dana Reyes under existing employer Acme Foods, Inc.';
    expect(refused({})).toBe(sentence);
    expect(refused({ employer: { kind: 'named', name: ' acme  FOODS, inc. ' } })).toBe(sentence);
  });
  it('a new employer', () => {
    expect(refused({ employer: { kind: 'new', name: 'Newco' }, ...keys })).toBe(
      'Creates new employer Newco, and member Dana Reyes under it.',
    );
  });
  it('several tenants are reported if the integration’s tenant is unknown', () => {
    const other = employer({ id: 90, name: 'Mill', tenantNames: ['Other Trust'] });
    const { plan } = planMember(input(), known({ employers: [acme, other], isTenantKnown: false }));
    expect(plan.warning).toContain('Acme Foods, Inc. belongs to Trust.');
    expect(planMember(input(), known({ employers: [acme, other] })).plan.warning).toBeNull();
  });
});

describe('no employer is created without being asked for', () => {
  it('an unknown one is refused, and so is one of another tenant', () => {
    const code = 'connect.employerUnknown';
    expect(refused({ employer: { kind: 'named', name: 'Acme' } })).toMatchObject({ code });
    expect(refused({ employer: { kind: 'known', id: 71 } })).toMatchObject({ code });
    const employers = [employer({ isOfOtherTenant: true, systemKey: 'A1', vendor: 'v' })];
    expect(refused({}, { employers })).toEqual({ code, details: { isOfOtherTenant: true } });
  });
  it('of two with the same name, one has to be chosen by ID', () => {
    const employers = [acme, employer({ id: 71 })];
    expect(refused({ employer: { kind: 'named', name: acme.name } }, { employers })).toEqual({
      code: 'connect.employerAmbiguous',
      details: { count: 2 },
    });
  });
  it('a new one with an existing name is refused until that is confirmed', () => {
    for (const name of ['ACME foods, inc.', '  Acme   Foods, Inc. ', 'Acme Foods, Inc.']) {
      const wanted = { employer: { kind: 'new' as const, name }, ...keys };
      expect(refused(wanted)).toEqual({ code: 'connect.employerExists', details: { employerId: 70 } });
      expect(refused({ ...wanted, confirmed: ['sameName'] })).toContain('Creates new employer');
      expect(refused({ ...wanted, confirmed: ['otherEmployer'] })).toMatchObject({
        code: 'connect.employerExists',
      });
    }
  });
  it('a known member is refused under another employer, old or new, until that is confirmed', () => {
    const more = { members: [seenAt(70)] };
    for (const pick of [
      { kind: 'known' as const, id: 80 },
      { kind: 'new' as const, name: 'Newco' },
    ]) {
      const wanted = { employer: pick, ...keys };
      expect(refused(wanted, more)).toEqual({
        code: 'connect.memberElsewhere',
        details: { employerId: 70 },
      });
      expect(refused({ ...wanted, confirmed: ['otherEmployer'] }, more)).toContain(
        'This email is already known under another employer.',
      );
    }
  });
});

describe('an employer’s key', () => {
  it('is required if none is stored, except with a single vendor', () => {
    const chosen = { employer: { kind: 'known' as const, id: 80 } };
    expect(refused(chosen)).toEqual({ code: 'connect.employerKeyNeeded' });
    expect(refused({ ...chosen, systemKey: 'B1' })).toEqual({ code: 'connect.employerKeyNeeded' });
    const employers = [employer({ id: 80, vendorLabels: ['trust-a'] })];
    expect(planMember(input({ ...chosen, systemKey: 'B1' }), known({ employers })).plan.vendor).toBe(
      'trust-a',
    );
  });
  it('of another employer is refused; the same key at another vendor is another key', () => {
    const wanted = { employer: { kind: 'known' as const, id: 80 }, systemKey: 'A1' };
    expect(refused({ ...wanted, vendor: 'trust-a' })).toEqual({
      code: 'connect.employerKeyTaken',
      details: { employerId: 70 },
    });
    expect(refused({ ...wanted, vendor: 'trust-b' })).toContain('Creates member');
    expect(
      refused({ employer: { kind: 'new', name: 'Newco' }, systemKey: 'A1', vendor: 'trust-a' }),
    ).toMatchObject({
      code: 'connect.employerKeyTaken',
    });
  });
  it('that is new here can be requested from the data API, by a member’s key at the same label', () => {
    const employers = [employer({ id: 80, memberKeys: [{ label: 'trust-a', memberKey: 'M1' }] })];
    const wanted = input({ employer: { kind: 'known', id: 80 }, ...keys });
    const key = { vendorTenantLabel: 'trust-a', employerKey: 'B1', memberKey: 'M1' };
    expect(planMember(wanted, known({ employers })).keyToCheck).toEqual(key);
    expect(planMember({ ...wanted, vendor: 'hris' }, known({ employers })).keyToCheck).toBeNull();
    expect(planMember({ ...wanted, confirmed: ['unknownKey'] }, known({ employers })).keyToCheck).toBeNull();
  });
});

describe('the service’s answer', () => {
  const code = 'connect.employerMismatch';
  const employers = [acme, bakery];
  it('must be the chosen employer, by either of its numbers, whatever its name', () => {
    const planned = planMember(input(), known());
    for (const id of [70, 700]) checkAnswer(planned, { id, name: 'Acme (renamed)' }, employers);
    expect(() => checkAnswer(planned, { id: 10_000, name: acme.name }, employers)).toThrow(
      expect.objectContaining({ code, details: { employerId: 10_000 } }),
    );
  });
  it('must be a new one with this name if a new one was wanted', () => {
    const planned = planMember(input({ employer: { kind: 'new', name: 'Newco' }, ...keys }), known());
    checkAnswer(planned, { id: 10_000, name: 'NEWCO' }, employers);
    checkAnswer(planned, { id: 10_000, name: '' }, employers);
    for (const answered of [
      { id: 80, name: 'Newco' },
      { id: 10_000, name: 'Old Mill' },
    ]) {
      expect(() => checkAnswer(planned, answered, employers)).toThrow(expect.objectContaining({ code }));
    }
  });
});
