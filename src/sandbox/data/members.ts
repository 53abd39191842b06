import type { Dependent, Member, VendorMember } from '../schemas/member.ts';
import { isHostile } from './corpus.ts';
import type { GeneratedEmployer } from './employers.ts';
import { dependentIdentity, genderOf, memberAgeDays, memberIdentity } from './families.ts';
import { dependentId, memberId } from './ids.ts';
import { dayText, instantForm, instantText, MS_PER_DAY } from './instants.ts';
import { streetAddress } from './providers.ts';
import { digitsFrom, hash32, RandomStream } from './random.ts';

type MemberContext = {
  readonly seed: number;
  /** The fixed day that generated dates are relative to. */
  readonly today: number;
  readonly employers: readonly GeneratedEmployer[];
  /** The current time of the data's clock. */
  readonly nowMs: number;
  /** Returns when this member was created, in milliseconds. */
  readonly createdMs: number;
};

const NULLABLE = (
  'first_name last_name first_name_derived last_name_derived full_name_derived email address ssn ' +
  'partner_key date_of_birth archived can_make_claim_requests can_use_portal unread_count createddate ' +
  'modifieddate accounts dependents employer tenant vendor_members gender phone_mobile ' +
  'hire_term_daterange archived_date'
).split(' ') as (keyof Member)[];

/** Returns the employer of a member; a couple has the same one. */
export function employerOf(
  context: Pick<MemberContext, 'seed' | 'employers'>,
  index: number,
): GeneratedEmployer {
  const roll = hash32(context.seed, Math.floor(index / 2), 31);
  return context.employers[roll % context.employers.length] as GeneratedEmployer;
}

/** Returns a member's key at the vendor, with leading zeros, or null where the member has none. */
export const vendorKeyOf = (seed: number, index: number): string | null =>
  hash32(seed, index, 32) % 12 === 0 ? null : `00${String(index + 1).padStart(6, '0')}`;

/** Returns the day on which a member leaves (before or after `today`), or null. */
function archivedDay(context: MemberContext, index: number): number | null {
  const roll = hash32(context.seed, index, 33);
  return roll % 100 < 8 ? context.today - 500 + (hash32(context.seed, index, 34) % 700) : null;
}

/** Returns whether member `index` has left by now, without generating the whole member. */
export function hasLeft(context: MemberContext, index: number): boolean {
  const left = archivedDay(context, index);
  const nowDay = Math.floor(context.nowMs / MS_PER_DAY);
  return left !== null && left <= nowDay && left * MS_PER_DAY > context.createdMs;
}

/** Returns the day on which a member's address changes, or null. */
function moveDay(context: MemberContext, index: number): number | null {
  const roll = hash32(context.seed, index, 35);
  return roll % 100 < 20 ? context.today - 300 + (hash32(context.seed, index, 36) % 400) : null;
}

/** Generates member `index` at the current time of the data's clock. docs/service.md, "Resources and their fields". */
export function buildMember(context: MemberContext, index: number): Member {
  const { seed, today, nowMs, createdMs } = context;
  const nowDay = Math.floor(nowMs / MS_PER_DAY);
  const r = new RandomStream(hash32(seed, index, 37));
  const person = memberIdentity(seed, index);
  const record = employerOf(context, index);
  const form = instantForm(hash32(seed, index, 38));
  const left = archivedDay(context, index);
  const isArchived = hasLeft(context, index);
  const moved = moveDay(context, index);
  const hasMoved = moved !== null && moved <= nowDay && moved * MS_PER_DAY > createdMs;
  const firstAddress = streetAddress(r);
  const address = hasMoved ? streetAddress(new RandomStream(hash32(seed, index, 39))) : firstAddress;
  const modifiedMs = Math.max(
    createdMs,
    isArchived ? (left as number) * MS_PER_DAY + 3_600_000 : 0,
    hasMoved ? (moved as number) * MS_PER_DAY + 7_200_000 : 0,
  );
  const hireDay = Math.floor(createdMs / MS_PER_DAY) - r.below(900);
  const member: Member = {
    id: memberId(index),
    first_name: person.firstName,
    last_name: person.lastName,
    first_name_derived: person.firstName,
    last_name_derived: person.lastName,
    full_name_derived: `${person.firstName} ${person.lastName}`,
    email: person.email,
    address,
    ssn: ssnFrom(r),
    partner_key: record.tenant.partner_key_enabled ? partnerKey(r, index) : null,
    date_of_birth: dayText(
      today - (isHostile() ? r.between(20 * 365, 67 * 365) : memberAgeDays(seed, index)),
    ),
    archived: isArchived,
    archived_date: isArchived ? instantText((left as number) * MS_PER_DAY + 3_600_000, form) : null,
    can_make_claim_requests: r.chance(85),
    can_use_portal: r.chance(70),
    unread_count: r.chance(60) ? 0 : r.between(1, 30),
    createddate: instantText(createdMs, form),
    modifieddate: instantText(modifiedMs, form),
    accounts: accountsOf(r, index),
    dependents: dependentsOf(context, index, person.dependentCount, form),
    employer: record.employer,
    tenant: record.tenant,
    vendor_members: vendorMembersOf(record, vendorKeyOf(seed, index)),
    gender: isHostile() ? r.pick(['F', 'M', 'F', 'M', 'X']) : genderOf(r, person.firstName),
    phone_mobile: `+1${r.between(201, 989)}555${digitsFrom(r, 4)}`,
    hire_term_daterange: {
      bounds: '[)',
      start: dayText(hireDay),
      end: isArchived ? dayText(left as number) : null,
    },
  };
  if (r.chance(45) && isHostile()) (member as Record<string, unknown>)[r.pick(NULLABLE) as string] = null;
  return member;
}

