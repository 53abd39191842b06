import { type Entity, isDated } from '../../../rules/list-fields.ts';
import { decidedByField } from '../../../rules/review/decided-by.ts';
import { idFields } from '../../../rules/review/id-filter.ts';
import { type FilterField, filterFields } from './describe-filter.ts';

/** The topics of columns, in the order of the filter picker. */
const topics = ['People', 'Money', 'Dates', 'Status', 'Codes', 'Provider', 'Identifiers', 'More'] as const;
type Topic = (typeof topics)[number];

/** The topic of a path: the first pattern that matches. */
const byPath: readonly (readonly [RegExp, Topic])[] = [
  [/date_of_birth/, 'People'],
  [/^date_of_service/, 'Dates'],
  [/provider|network/, 'Provider'],
  [/^(status|type\.name|remarks|is_incomplete|recrawl_requested|archived|can_\w+)$/, 'Status'],
  [/procedure|diagnosis|drug|prescription|quantity|days_supply|type_id/, 'Codes'],
  [/^(members|employer|tenant)\.|^carrier$|^\$member_id$/, 'People'],
  [/^\$?id$|number|uuid|_id$|\.id$|ssn|partner_key/, 'Identifiers'],
  [/name|email|address|employer|member|carrier|subscriber|relationship/, 'People'],
];

export function topicOf({ path, kind }: Pick<FilterField, 'path' | 'kind'>): Topic {
  if (kind === 'money') return 'Money';
  const match = byPath.find(([pattern]) => pattern.test(path));
  return match?.[1] ?? (isDated(kind) ? 'Dates' : 'More');
}

/** Columns that are offered by ID instead, where a list has it, because a name can change. */
const offeredById: Readonly<Record<string, string>> = {
  'members.employer.name': 'members.employer.id',
  'members.tenant.name': 'members.tenant.id',
  'employer.name': 'employer.id',
  'tenant.name': 'tenant.id',
};
/** Labels of columns that have the same name as a column of names, but are filtered by number. */
const offeredAs: Readonly<Record<string, string>> = {
  'members.id': 'Member record no.',
  $member_id: 'Member record no.',
};

const isOffered = (path: string): boolean => ![decidedByField, ...idFields].includes(path);

/** The columns whose label or topic contains the text, by topic; with `only`, no others than these. */
export function findFilterFields(
  entity: Entity,
  search: string,
  only?: readonly string[],
): { topic: Topic; fields: readonly FilterField[] }[] {
  const searchText = search.trim().toLowerCase();
  const all = filterFields(entity).filter(({ path }) => only?.includes(path) !== false);
  const matches = all
    // The author of a decision is a filter in reports only, and runs are filtered from their page.
    .filter(({ path }) => isOffered(path) && !all.some((other) => other.path === offeredById[path]))
    .map((field) => ({ ...field, label: offeredAs[field.path] ?? field.label }))
    .filter(
      (field) =>
        field.label.toLowerCase().includes(searchText) || topicOf(field).toLowerCase().startsWith(searchText),
    );
  return topics
    .map((topic) => ({ topic, fields: matches.filter((field) => topicOf(field) === topic) }))
    .filter(({ fields }) => fields.length > 0);
}
