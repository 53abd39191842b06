import { type Worklist, worklistConditions } from '../../../rules/worklists/worklist-table.ts';
import { type ListPlan, startSettings } from '../../domain/list/list-settings.ts';

/** The columns of claims to decide, where rules propose. */
const proposing = ['facts.open', 'facts.proposal'];

const wide = ['members.employer.name', 'review.owner'];

/**
 * A worklist as a list of claims: always its own claims, in its order, with the columns that say why. In narrow
 * windows, patient and provider get the space of the billed amount, of the status if two or more columns show why, and
 * of the denial, because the carrier's reason says more.
 */
export function worklistPlan(
  worklist: Worklist,
  windowWidth: number,
  person: string | null = null,
  hasProposals = false,
): ListPlan {
  const groupBy = windowWidth >= 1600 ? worklist.groupBy : null;
  const isWide = windowWidth >= 1440;
  const isToDecide = worklist.id === 'toDecide' || worklist.id === 'new';
  const reasons = hasProposals && isToDecide ? proposing : worklist.columns;
  const hasStatus = !reasons.includes('facts.denial') && (isWide || reasons.length < 2);
  const columns = [
    ...['id', 'date_of_service', 'patient_name', 'service_provider'],
    ...(hasStatus ? ['status'] : []),
    ...(isWide ? reasons : reasons.filter((path) => path !== 'facts.denial')),
    ...(windowWidth >= 1800 && groupBy === null ? wide : []),
    ...(isWide && groupBy === null ? ['amount_billed'] : []),
    'patient_responsibility',
  ];
  return {
    entity: 'claims',
    always: worklistConditions(worklist.id, person),
    initial: {
      ...startSettings({ columns, sort: [worklist.sort], frozen: ['id'] }),
      includesMissing: worklist.includesMissing,
      groupBy,
    },
  };
}