function ssnFrom(r: RandomStream): string {
  // The areas 000 and 900 to 999 are never assigned.
  const area = r.chance(15) ? '000' : String(r.between(900, 999));
  return `${area}-${String(r.between(1, 99)).padStart(2, '0')}-${digitsFrom(r, 4)}`;
}

function partnerKey(r: RandomStream, index: number): string {
  if (index % 50 === 7) return digitsFrom(r, 24);
  return index % 50 === 8 && isHostile() ? `=P${index}` : `PK-${String(index).padStart(7, '0')}`;
}

function accountsOf(r: RandomStream, index: number): Member['accounts'] {
  const count = r.pick([1, 1, 1, 2, 0]);
  return Array.from({ length: count }, (_, position) => ({
    id: 600_000 + index * 2 + position,
    name: position === 0 ? 'Health Savings Account' : 'Flexible Spending Account, 2026',
  }));
}

function vendorMembersOf(record: GeneratedEmployer, key: string | null): VendorMember[] {
  const tenant = record.tenant.vendor_tenants?.[0];
  if (key === null || tenant === undefined) return [];
  return [{ key, vendor_tenant: { id: tenant.id, label: tenant.label, vendor: tenant.vendor } }];
}

const NULLABLE_DEPENDENT: readonly string[] = (
  'first_name middle_name last_name email address ssn partner_key date_of_birth createddate ' +
  'modifieddate relationship gender phone_mobile'
).split(' ');

const dependentsOf = (
  context: MemberContext,
  member: number,
  count: number,
  form: ReturnType<typeof instantForm>,
): Dependent[] =>
  Array.from({ length: count }, (_, position) => {
    const who = dependentIdentity(context.seed, member, position, context.today);
    const r = new RandomStream(hash32(context.seed, member * 8 + position, 25));
    const stamp = instantText(context.createdMs + 60_000 * position, form);
    const dependent: Dependent = {
      id: dependentId(member, position),
      first_name: who.firstName,
      middle_name: who.middleName,
      last_name: who.lastName,
      email: r.chance(30) ? `dep${position}.member${member}@mail.example` : null,
      address: r.chance(80) ? null : streetAddress(r),
      ssn: r.chance(70) ? ssnFrom(r) : null,
      partner_key: r.chance(40) ? `PK-${String(member).padStart(7, '0')}-${position}` : null,
      date_of_birth: who.dateOfBirth,
      createddate: stamp,
      modifieddate: stamp,
    };
    // Adds fields that the interface does not list; some services omit them. docs/service.md, "What the claim fields
    // mean".
    if (r.chance(80) || !isHostile()) {
      dependent.relationship = who.relationship;
      dependent.gender = who.gender;
      dependent.phone_mobile = r.chance(25) ? `+1216555${digitsFrom(r, 4)}` : null;
    }
    if (r.chance(20) && isHostile()) {
      const field = r.pick(NULLABLE_DEPENDENT);
      if (field in dependent) (dependent as Record<string, unknown>)[field] = null;
    }
    return dependent;
  });
