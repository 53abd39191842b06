import { type Entity, type FieldSpec, linkFieldsOf } from '../../../../contract/fields.ts';
import type { Condition } from '../../../../contract/query.ts';
import type { SqlValue } from '../decompose.ts';
import { endOfDay, invalidQuery, readCondition, type Sql, wishToSql } from './conditions.ts';
import { listTables } from './list-tables.ts';

/** How a claim reaches what its members are linked to: rows of `parent` (the claim) and the value. */
export interface LinkSource {
  readonly value: string;
  readonly from: string;
  /** The claims for whose members this holds: from the few named, by indexes, to the many linked. */
  readonly having: (condition: string) => string;
}

const throughRecords = `employers
  JOIN claim_member_records ON claim_member_records.employer_ref=employers.ref
  JOIN claim_members ON claim_members.ref=claim_member_records.ref`;
const throughMembers = `tenants
  JOIN members ON members.tenant_ref=tenants.ref
  JOIN claim_members ON claim_members.member_id=members.id`;

/** The fields of claims with a value for each of a claim's members; two members of one employer are one value. */
export const linkSources: Readonly<Record<string, LinkSource>> = {
  'members.id': {
    value: 'claim_members.member_id',
    from: 'claim_members',
    having: (condition) => `SELECT parent FROM claim_members WHERE ${condition}`,
  },
  'members.employer.id': { value: 'employers.id', from: throughRecords, having: ofEmployers },
  'members.employer.name': { value: 'employers.name', from: throughRecords, having: ofEmployers },
  'members.tenant.id': { value: 'tenants.id', from: throughMembers, having: ofTenants },
  'members.tenant.name': { value: 'tenants.name', from: throughMembers, having: ofTenants },
};

function ofEmployers(condition: string): string {
  return `SELECT parent FROM claim_members WHERE ref IN (SELECT ref FROM claim_member_records
    WHERE employer_ref IN (SELECT ref FROM employers WHERE ${condition}))`;
}

function ofTenants(condition: string): string {
  return `SELECT parent FROM claim_members WHERE member_id IN (SELECT id FROM members
    WHERE tenant_ref IN (SELECT ref FROM tenants WHERE ${condition}))`;
}

export const monthPath = 'date_of_service.month';
export const rangePath = 'date_of_service';

/** `2025-03` of the day a service began; what begins with no month stands for itself. */
export function monthOf(entity: Entity): string {
  const start = `${listTables[entity].alias}.date_of_service_start`;
  return `CASE WHEN ${start} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]*' THEN substr(${start}, 1, 7) ELSE ${start} END`;
}

/** The same in memory: the month of a text. */
export const toMonth = (start: string): string => (/^\d{4}-\d{2}/.test(start) ? start.slice(0, 7) : start);

export function findLink(entity: Entity, path: string): FieldSpec | undefined {
  return linkFieldsOf[entity].find((spec) => spec.path === path);
}

/** The two days that an overlap asks about. @throws DeskError `query.invalid` */
export function readOverlap(condition: Condition): { from: string; to: string } {
  const { operator, field } = condition;
  if (operator !== 'is' && operator !== 'between') throw invalidQuery(field);
  const wish = readCondition('date', condition);
  const [first, second] = condition.values;
  if (wish.kind !== 'ranges') throw invalidQuery(field);
  return { from: String(first), to: String(second ?? first) };
}

/** Ranges with a day in common; open ends reach everywhere, `)` leaves the end day out (field-notes §2). */
function overlap(alias: string, condition: Condition): Sql {
  const { from, to } = readOverlap(condition);
  const start = `${alias}.date_of_service_start`;
  const end = `${alias}.date_of_service_end`;
  const bounds = `${alias}.date_of_service_bounds`;
  return {
    text: `((${start} IS NOT NULL OR ${end} IS NOT NULL)
      AND (${start} IS NULL OR CASE WHEN ${bounds} LIKE '(%' THEN substr(${start}, 1, 10)<? ELSE ${start}<=? END)
      AND (${end} IS NULL OR CASE WHEN ${bounds} LIKE '%)' THEN ${end}>? ELSE ${end}>=? END))`,
    values: [to, endOfDay(to), endOfDay(from), from],
  };
}

/** The month is no column of the table; where it is one month, the index on the start narrows it. */
function inMonth(entity: Entity, condition: Condition): Sql {
  const term = wishToSql(`(${monthOf(entity)})`, readCondition('text', condition));
  const month = String(condition.values[0] ?? '');
  if (condition.operator !== 'is' || !/^\d{4}-\d{2}$/.test(month)) return term;
  const start = `${listTables[entity].alias}.date_of_service_start`;
  return {
    text: `(${start} BETWEEN ? AND ? AND ${term.text})`,
    values: [month, `${month}~`, ...term.values],
  };
}

/** Without the link asked about, which is not the same as with another one. */
const withoutOperators: Partial<Record<Condition['operator'], Condition['operator']>> = {
  isNot: 'is',
  isEmpty: 'isNotEmpty',
};

/** What must hold of a linked value, and whether rows are wanted that have such a link or that have none. */
export function readLink(condition: Condition): { wanted: Condition; isWithout: boolean } {
  const operator = withoutOperators[condition.operator];
  return operator === undefined
    ? { wanted: condition, isWithout: false }
    : { wanted: { ...condition, operator }, isWithout: true };
}

/** A condition on what is filterable but no column. @throws DeskError `query.invalid` */
export function linkCondition(entity: Entity, link: FieldSpec, condition: Condition): Sql {
  const { alias } = listTables[entity];
  if (link.path === rangePath) return overlap(alias, condition);
  if (link.path === monthPath) return inMonth(entity, condition);
  const source = linkSources[link.path];
  if (source === undefined) throw new Error(`no link ${link.path}`);
  const { wanted, isWithout } = readLink(condition);
  const inner = wishToSql(source.value, readCondition(link.kind, wanted));
  // A blank name is no name.
  const isNamed = link.kind === 'text' ? ` AND ${source.value}<>''` : '';
  return {
    text: `${alias}.id ${isWithout ? 'NOT IN' : 'IN'} (${source.having(`${inner.text}${isNamed}`)})`,
    values: inner.values as readonly SqlValue[],
  };
}
