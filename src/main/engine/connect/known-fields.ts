import { findFaults } from '../../../carrier-form/check-form.ts';
import { fieldIn, isSecret } from '../../../carrier-form/form-fields.ts';
import type { PayerForm } from '../../../contract/connect-members.ts';
import type { WorkspaceConnect } from './workspace-connect.ts';

/** Names under which carriers ask for a date of birth. */
const birthDateNames = ['date_of_birth', 'birth_date', 'dob'];

/**
 * What the member's record has for fields of a carrier's form: the date of birth. Empty where the records of the
 * member's email disagree, and for demo data, whose members are not those of the records.
 */
export async function readKnownFields(
  { integration, records }: Pick<WorkspaceConnect, 'integration' | 'records'>,
  email: string,
  form: PayerForm['form'],
): Promise<PayerForm['known']> {
  const { isDemo } = await integration.getSettings();
  if (form === null || isDemo) return {};
  const dates = new Set((await records.findMembers(email)).map(({ dateOfBirth }) => dateOfBirth));
  const [date] = dates;
  return dates.size === 1 && date != null ? fillBirthDate(form, date) : {};
}

/** The fields of a form that ask for a date of birth, each with the first spelling of the date that it accepts. */
export function fillBirthDate(form: NonNullable<PayerForm['form']>, date: string): PayerForm['known'] {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(date) ?? [];
  if (year === undefined) return {};
  const spellings = [`${year}-${month}-${day}`, `${month}/${day}/${year}`, `${month}${day}${year}`];
  return Object.fromEntries(
    birthDateNames.flatMap((name) => {
      const field = fieldIn(form, name);
      if (field === null || isSecret(field)) return [];
      const alone = { type: 'object', properties: { [name]: field } };
      const fits = spellings.find((one) => findFaults(alone, { [name]: one }).length === 0);
      return fits === undefined ? [] : [[name, fits]];
    }),
  );
}
