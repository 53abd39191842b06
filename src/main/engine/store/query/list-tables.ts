import {
  type Entity,
  type FieldSpec,
  fieldsOf,
  fileFieldsOf,
  toUnknownField,
  unknownNameOf,
} from '../../../../rules/list-fields.ts';
import { reviewsFromName, reviewsOnName } from '../record/claim-reviews.ts';
import { ofClaimItself } from '../record/odd-values.ts';
import {
  claimLineShape,
  claimShape,
  dependentShape,
  memberShape,
  type Shape,
} from '../record/record-columns.ts';
import { reviewFacts } from '../record/review-facts.ts';

/** The table of a list and how it is joined and searched. */
interface ListTable {
  readonly table: string;
  readonly alias: string;
  /** The column that identifies a row in snapshots. */
  readonly key: string;
  readonly shape: Shape;
  /** Joins of the shared objects whose columns the list shows. */
  readonly joins: string;
  /** How a search finds rows: `?` is the query of the index, followed by the typed text where it is used. */
  readonly found: string;
  readonly wantsTyped: boolean;
  /** True for rows that the service still returns. */
  readonly isHere: string;
  /** Selects the keys of the rows that the service no longer returns. */
  readonly missingKeys: string;
  /** Since when the service no longer returns a row or its record; null where it still does. */
  readonly missingSince: string;
}

const searchedOf = (entity: 'lines'): string =>
  fieldsOf[entity]
    .filter((spec) => spec.isSearchable)
    .map((spec) => `l.${spec.path}`)
    .join(', ');

const carrierJoins = `LEFT JOIN policy_holders p ON p.ref=c.policy_holder_ref
  LEFT JOIN connection_carriers k ON k.policy_holder_id=p.id`;

export const listTables: Readonly<Record<Entity, ListTable>> = {
  members: {
    table: 'members',
    alias: 'm',
    key: 'id',
    shape: memberShape,
    joins: 'LEFT JOIN employers e ON e.ref=m.employer_ref LEFT JOIN tenants t ON t.ref=m.tenant_ref',
    found: 'm.id IN (SELECT rowid FROM members_text WHERE members_text MATCH ?)',
    wantsTyped: false,
    isHere: 'm.gone_since IS NULL',
    missingKeys: 'SELECT id FROM members WHERE gone_since IS NOT NULL',
    missingSince: 'm.gone_since',
  },
  dependents: {
    table: 'dependents',
    alias: 'd',
    key: 'ref',
    shape: dependentShape,
    joins: 'LEFT JOIN members m ON m.id=d.parent',
    found: 'd.ref IN (SELECT rowid FROM dependents_text WHERE dependents_text MATCH ?)',
    wantsTyped: false,
    isHere: 'd.parent NOT IN (SELECT id FROM members WHERE gone_since IS NOT NULL)',
    missingKeys:
      'SELECT ref FROM dependents WHERE parent IN (SELECT id FROM members WHERE gone_since IS NOT NULL)',
    missingSince: '(SELECT gone_since FROM members WHERE id=d.parent)',
  },
  claims: {
    table: 'claims',
    alias: 'c',
    key: 'id',
    shape: claimShape,
    joins: `${carrierJoins} LEFT JOIN claim_reviews v ON v.claim_id=c.id LEFT JOIN claim_facts f ON f.id=c.id`,
    found: 'c.id IN (SELECT rowid FROM claims_text WHERE claims_text MATCH ?)',
    wantsTyped: false,
    isHere: 'c.gone_since IS NULL',
    missingKeys: 'SELECT id FROM claims WHERE gone_since IS NOT NULL',
    missingSince: 'c.gone_since',
  },
  lines: {
    table: 'claim_lines',
    alias: 'l',
    key: 'ref',
    shape: claimLineShape,
    joins: `LEFT JOIN claims c ON c.id=l.parent ${carrierJoins}`,
    found: `l.parent IN (SELECT rowid FROM claims_text WHERE claims_text MATCH ?)
      AND has_words(?, ${searchedOf('lines')})`,
    wantsTyped: true,
    isHere: 'l.parent NOT IN (SELECT id FROM claims WHERE gone_since IS NOT NULL)',
    missingKeys:
      'SELECT ref FROM claim_lines WHERE parent IN (SELECT id FROM claims WHERE gone_since IS NOT NULL)',
    missingSince: '(SELECT gone_since FROM claims WHERE id=l.parent)',
  },
};

