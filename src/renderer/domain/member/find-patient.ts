import type { MemberRecord } from '../../../contract/records.ts';
import { wordsOf } from '../../../rules/person-names.ts';

/** The person in the records who is a claim's patient: the member, or one of the dependents. */
export interface Patient {
  readonly kind: 'member' | 'dependent';
  readonly id: number;
  /** The relationship of a dependent, as the service sent it. */
  readonly relationship: string | null;
  /** A dependent has the same name as the member and may be the patient instead. */
  readonly sharesName?: true;
}

type Named = {
  readonly first_name?: string | null | undefined;
  readonly last_name?: string | null | undefined;
};

function isNamed(patient: ReadonlySet<string>, { first_name, last_name }: Named): boolean {
  const first = wordsOf(first_name ?? '');
  const all = [...first, ...wordsOf(last_name ?? '')];
  return first.length > 0 && all.every((word) => patient.has(word));
}

/**
 * Finds a claim's patient among a member and the dependents by name, since a claim has only the patient's
 * name (docs/service.md, "What the claim fields mean"). Null where no one matches, or two dependents do;
 * where the member and a dependent match, it is the member.
 */
export function findPatient(patientName: string | null | undefined, member: MemberRecord): Patient | null {
  const patient = new Set(wordsOf(patientName ?? ''));
  const dependents = (member.dependents ?? []).filter((dependent) => isNamed(patient, dependent));
  const isMember = isNamed(patient, member);
  const [dependent] = dependents;
  if (isMember) {
    const match = { kind: 'member', id: member.id, relationship: null } as const;
    return dependents.length > 0 ? { ...match, sharesName: true } : match;
  }
  if (typeof dependent?.id !== 'number' || dependents.length > 1) return null;
  const { id, relationship } = dependent;
  return { kind: 'dependent', id, relationship: typeof relationship === 'string' ? relationship : null };
}
