import { isSamePerson, type PersonName, readName } from '../../../../rules/compare-values.ts';
import { daysOf } from '../../../../rules/date-range.ts';
import type { EligibleSource } from '../../../../rules/money/eligible-source.ts';
import type { Database } from '../file/database.ts';
import { memo } from '../record/memo.ts';
import { eligibleColumns, employerColumn } from './eligible-columns.ts';
import type { FactSource } from './fact-source.ts';
import { roleSql } from './read-chain-claims.ts';

type Cell = string | number | null;

/** The columns in the order in which `toClaim` reads them. */
const columns = [
  'm.member_id',
  'c.id',
  ...['status', 'network', 'deductible', 'coinsurance', 'copay', 'responsibility', 'notCovered'].map(
    (name) => eligibleColumns[name as keyof EligibleSource],
  ),
  eligibleColumns.allowed,
  eligibleColumns.planPaid,
  eligibleColumns.otherPaid,
  eligibleColumns.isNotCoveredPartial,
  eligibleColumns.isOtherPaidPartial,
  eligibleColumns.isUnread,
  'c.type_name',
  'c.patient_name',
  'c.date_of_service_start',
  'c.date_of_service_end',
  'c.date_of_service_bounds',
  'substr(coalesce(c.processed_on, c.eob_date), 1, 10)',
  roleSql,
  // Most claims name one member, who has an employer.
  `coalesce(e.id, ${employerColumn})`,
  'v.outcome',
  'v.kept_eligible',
  'f.duplicate',
  'f.id IS NOT NULL',
  'f.family',
  'f.account_rule',
  'f.account_share',
  'f.carrier_disagrees',
  'f.carrier_deductible',
  'f.carrier_out_of_pocket',
  'k.chain',
  'v.reimbursed',
];

/** A claim of a family, with what accumulators need. */
export interface FamilyClaim
  extends EligibleSource,
    Pick<
      FactSource,
      'id' | 'type' | 'patientName' | 'first' | 'processed' | 'role' | 'employerId' | 'keptEligible'
    > {
  readonly memberId: number;
  /** Null: it is in no chain. */
  readonly chain: number | null;
  /** The amount paid, less what was returned; null: no payments. */
  readonly reimbursed: number | null;
  readonly outcome: string | null;
  readonly openDuplicate: string | null;
  /** The stored family facts as of the last computation; null: none. */
  readonly known: FamilyCells | null;
}

/** The family, the rule and the amount of the account, and what the carrier applied differently. */
export type FamilyCells = readonly [Cell, Cell, Cell, Cell, Cell, Cell];

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

/** Reads the first day of a range, as in lists; equal ranges once. */
function createDayReader(): (start: Cell, end: Cell, bounds: Cell) => string | null {
  const dayByRange = new Map<string, { first: string | null }>();
  return (start, end, bounds) =>
    memo(
      dayByRange,
      `${bounds} ${start} ${end}`,
      () => {
        const days = daysOf({ start, end, bounds });
        return { first: days?.first ?? days?.last ?? null };
      },
      50_000,
    ).first;
}

/** Written out for speed: hundreds of thousands of rows are read at once. */
const toClaim = (row: Cell[], toFirstDay: ReturnType<typeof createDayReader>): FamilyClaim => ({
  id: row[1] as number,
  memberId: row[0] as number,
  status: row[2] as string | null,
  network: row[3] as string | null,
  deductible: row[4] as number | null,
  coinsurance: row[5] as number | null,
  copay: row[6] as number | null,
  responsibility: row[7] as number | null,
  notCovered: row[8] as number | null,
  allowed: row[9] as number | null,
  planPaid: row[10] as number | null,
  otherPaid: row[11] as number | null,
  isNotCoveredPartial: row[12] === 1,
  isOtherPaidPartial: row[13] === 1,
  isUnread: row[14] === 1,
  type: row[15] as string | null,
  patientName: row[16] as string | null,
  first: toFirstDay(row[17] ?? null, row[18] ?? null, row[19] ?? null),
  processed: row[20] as string | null,
  role: row[21] as FamilyClaim['role'],
  chain: row[33] as number | null,
  reimbursed: row[34] as number | null,
  employerId: row[22] as number | null,
  outcome: row[23] as string | null,
  keptEligible: row[24] as number | null,
  openDuplicate: row[25] as string | null,
  known: row[26] === 0 ? null : (row.slice(27, 33) as unknown as FamilyCells),
});

/** Reads families by the IDs of their members, whether a member's record is here or only claims are. */
export function createFamilyReader(
  database: Database,
  toName = createNameReader(),
): (memberIds: readonly number[]) => Family[] {
  const selectClaims = database
    .prepare(
      `SELECT ${columns.join(', ')}
       FROM json_each(?) wanted CROSS JOIN claim_members m ON m.member_id=wanted.value
       CROSS JOIN claims c ON c.id=m.parent
       LEFT JOIN claim_member_records r ON r.ref=m.ref LEFT JOIN employers e ON e.ref=r.employer_ref
       LEFT JOIN claim_reviews v ON v.claim_id=c.id LEFT JOIN claim_facts f ON f.id=c.id
       LEFT JOIN claim_chains k ON k.id=c.id
       WHERE m.position=0
         OR NOT EXISTS (SELECT 1 FROM claim_members o WHERE o.parent=m.parent AND o.position<m.position)`,
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
  const toFirstDay = createDayReader();

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
    for (const row of selectClaims.all(ids) as Cell[][])
      families.get(row[0] as number)?.claims.push(toClaim(row, toFirstDay));
    return [...families.values()];
  };
}

/** Reads names, each once. */
export function createNameReader(): (text: string | null) => PersonName | null {
  const nameByText = new Map<string, { name: PersonName | null }>();
  return (text) =>
    text === null ? null : memo(nameByText, text, () => ({ name: readName(text) }), 50_000).name;
}

/** The positions of people with this name; several if a name fits more than one of them. */
export function findPersons(persons: readonly FamilyPerson[], name: PersonName): number[] {
  const find = (isIt: (person: FamilyPerson) => boolean): number[] =>
    persons.flatMap((person, at) => (isIt(person) ? [at] : []));
  const exact = find((person) => person.name.parts === name.parts);
  return exact.length > 0 ? exact : find((person) => isSamePerson(person.name, name));
}