const joined: Readonly<Record<string, string>> = {
  'members/employer': 'e',
  'members/tenant': 't',
  'claims/policy_holder': 'p',
};

const reviewsFromSql = `(SELECT value FROM sync_state WHERE name='${reviewsFromName}')`;
/**
 * The review state: a claim without a decision is to do in the period of reviews (`isToReview`). The start as sent is
 * at most a day earlier, so comparing it first excludes most claims without reading their range.
 */
const reviewStateSql = `coalesce(v.state, iif(
  (c.date_of_service_start>=date(${reviewsFromSql}, '-1 day')
    AND range_first_day(c.date_of_service_start, c.date_of_service_end, c.date_of_service_bounds)>=${reviewsFromSql})
    OR f.review_until>=(SELECT value FROM sync_state WHERE name='${reviewsOnName}'),
  'todo', 'notSelected'))`;

/**
 * The IDs of a claim's members (`r`) or of their employers (`e`), each once, in one text like names (`readNames`). An
 * ID that is not a whole number is unchanged.
 */
function idsSql(alias: 'r' | 'e'): string {
  const odd = `CASE WHEN json_valid(${alias}.extra) THEN trim(${alias}.extra -> '$.id', '"') END`;
  return `(SELECT group_concat(id, char(9) ORDER BY position) FROM (
    SELECT coalesce(${alias}.id, ${odd}) AS id, min(n.position) AS position FROM claim_members n
    JOIN claim_member_records r ON r.ref=n.ref LEFT JOIN employers e ON e.ref=r.employer_ref
    WHERE n.parent=c.id GROUP BY 1) WHERE id IS NOT NULL)`;
}

/** The labels of a row's amounts that can't be numbers, in the order of their names. */
function notCountedSql(entity: 'claims' | 'lines'): string {
  const labels = fieldsOf[entity].flatMap(({ kind, path, label }) =>
    kind === 'money' && !path.includes('.') ? [`WHEN '${path}' THEN '${label}'`] : [],
  );
  const row =
    entity === 'claims'
      ? `unread_amounts.claim_id=c.id AND unread_amounts.position=${ofClaimItself}`
      : 'unread_amounts.claim_id=l.parent AND unread_amounts.position=l.position';
  return `(SELECT group_concat(CASE unread_amounts.field ${labels.join(' ')} END, ', ' ORDER BY unread_amounts.field) FROM unread_amounts
    WHERE ${row})`;
}

/** Expressions for the columns that Claimdesk adds in lists of claims and of their lines. */
const made: Readonly<Record<string, string>> = {
  'members.id': idsSql('r'),
  'members.employer.id': idsSql('e'),
  'members.name': 'c.member_names',
  'members.employer.name': 'c.employer_names',
  carrier: 'k.carrier',
  'review.state': reviewStateSql,
  ...Object.fromEntries(
    Object.values(reviewFacts).flatMap(({ path, column }) => (path === null ? [] : [[path, `v.${column}`]])),
  ),
};

/** The same for dependents: their member's name, and a field that the contract lacks. */
const madeOfDependents: Readonly<Record<string, string>> = {
  'member.name': `nullif(coalesce(m.full_name_derived,
    trim(coalesce(m.first_name, '')||' '||coalesce(m.last_name, ''))), '')`,
  relationship: "iif(json_type(d.extra, '$.relationship')='text', d.extra->>'$.relationship', NULL)",
};

/** The rows of a shared object, under the aliases by which a list joins it, and the column that refers to it. */
const sharedRows: Readonly<Record<string, { from: string; ref: string }>> = {
  'members/employer': { from: 'employers e', ref: 'm.employer_ref' },
  'members/tenant': { from: 'tenants t', ref: 'm.tenant_ref' },
  'claims/policy_holder': { from: 'policy_holders p', ref: 'c.policy_holder_ref' },
  'claims/carrier': {
    from: 'policy_holders p JOIN connection_carriers k ON k.policy_holder_id=p.id',
    ref: 'c.policy_holder_ref',
  },
  'claims/review': { from: '(SELECT claim_id AS ref, * FROM claim_reviews) v', ref: 'c.id' },
};

