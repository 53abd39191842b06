import { fieldsOf } from '../../../contract/fields.ts';
import type { Worklist } from '../../../contract/worklist-table.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';

const before = ['id', 'date_of_service', 'patient_name', 'service_provider', 'status'];
const after = ['amount_billed', 'patient_responsibility'];
/** There is space for them on wide screens, where no groups are beside the list. */
const wide = ['members.employer.name', 'review.owner'];

/** A column that only sorts, and the one that says the same to a person. */
const shownAs: Readonly<Record<string, string>> = {
  'review.change_size': 'review.changed_responsibility',
};

/**
 * The columns that say why a claim is in a worklist: those that it is filtered and sorted by, where they differ by claim,
 * and the one that its sum is of.
 */
function reasonColumns({ terms, sort, amount }: Worklist): string[] {
  const paths = [
    amount.field,
    shownAs[sort.field] ?? sort.field,
    ...terms.filter(({ operator }) => operator !== 'isEmpty').map(({ field }) => field),
  ];
  const usual = new Set([...before, ...after, 'review.state']);
  return [...new Set(paths)].filter((path) => {
    const spec = fieldsOf.claims.find((one) => one.path === path);
    return spec !== undefined && spec.kind !== 'boolean' && spec.isRaw === undefined && !usual.has(path);
  });
}

/** A worklist as a list of claims: always its own claims, in its order, with the columns that say why. */
export function worklistPlan(worklist: Worklist, windowWidth: number): ListPlan {
  const groupBy = windowWidth >= 1600 ? worklist.groupBy : null;
  const more = windowWidth >= 1800 && groupBy === null ? wide : [];
  return {
    entity: 'claims',
    always: [{ field: 'worklist', operator: 'is', values: [worklist.id] }],
    initial: {
      ...startSettings({
        columns: [...before, ...reasonColumns(worklist), ...more, ...after],
        sort: [worklist.sort],
        frozen: ['id'],
      }),
      includesMissing: worklist.includesMissing,
      groupBy,
    },
  };
}
