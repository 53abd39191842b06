import type { ExportSource } from '../../../contract/export.ts';
import { presetColumns } from '../../../contract/export-columns.ts';
import {
  type EngineProcedureName,
  type ParsedInput,
  type Procedures,
  procedures,
} from '../../../contract/procedures.ts';
import { followsReviews } from '../../../rules/list-fields.ts';
import type { ListQuery } from '../../../rules/query.ts';
import { memberOfSubject } from '../../../rules/review/member-subject.ts';

/** The procedures whose input decides whether the answer has what is computed from claims and reviews. */
type NameByInput = {
  [P in EngineProcedureName]: Procedures[P]['traits']['readsFacts'] extends 'byInput' ? P : never;
}[EngineProcedureName];

type Asked = Partial<Pick<ListQuery, 'conditions' | 'sort'>>;
const isOfFacts = ({ conditions = [], sort = [] }: Asked, fields: readonly string[] = []): boolean =>
  [...conditions, ...sort].some(({ field }) => followsReviews(field)) || fields.some(followsReviews);

/** A list of claims without chosen columns has all of them. */
const readsRows = ({
  query,
  fields,
}: {
  query: ListQuery;
  fields?: readonly string[] | undefined;
}): boolean => isOfFacts(query, fields) || (fields === undefined && query.entity === 'claims');

function readsForFile(source: ExportSource, columns: readonly string[] | undefined): boolean {
  switch (source.kind) {
    case 'statements':
    case 'letters':
    case 'payments':
    case 'run':
      return true;
    case 'report':
    case 'changes':
      return false;
    case 'groups':
      return isOfFacts(source.query, [source.by]);
    case 'list':
    case 'claimLines':
      return isOfFacts(source.query, columns ?? presetColumns(source, 'standard'));
  }
}

const byInput: { readonly [P in NameByInput]: (input: ParsedInput<P>) => boolean } = {
  'export:start': ({ source, columns }) => readsForFile(source, columns),
  'records:open': ({ query }) => isOfFacts(query),
  'records:getTotals': ({ query }) => isOfFacts(query),
  'records:begin': readsRows,
  'records:readFirst': readsRows,
  'records:copy': ({ fields }) => isOfFacts({}, fields),
  'records:group': ({ query, by }) => isOfFacts(query, [by]),
  // A call is linked to the claims that are open.
  'reviews:act': ({ target, act }) =>
    act.kind === 'note' && 'claimIds' in target && target.claimIds.some((id) => memberOfSubject(id) !== null),
  'records:listValues': ({ field, within = {} }) => isOfFacts(within, [field]),
};

/** Whether the answer to this call has what is computed from claims and reviews. */
export function readsFacts(name: EngineProcedureName, input: unknown): boolean {
  const { readsFacts: reads } = procedures[name].traits;
  return reads === 'byInput' ? byInput[name as NameByInput](input as never) : reads === 'always';
}
