import type { DependentRecord, MemberRecord } from '../../../contract/records.ts';
import { addRow, addSums } from '../../../rules/money/amounts.ts';
import { formatPersonName } from '../../../rules/person-names.ts';
import type { Amount, Condition, Row } from '../../../rules/query.ts';
import { toneOfStatus } from '../../lib/claim-status.ts';
import { fullNameOf } from '../../lib/format-name.ts';
import { figures } from '../figure/figures.ts';
import { findPatient, type Patient } from '../member/find-patient.ts';

const amountFields = {
  billed: 'amount_billed',
  paid: 'amount_paid',
  patientResponsibility: 'patient_responsibility',
  deductible: 'reduction',
} as const;

type PersonSum = keyof typeof amountFields;

export const personYearFields = ['id', 'patient_name', 'status', ...Object.values(amountFields)] as const;

/**
 * Exact sums, null where no claim has the amount, and for each the number of amounts left out because they are not
 * numbers. Rejected claims are counted separately.
 */
export interface PersonYear {
  readonly key: string;
  readonly name: string;
  /** Null where no one in the family has this name, or two people have it. */
  readonly patient: Patient | null;
  readonly sentNames: readonly string[];
  readonly count: number;
  readonly billed: Amount | null;
  readonly paid: Amount | null;
  readonly patientResponsibility: Amount | null;
  readonly deductible: Amount | null;
  readonly notCounted?: LeftOut;
  readonly rejected: {
    readonly count: number;
    readonly patientResponsibility: Amount | null;
    readonly notCounted?: LeftOut;
  };
}
type LeftOut = Readonly<Partial<Record<PersonSum, number>>>;

const noClaims = {
  count: 0,
  billed: null,
  paid: null,
  patientResponsibility: null,
  deductible: null,
  rejected: { count: 0, patientResponsibility: null },
} as const;

/** A name without the middle name, as in claims. */
const nameOf = ({ first_name, last_name }: MemberRecord | DependentRecord, otherwise: string): string =>
  fullNameOf({ first_name, last_name }, otherwise);

/**
 * The claims of a member's family by person: the member first, then by patient responsibility. People without claims
 * are listed too, without sums.
 */
export function sumByPerson(rows: readonly Row[], member: MemberRecord): PersonYear[] {
  const people = new Map<string, PersonYear>();
  const list = (name: string, patient: Patient) => {
    const key = `${patient.kind} ${patient.id}`;
    people.set(key, { key, name, patient, sentNames: [], ...noClaims });
  };
  list(nameOf(member, `Member ${member.id}`), { kind: 'member', id: member.id, relationship: null });
  for (const dependent of member.dependents ?? []) {
    const { id, relationship = null } = dependent;
    if (typeof id !== 'number') continue;
    list(nameOf(dependent, `Dependent ${id}`), {
      kind: 'dependent',
      id,
      relationship: typeof relationship === 'string' ? relationship : null,
    });
  }
  for (const row of rows) {
    const sent = typeof row.patient_name === 'string' ? row.patient_name : '';
    const patient = findPatient(sent, member);
    const key = patient === null ? `name ${sent.toLowerCase()}` : `${patient.kind} ${patient.id}`;
    const before: PersonYear = people.get(key) ?? {
      key,
      name: formatPersonName(sent) || 'No patient name',
      patient,
      sentNames: [],
      ...noClaims,
    };
    const sentNames = before.sentNames.includes(sent) ? before.sentNames : [...before.sentNames, sent];
    if (toneOfStatus(row.status) === 'bad') {
      const counted = { ...before.rejected, count: before.rejected.count + 1 };
      const { patientResponsibility } = amountFields;
      const rejected = addRow(counted, row, { patientResponsibility });
      people.set(key, { ...before, patient, sentNames, rejected });
    } else {
      people.set(key, {
        ...addRow(before, row, amountFields),
        patient,
        sentNames,
        count: before.count + 1,
      });
    }
  }
  const order = ({ patient }: PersonYear) => (patient?.kind === 'member' ? 0 : patient === null ? 2 : 1);
  const owed = ({ patientResponsibility }: PersonYear) => BigInt(patientResponsibility ?? 0);
  return [...people.values()].sort((left, right) => {
    if (order(left) !== order(right)) return order(left) - order(right);
    return owed(left) === owed(right) ? 0 : owed(left) < owed(right) ? 1 : -1;
  });
}

/** Returns these rows added up; null where none of them has the amount. */
function addRows<Name extends PersonSum>(
  rows: readonly (Record<Name, Amount | null> & { readonly notCounted?: LeftOut })[],
  names: readonly Name[],
): Record<Name, Amount | null> & { notCounted: LeftOut } {
  const sums = names.map((name) => {
    return [name, rows.reduce<Amount | null>((sum, row) => addSums(sum, row[name]), null)];
  });
  const left = names.flatMap((name) => {
    const count = rows.reduce((all, { notCounted }) => all + (notCounted?.[name] ?? 0), 0);
    return count === 0 ? [] : [[name, count]];
  });
  return { ...Object.fromEntries(sums), notCounted: Object.fromEntries(left) };
}

/** The whole family: the rows of its people added up. */
export function sumFamily(people: readonly PersonYear[]): PersonYear {
  const rejected = people.map((person) => person.rejected);
  return {
    key: 'family',
    name: 'Family',
    patient: null,
    sentNames: people.flatMap(({ sentNames }) => sentNames),
    count: people.reduce((sum, { count }) => sum + count, 0),
    ...addRows(people, ['billed', 'paid', 'patientResponsibility', 'deductible']),
    rejected: {
      count: rejected.reduce((sum, { count }) => sum + count, 0),
      ...addRows(rejected, ['patientResponsibility']),
    },
  };
}

/** The twelve months of the plan year that contains a day, as `2026-03`. */
export function monthsOfPlanYear(today: string, startMonth: number): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const firstYear = month < startMonth ? year - 1 : year;
  return Array.from({ length: 12 }, (_none, index) => {
    const at = startMonth - 1 + index;
    return `${firstYear + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}

/** Finds the claims behind a row's sums, or its rejected ones, among those of the family. */
export function conditionsOfPerson({ key, sentNames }: PersonYear, isRejected: boolean): Condition[] {
  const who: Condition = sentNames.every((name) => name !== '')
    ? { field: 'patient_name', operator: 'isOneOf', values: [...sentNames] }
    : { field: 'patient_name', operator: 'isEmpty', values: [] };
  return [
    ...(key === 'family' ? [] : [who]),
    ...(isRejected ? figures.personYearRejected : figures.personYear).counts,
  ];
}
