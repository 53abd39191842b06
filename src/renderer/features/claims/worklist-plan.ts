import type { Worklist } from '../../../contract/worklist-table.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';

const wide = ['members.employer.name', 'review.owner'];

/**
 * A worklist as a list of claims: always its own claims, in its order, with the columns that say why. In narrow windows
 * patient and provider have the space of the billed amount.
 */
export function worklistPlan(worklist: Worklist, windowWidth: number): ListPlan {
  const groupBy = windowWidth >= 1600 ? worklist.groupBy : null;
  const columns = [
    ...['id', 'date_of_service', 'patient_name', 'service_provider'],
    ...(worklist.columns.includes('facts.denial') ? [] : ['status']),
    ...worklist.columns,
    ...(windowWidth >= 1800 && groupBy === null ? wide : []),
    ...(windowWidth >= 1440 && groupBy === null ? ['amount_billed'] : []),
    'patient_responsibility',
  ];
  return {
    entity: 'claims',
    always: [{ field: 'worklist', operator: 'is', values: [worklist.id] }],
    initial: {
      ...startSettings({ columns, sort: [worklist.sort], frozen: ['id'] }),
      includesMissing: worklist.includesMissing,
      groupBy,
    },
  };
}
