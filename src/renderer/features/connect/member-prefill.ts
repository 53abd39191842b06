import {
  type ConnectEmployer,
  type EmployerPick,
  newMemberSchema,
} from '../../../contract/connect-members.ts';
import type { MemberRecord } from '../../../contract/records.ts';

export const emptyMember = {
  email: '',
  firstName: '',
  lastName: '',
  /** null: none is chosen yet. */
  employer: null as Exclude<EmployerPick, { kind: 'named' }> | null,
  systemKey: '',
  vendor: '',
  memberSystemKey: '',
  dateOfBirth: '',
  phone: '',
};
export type MemberValues = Readonly<typeof emptyMember>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
/** Privacy mode replaces a date of birth with dots, which are not sent. */
const dayOf = (value: unknown): string => /^\d{4}-\d{2}-\d{2}/.exec(textOf(value))?.[0] ?? '';

/** The values with this employer and its stored keys. */
export const chooseEmployer = (values: MemberValues, employer: ConnectEmployer | null): MemberValues => ({
  ...values,
  employer: employer === null ? null : { kind: 'known', id: employer.id },
  systemKey: employer?.systemKey ?? '',
  vendor: employer?.vendor ?? employer?.vendorLabels[0] ?? '',
});

/** The known values of a member of the store and of their employer. */
export function prefillMember(member: MemberRecord, employers: readonly ConnectEmployer[]): MemberValues {
  const { employer: named, vendor_members: vendorMembers } = member;
  const employer =
    employers.find(({ id }) => id === named?.id) ??
    employers.find(({ id, otherIds }) => id === named?.employer_id || otherIds.includes(named?.id ?? -1)) ??
    null;
  const values = chooseEmployer(emptyMember, employer);
  const vendorMember =
    vendorMembers?.find(({ vendor_tenant }) =>
      [vendor_tenant?.label, vendor_tenant?.vendor?.code].includes(values.vendor),
    ) ?? vendorMembers?.[0];
  return {
    ...values,
    email: textOf(member.email),
    firstName: textOf(member.first_name) || textOf(member.first_name_derived),
    lastName: textOf(member.last_name) || textOf(member.last_name_derived),
    vendor: values.vendor || textOf(vendorMember?.vendor_tenant?.label),
    memberSystemKey: textOf(vendorMember?.key),
    dateOfBirth: dayOf(member.date_of_birth),
    phone: textOf((member as { phone_mobile?: unknown }).phone_mobile),
  };
}

const complaints: Readonly<Record<keyof MemberValues, string>> = {
  email: 'Enter the member’s email.',
  firstName: 'Enter the first name.',
  lastName: 'Enter the last name.',
  employer: 'Choose an employer, or create a new one.',
  systemKey: 'Enter the employer ID. Whoever set up the integration knows it.',
  vendor: 'Enter the vendor. Whoever set up the integration knows it.',
  memberSystemKey: 'At most 200 characters.',
  dateOfBirth: 'Enter a date, for example 04/12/1985.',
  phone: 'At most 50 characters.',
};

/** The values to send, or a sentence for each field with an error. Empty optional fields are left out. */
export function readMember(values: MemberValues) {
  const given = Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== null && (typeof value !== 'string' || value.trim() !== ''),
    ),
  );
  const parsed = newMemberSchema.safeParse(given);
  const errors: Partial<Record<keyof MemberValues, string>> = {};
  for (const issue of parsed.error?.issues ?? []) {
    const name = issue.path[0] as keyof MemberValues;
    errors[name] = complaints[name];
  }
  for (const name of ['systemKey', 'vendor'] as const) {
    // The form has keys stored with the employer or typed in; the contract omits the stored ones.
    if (values.employer !== null && values[name].trim() === '') errors[name] = complaints[name];
  }
  if (errors.email === undefined && !/^[^\s@]+@[^\s@]+$/.test(values.email.trim()))
    errors.email = complaints.email;
  return { input: Object.keys(errors).length === 0 ? (parsed.data ?? null) : null, errors };
}