/**
 * The shared object of a column: a condition on it is evaluated on these few rows, and an index on the list finds the
 * rows that refer to them. Null for a column of the list itself.
 */
export function sharedOf(entity: Entity, path: string): { from: string; ref: string } | null {
  // This column has a value for claims without a review as well.
  if (path === 'review.state') return null;
  return sharedRows[`${entity}/${path.split('.')[0]}`] ?? null;
}

/** The shared objects whose columns are among these; their `extra` has values that do not fit their columns. */
export function joinedOf(entity: Entity, specs: readonly FieldSpec[]): { head: string; alias: string }[] {
  const heads = new Set(specs.map((spec) => spec.path.split('.')[0] as string));
  return [...heads].flatMap((head) => {
    const alias = joined[`${entity}/${head}`];
    return alias === undefined ? [] : [{ head, alias }];
  });
}

/** The SQL expression of a part of a date range, by the suffix after the name of the range. */
const rangeExpressions: Readonly<Record<string, (parts: string) => string>> = {
  '': (parts) => `range_days(${parts})`,
  first_day: (parts) => `range_first_day(${parts})`,
  // Taken from the value in the index of days, in which an open end is two dots.
  last_day: (parts) => `nullif(substr(replace(range_days(${parts}), '..', '----------'), 12), '----------')`,
};

/** The SQL expression of a flat column. Paths come from the table of fields, never from user input. */
export function columnOf(entity: Entity, path: string): string {
  const { alias, shape } = listTables[entity];
  if (path.startsWith('$')) return `${alias}.parent`;
  // No column stores it; it is read from `extra`.
  if (unknownNameOf(path) !== null) return 'NULL';
  if (path === 'not_counted' && (entity === 'claims' || entity === 'lines')) return notCountedSql(entity);
  const expression = entity === 'claims' || entity === 'lines' ? made[path] : undefined;
  if (expression !== undefined) return expression;
  if (entity === 'dependents' && Object.hasOwn(madeOfDependents, path))
    return madeOfDependents[path] as string;
  if (path === 'type.name' && entity === 'lines') return 'c.type_name';
  if (path === 'id' && entity === 'lines') return 'coalesce(l.id, l.claim_medical_line_id)';
  const [head, ...rest] = path.split('.') as [string, ...string[]];
  if (head === 'facts') return `f.${rest.join('_')}`;
  if (rest.length === 0 && findField(entity, path)?.kind !== 'dateRange') return `${alias}.${head}`;
  const other = joined[`${entity}/${head}`];
  if (other !== undefined) return `${other}.${rest.join('_')}`;
  const inline = shape.inline.find((object) => object.key === head);
  const derived = rangeExpressions[rest.join('.')];
  if (inline !== undefined && derived !== undefined) {
    const parts = ['start', 'end', 'bounds'].map((part) => `${alias}.${head}_${part}`);
    return derived(parts.join(', '));
  }
  const column = inline?.columns.find((candidate) => candidate.key === rest.join('.'));
  if (column === undefined) throw new Error(`no column for ${entity}/${path}`);
  return `${alias}.${column.column}`;
}

const sortColumns: Readonly<Record<string, string>> = {
  'review.changed_responsibility': 'v.change_size',
  'facts.payable_twice': 'f.pair_order',
};
/**
 * Returns the column for sorting, usually the column itself. Changes are sorted by their size, those from or to a blank
 * amount as the largest; what is payable twice is sorted by pairs, so that both claims of a pair are adjacent.
 */
export const sortColumnOf = (entity: Entity, path: string): string =>
  (entity === 'claims' ? sortColumns[path] : undefined) ?? columnOf(entity, path);

/** The field of a column in a list or a file, including fields of the service that have no column. */
export function findColumn(entity: Entity, path: string): FieldSpec | undefined {
  const unknown = unknownNameOf(path);
  if (unknown !== null) return toUnknownField(unknown);
  return findField(entity, path) ?? fileFieldsOf[entity].find((spec) => spec.path === path);
}

/** The field behind a flat column of a list, with its kind. */
export const findField = (entity: Entity, path: string): FieldSpec | undefined =>
  fieldsOf[entity].find((spec) => spec.path === path);
