import type { EligibleSource } from '../../../../contract/eligible.ts';
import type { Database } from '../file/database.ts';
import { memo } from '../record/memo.ts';
import { isSamePerson, type PersonName, readName } from './compare-values.ts';
import { isReplacedSql } from './duplicate-pairs.ts';
import { eligibleColumns, employerColumn } from './eligible-columns.ts';
import { daysSql, readSpan } from './read-compared-claims.ts';

type Cell = string | number | null;

const columns = {
  id: 'c.id',
  memberId: 'm.member_id',
  ...eligibleColumns,
  type: 'c.type_name',
  patientName: 'c.patient_name',
  days: daysSql('c'),
  processed: 'substr(coalesce(c.processed_on, c.eob_date), 1, 10)',
  isMissing: 'c.gone_since IS NOT NULL',
  isReplaced: isReplacedSql('c.id'),
  employerId: employerColumn,
  outcome: 'v.outcome',
  keptEligible: 'v.kept_eligible',
  openDuplicate: 'f.duplicate',
} as const;

/** A claim of a family, with what accumulators need of it. */
export interface FamilyClaim extends EligibleSource {
  readonly id: number;
  readonly memberId: number;
  readonly type: string | null;
  readonly patientName: string | null;
  readonly first: string | null;
  readonly processed: string | null;
  readonly isMissing: boolean;
  readonly isReplaced: boolean;
  readonly employerId: number | null;
  readonly outcome: string | null;
  readonly keptEligible: number | null;
  readonly openDuplicate: string | null;
}

export interface FamilyPerson {
  readonly name: PersonName;
  readonly shownName: string;
  readonly relationship: string | null;
}

/** A member with dependents, and the claims that name the member first. */
export interface Family {
  readonly memberId: number;
  readonly persons: readonly FamilyPerson[];
  readonly hasDependents: boolean;
  readonly claims: readonly FamilyClaim[];
}

const relationshipSql = "iif(json_type(d.extra, '$.relationship')='text', d.extra->>'$.relationship', NULL)";

/** Reads families by the IDs of their members, whether a member's record is here or only its claims are. */
export function createFamilyReader(database: Database): (memberIds: readonly number[]) => Family[] {
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const selectClaims = database
    .prepare(
      `SELECT ${names.map((name) => columns[name]).join(', ')}
       FROM json_each(?) wanted CROSS JOIN claim_members m ON m.member_id=wanted.value
       CROSS JOIN claims c ON c.id=m.parent
       LEFT JOIN claim_reviews v ON v.claim_id=c.id LEFT JOIN claim_facts f ON f.id=c.id
       WHERE NOT EXISTS (SELECT 1 FROM claim_members e WHERE e.parent=m.parent AND e.position<m.position)`,
    )
    .raw();
  const selectPersons = database
    .prepare(
      `SELECT m.id, -1 AS position, coalesce(m.first_name, m.first_name_derived, ''), '',
         coalesce(m.last_name, m.last_name_derived, ''), NULL
       FROM json_each(:ids) wanted CROSS JOIN members m ON m.id=wanted.value
       UNION ALL SELECT d.parent, d.position, coalesce(d.first_name, ''), coalesce(d.middle_name, ''),
         coalesce(d.last_name, ''), ${relationshipSql}
       FROM json_each(:ids) wanted CROSS JOIN dependents d ON d.parent=wanted.value ORDER BY 1, 2`,
    )
    .raw();
  const toName = createNameReader();

  return (memberIds) => {
    const ids = JSON.stringify(memberIds);
    const families = new Map(
      memberIds.map((memberId) => [
        memberId,
        { memberId, persons: [] as FamilyPerson[], hasDependents: false, claims: [] as FamilyClaim[] },
      ]),
    );
    for (const [id, position, first, middle, last, relationship] of selectPersons.iterate({
      ids,
    }) as Iterable<Cell[]>) {
      const family = families.get(Number(id));
      if (family === undefined) continue;
      if (Number(position) >= 0) family.hasDependents = true;
      const shownName = [first, middle, last].filter((part) => part !== '').join(' ');
      const name = toName(shownName);
      if (name !== null)
        family.persons.push({ name, shownName, relationship: relationship as string | null });
    }
    for (const row of selectClaims.iterate(ids) as Iterable<Cell[]>) {
      const cells = Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])) as Record<
        keyof typeof columns,
        never
      >;
      families.get(cells.memberId)?.claims.push({
        ...cells,
        first: readSpan(cells.days).first,
        isUnread: Number(cells.isUnread) === 1,
        isMissing: Number(cells.isMissing) === 1,
        isReplaced: Number(cells.isReplaced) === 1,
      });
    }
    return [...families.values()];
  };
}

/** Reads names, each once. */
export function createNameReader(): (text: string | null) => PersonName | null {
  const known = new Map<string, { name: PersonName | null }>();
  return (text) => (text === null ? null : memo(known, text, () => ({ name: readName(text) }), 50_000).name);
}

/** The places of persons with this name; several where a name fits more than one of them. */
export function findPersons(persons: readonly FamilyPerson[], name: PersonName): number[] {
  const exact = persons.findIndex((person) => person.name.parts === name.parts);
  if (exact >= 0) return [exact];
  return persons.flatMap((person, at) => (isSamePerson(person.name, name) ? [at] : []));
}
