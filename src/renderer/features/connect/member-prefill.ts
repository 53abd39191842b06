import type { ConnectMember } from '../../../contract/connect-views.ts';
import { bootstrapInputSchema } from '../../../contract/connect-views.ts';
import type { MemberRecord } from '../../../contract/records.ts';

export interface MemberValues {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly employerName: string;
  readonly systemKey: string;
  readonly vendor: string;
  readonly memberSystemKey: string;
  readonly dateOfBirth: string;
  readonly phone: string;
}

export const emptyMember: MemberValues = {
  email: '',
  firstName: '',
  lastName: '',
  employerName: '',
  systemKey: '',
  vendor: '',
  memberSystemKey: '',
  dateOfBirth: '',
  phone: '',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
/** Desk mode shows dots in place of a birth date: those are not sent. */
const dayOf = (value: unknown): string => /^\d{4}-\d{2}-\d{2}/.exec(textOf(value))?.[0] ?? '';

/**
 * What is known of a member of the store. The employer's key is not in the data API (field notes §2): it is taken
 * from a member of the same employer who was brought in before, else typed in.
 */
export function prefillMember(member: MemberRecord, before: readonly ConnectMember[]): MemberValues {
  const employerName = textOf(member.employer?.name);
  const colleague = before.find(({ employer }) => employer.name === employerName);
  const vendorMember = member.vendor_members?.[0];
  return {
    email: textOf(member.email),
    firstName: textOf(member.first_name) || textOf(member.first_name_derived),
    lastName: textOf(member.last_name) || textOf(member.last_name_derived),
    employerName,
    systemKey: colleague?.systemKey ?? '',
    vendor: textOf(vendorMember?.vendor_tenant?.vendor?.code) || (colleague?.vendor ?? ''),
    memberSystemKey: textOf(vendorMember?.key),
    dateOfBirth: dayOf(member.date_of_birth),
    phone: textOf((member as { phone_mobile?: unknown }).phone_mobile),
  };
}

const complaints: Readonly<Record<keyof MemberValues, string>> = {
  email: 'Enter the member’s email.',
  firstName: 'Enter the first name.',
  lastName: 'Enter the last name.',
  employerName: 'Enter the employer’s name.',
  systemKey: 'Enter the employer’s key in the vendor’s system.',
  vendor: 'Enter the vendor’s code.',
  memberSystemKey: 'At most 200 characters.',
  dateOfBirth: 'A date such as 1985-04-12.',
  phone: 'At most 50 characters.',
};

/** What is sent, or a sentence for each field that is not in order. Empty fields that may be empty are left out. */
export function readMember(values: MemberValues) {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
  const parsed = bootstrapInputSchema.safeParse(given);
  const errors: Partial<Record<keyof MemberValues, string>> = {};
  for (const issue of parsed.error?.issues ?? []) {
    const name = issue.path[0] as keyof MemberValues;
    errors[name] = complaints[name];
  }
  if (errors.email === undefined && !/^[^\s@]+@[^\s@]+$/.test(values.email.trim())) {
    errors.email = complaints.email;
  }
  return { input: Object.keys(errors).length === 0 ? (parsed.data ?? null) : null, errors };
}
