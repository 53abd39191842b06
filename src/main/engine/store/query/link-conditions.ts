import { type Entity, type FieldKind, type FieldSpec, linkFieldsOf } from '../../../../rules/list-fields.ts';
import type { Condition } from '../../../../rules/query.ts';
import { decidedByField } from '../../../../rules/review/decided-by.ts';
import {
  decidingRuleField,
  proposingRuleField,
  readIdFilter,
  runField,
} from '../../../../rules/review/id-filter.ts';
import { cleanSql } from '../record/claim-names.ts';
import { invalidQuery, predicateToSql, readCondition, type Sql } from './conditions.ts';
import { decidedByClaims } from './decided-by-conditions.ts';
import { columnOf } from './list-tables.ts';
import { worklistMembers, worklistPath } from './worklist-conditions.ts';

/** Selects the claims that are or were in some runs, and those that some rules decided or have a proposal for. */
const claimsById: Readonly<Record<string, string>> = {
  [runField]: "SELECT claim_id FROM claim_runs WHERE state<>'inOther' AND run_id",
  [decidingRuleField]: 'SELECT claim_id FROM claim_reviews WHERE rule_id',
  [proposingRuleField]: 'SELECT id FROM claim_facts WHERE proposed_by',
};

/** @throws DeskError `query.invalid` */
function idClaims(select: string, { operator, values, field }: Condition): Sql {
  const isKnown = operator === 'isOneOf' || (operator === 'is' && values.length === 1);
  if (!isKnown || values.length === 0) throw invalidQuery(field);
  return {
    text: `${select} IN (${values.map(() => '?').join(', ')})`,
    values: values.map((value) => readIdFilter(String(value)).id),
  };
}

/** How a claim is linked to its members, employers or tenants: rows of `parent` (the claim) and the value. */
interface LinkSource {
  readonly value: string;
  readonly from: string;
  /** Selects claims by a condition on the value: indexes lead from the few matching rows to the many linked claims. */
  readonly having: (condition: string) => string;
}

const throughRecords = `employers
  JOIN claim_member_records ON claim_member_records.employer_ref=employers.ref
  JOIN claim_members ON claim_members.ref=claim_member_records.ref`;
const throughMembers = `tenants
  JOIN members ON members.tenant_ref=tenants.ref
  JOIN claim_members ON claim_members.member_id=members.id`;

/**
 * The fields of claims and lines that have one value for each member of the claim; two members with the same employer
 * count as one value.
 */
export const linkSources: Readonly<Record<string, LinkSource>> = {
  'members.id': {
    value: 'claim_members.member_id',
    from: 'claim_members',
    having: (condition) => `SELECT parent FROM claim_members WHERE ${condition}`,
  },
  'members.employer.id': { value: 'employers.id', from: throughRecords, having: ofEmployers },
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

/** The claim of a row of claims or of their lines: what `parent` of a link refers to. */
export const claimOf = (entity: Entity): string => (entity === 'lines' ? 'l.parent' : 'c.id');

export const findLink = (entity: Entity, path: string): FieldSpec | undefined =>
  linkFieldsOf[entity].find((spec) => spec.path === path);

/** Negated operators are true for claims without such a link, not for claims with another link. */
const withoutOperators: Partial<Record<Condition['operator'], Condition['operator']>> = {
  isNot: 'is',
  isEmpty: 'isNotEmpty',
};

/** The condition on a linked value, and whether rows with such a link or without one are requested. */
export function readLink(condition: Condition): { wanted: Condition; isWithout: boolean } {
  const operator = withoutOperators[condition.operator];
  return operator === undefined
    ? { wanted: condition, isWithout: false }
    : { wanted: { ...condition, operator }, isWithout: true };
}

/** The columns with several names (`isMany`): a condition is applied to the few names, then to the many claims. */
const namesOf: Readonly<Record<string, Pick<LinkSource, 'value' | 'having'>>> = {
  'members.name': {
    value: `trim(${cleanSql('first_name')}||' '||${cleanSql('last_name')})`,
    having: (condition) =>
      `SELECT parent FROM claim_members WHERE ref IN (SELECT ref FROM claim_member_records WHERE ${condition})`,
  },
  'members.employer.name': { value: cleanSql('name'), having: ofEmployers },
};

/** A condition on a value of which a claim may have several: true if any matches. A blank name counts as none. */
function valueCondition(
  entity: Entity,
  kind: FieldKind,
  { value, having }: Pick<LinkSource, 'value' | 'having'>,
  condition: Condition,
): Sql {
  const { wanted, isWithout } = readLink(condition);
  const { text, values } = predicateToSql(value, readCondition(kind, wanted));
  const claims = having(kind === 'text' ? `${text} AND ${value}<>''` : text);
  return { text: `${claimOf(entity)} ${isWithout ? 'NOT IN' : 'IN'} (${claims})`, values };
}

/** A condition on a column of several names. @throws DeskError `query.invalid` */
export function manyCondition(entity: Entity, spec: FieldSpec, condition: Condition): Sql {
  const predicate = readCondition(spec.kind, condition);
  if (predicate.kind === 'empty')
    return { text: `${columnOf(entity, spec.path)} IS ${predicate.isNot ? 'NOT ' : ''}NULL`, values: [] };
  const source = namesOf[spec.path];
  if (source === undefined) throw new Error(`no names ${spec.path}`);
  return valueCondition(entity, spec.kind, source, condition);
}

/** A condition on a field that can be filtered but has no column. @throws DeskError `query.invalid` */
export function linkCondition(entity: Entity, link: FieldSpec, condition: Condition): Sql {
  if (link.path === worklistPath) {
    const { text, values } = worklistMembers(condition);
    return { text: `${claimOf(entity)} IN (${text})`, values };
  }
  if (link.path === decidedByField) {
    const { text, values } = decidedByClaims(condition);
    return { text: `${claimOf(entity)} IN (${text})`, values };
  }
  const byId = claimsById[link.path];
  if (byId !== undefined) {
    const { text, values } = idClaims(byId, condition);
    return { text: `${claimOf(entity)} IN (${text})`, values };
  }
  const source = linkSources[link.path];
  if (source === undefined) throw new Error(`no link ${link.path}`);
  return valueCondition(entity, link.kind, source, condition);
}
