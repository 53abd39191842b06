import { daysOf, type SentRange, writeDays } from '../../../src/contract/date-range.ts';
import { type Entity, fieldsOf } from '../../../src/contract/fields.ts';
import type { Totals } from '../../../src/contract/procedures.ts';
import type { Cell, Condition, Group, ListQuery, Row, Sort } from '../../../src/contract/query.ts';
import type { ClaimRecord, DependentRecord, MemberRecord } from '../../../src/contract/records.ts';
import { toTenThousandths } from '../../../src/renderer/lib/format-money.ts';
import { makeClaim } from './fake-claims.ts';
import { createDice, makeMember, pick } from './fake-people.ts';

export interface FakeRecords {
  readonly members: MemberRecord[];
  readonly dependents: { dependent: DependentRecord; memberId: number }[];
  readonly claims: ClaimRecord[];
}

export function makeRecords(memberCount: number, claimCount: number): FakeRecords {
  const dice = createDice(7);
  const members = Array.from({ length: memberCount }, (_, index) => makeMember(dice, 1001 + index));
  return {
    members,
    dependents: members.flatMap((member) =>
      (member.dependents ?? []).map((dependent) => ({ dependent, memberId: member.id })),
    ),
    claims: Array.from({ length: claimCount }, (_, index) =>
      makeClaim(dice, 20_001 + index, pick(dice, members)),
    ),
  };
}

function valueAt(record: object, path: string): unknown {
  let value: unknown = record;
  for (const part of path.split('.')) {
    value =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
  }
  return value;
}

/** The first day, the last day, or both as one. */
function daysCell(record: object, path: string): Cell {
  const days = daysOf((valueAt(record, 'date_of_service') ?? {}) as SentRange);
  if (days === null) return null;
  if (path.endsWith('.first_day')) return days.first;
  return path.endsWith('.last_day') ? days.last : writeDays(days);
}

/** Some of them the service no longer returns. */
function toRow(entity: Entity, record: { id?: unknown }, links: Row): Row {
  const row: Row = { ...links };
  for (const { path, isDerived } of fieldsOf[entity]) {
    if (path.startsWith('$')) continue;
    if (path in links) continue;
    row[path] = isDerived === true ? daysCell(record, path) : ((valueAt(record, path) as Cell) ?? null);
  }
  if (Number(record.id) % 41 === 0) row.$missingSince = '2026-02-01T09:00:00Z';
  return row;
}

/** What lists of claims and of lines show of whose claim it is. */
const ownerCells = ({ members, type }: ClaimRecord): Row => ({
  'members.name':
    (members ?? []).map((member) => `${member.first_name} ${member.last_name}`).join('\n') || null,
  'members.employer.name': members?.[0]?.employer?.name ?? null,
  carrier: 'Aetna',
  'type.name': type?.name ?? null,
});

type Linked = { row: Row; memberIds: number[] };

function linkedRows(records: FakeRecords, entity: Entity): Linked[] {
  switch (entity) {
    case 'members':
      return records.members.map((member) => ({ row: toRow(entity, member, {}), memberIds: [member.id] }));
    case 'dependents':
      return records.dependents.map(({ dependent, memberId }) => ({
        row: toRow(entity, dependent, { $member_id: memberId }),
        memberIds: [memberId],
      }));
    case 'claims':
      return records.claims.map((claim) => ({
        row: toRow(entity, claim, {
          ...ownerCells(claim),
          'members.employer.id': claim.members?.[0]?.employer?.id ?? null,
          'members.tenant.id': 9,
        }),
        memberIds: (claim.members ?? []).flatMap((member) => member.id ?? []),
      }));
    case 'lines':
      return records.claims.flatMap((claim) =>
        (claim.claim_medical_lines ?? []).map((line) => ({
          row: toRow(entity, line, { $claim_id: claim.id, ...ownerCells(claim) }),
          memberIds: [],
        })),
      );
  }
}

/** The month in which a service began is no column, and can be filtered and grouped by. */
const cellOf = (row: Row, path: string): Cell =>
  path === 'date_of_service.month'
    ? String(row['date_of_service.first_day'] ?? '').slice(0, 7) || null
    : (row[path] ?? null);

function fits({ row, memberIds }: Linked, condition: Condition): boolean {
  const wanted = condition.values;
  if (condition.field === 'members.id') return memberIds.includes(Number(wanted[0]));
  const value = cellOf(row, condition.field);
  if (condition.operator === 'isOneOf') return value !== null && wanted.includes(value);
  if (condition.operator === 'isEmpty') return value === null;
  const first = wanted[0];
  if (value === null || (first === undefined && condition.operator !== 'isNotEmpty')) return false;
  if (first === undefined) return true;
  switch (condition.operator) {
    case 'is':
      return value === first;
    case 'contains':
      return String(value).toLowerCase().includes(String(first).toLowerCase());
    case 'atLeast':
      return value >= first;
    case 'atMost':
      return value <= first;
    case 'between':
      return value >= first && value <= (wanted[1] ?? first);
    case 'moreThan':
      return Number(value) > Number(first);
    case 'lessThan':
      return value < first;
    default:
      throw new Error(`The fake has no ${condition.operator}.`);
  }
}

function compare(
  left: Cell | undefined,
  right: Cell | undefined,
  direction: 1 | -1,
  nulls: Sort['nulls'] = 'last',
): number {
  const a = left ?? null;
  const b = right ?? null;
  if (a === b) return 0;
  if (a === null) return nulls === 'first' ? -1 : 1;
  if (b === null) return nulls === 'first' ? 1 : -1;
  return a < b ? -direction : direction;
}

export function runQuery(records: FakeRecords, query: ListQuery): Row[] {
  const searched = fieldsOf[query.entity].filter((spec) => spec.isSearchable).map((spec) => spec.path);
  const words = (query.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const rows = linkedRows(records, query.entity)
    .filter((linked) => (query.conditions ?? []).every((condition) => fits(linked, condition)))
    .map(({ row }) => row)
    .filter((row) => query.includesMissing || row.$missingSince === undefined)
    .filter((row) => query.entity !== 'members' || query.includesArchived || row.archived !== true)
    .filter((row) => {
      const text = ['id', ...searched].map((path) => String(row[path] ?? '').toLowerCase());
      return words.every((word) => text.some((value) => value.includes(word)));
    });
  return rows.sort((left, right) => {
    for (const { field, direction, nulls } of query.sort ?? []) {
      const order = compare(left[field], right[field], direction === 'asc' ? 1 : -1, nulls);
      if (order !== 0) return order;
    }
    return compare(left.id, right.id, 1);
  });
}

export function sumRows(rows: readonly Row[]): Totals {
  const sum = (path: string) => {
    const amounts = rows.flatMap((row) => toTenThousandths(row[path]) ?? []);
    return amounts.length === 0 ? null : Number(amounts.reduce((total, amount) => total + amount, 0n));
  };
  return {
    count: rows.length,
    billed: sum('amount_billed'),
    allowed: sum('amount_allowed'),
    paid: sum('amount_paid'),
    patientResponsibility: sum('patient_responsibility'),
  };
}

/** Groups of rows by the value of one column, largest first. */
export function groupRows(rows: readonly Row[], path: string): Group[] {
  const groups = new Map<Cell, Row[]>();
  for (const row of rows) {
    const value = cellOf(row, path);
    groups.set(value, [...(groups.get(value) ?? []), row]);
  }
  return [...groups]
    .map(([value, members]) => ({
      value,
      label: null,
      totals: sumRows(members),
      conditions: [
        value === null
          ? { field: path, operator: 'isEmpty' as const, values: [] }
          : { field: path, operator: 'is' as const, values: [value] },
      ],
    }))
    .sort((left, right) => right.totals.count - left.totals.count);
}
