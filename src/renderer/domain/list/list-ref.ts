import { fullNameOf, type WorklistId, worklistIdOf } from '../../../rules/worklists/worklist-table.ts';

/** The list that a record was opened from, and the row index in it; part of the address of a record page. */
export interface ListRef {
  readonly list?: string;
  readonly at?: number;
}

/** Matches a list, with the ID of its record or worklist, but no text that could name an individual. */
const listPattern = /^([a-z]+(-\d+)?|worklist-[A-Za-z]+)$/;

/** Reads a ListRef from an address; invalid parts are dropped. */
export function parseListRef(search: Record<string, unknown>): ListRef {
  const named = typeof search.list === 'string' && listPattern.test(search.list) ? search.list : null;
  const worklist = worklistOf(named ?? undefined);
  const list = worklist === undefined ? named : worklistClaimsList(worklist);
  const at = Number.isSafeInteger(search.at) && Number(search.at) >= 0 ? Number(search.at) : null;
  return { ...(list === null ? {} : { list }), ...(list === null || at === null ? {} : { at }) };
}

export const memberClaimsList = (memberId: number) => `member-${memberId}`;
export const employerClaimsList = (employerId: number) => `employer-${employerId}`;
export const employerMembersList = (employerId: number) => `employerpeople-${employerId}`;
export const tenantClaimsList = (tenantId: number) => `tenant-${tenantId}`;
export const tenantMembersList = (tenantId: number) => `tenantpeople-${tenantId}`;
export const dependentClaimsList = (dependentId: number) => `dependent-${dependentId}`;

const ofWorklist = 'worklist-';
export const worklistClaimsList = (id: WorklistId) => `${ofWorklist}${id}`;

/** The worklist that a list is; undefined: it is another list. */
export const worklistOf = (listId: string | undefined): WorklistId | undefined =>
  listId?.startsWith(ofWorklist) ? worklistIdOf(listId.slice(ofWorklist.length)) : undefined;

type Route =
  | { to: '/claims' | '/members' | '/dependents' | '/lines' }
  | { to: '/members/$memberId'; params: { memberId: number } }
  | { to: '/dependents/$dependentId'; params: { dependentId: number } }
  | { to: '/employers/$employerId'; params: { employerId: number } }
  | { to: '/tenants/$tenantId'; params: { tenantId: number } }
  | { to: '/worklists/$worklistId'; params: { worklistId: WorklistId } };

/** The route and the label of the back button. */
export function listRouteOf(
  list: string | undefined,
  usual: 'claims' | 'members' | 'dependents',
): { label: string; to: Route } {
  const [kind = usual, idText] = (list ?? usual).split('-');
  const id = Number(idText);
  if (kind === 'member' && Number.isSafeInteger(id))
    return { label: 'Back to member', to: { to: '/members/$memberId', params: { memberId: id } } };
  const worklistId = worklistOf(list);
  if (worklistId !== undefined) {
    return {
      label: `Back to ${fullNameOf(worklistId)}`,
      to: { to: '/worklists/$worklistId', params: { worklistId } },
    };
  }
  if (kind === 'dependent' && Number.isSafeInteger(id)) {
    return {
      label: 'Back to dependent',
      to: { to: '/dependents/$dependentId', params: { dependentId: id } },
    };
  }
  if (/^employer(people)?$/.test(kind) && Number.isSafeInteger(id)) {
    return {
      label: 'Back to employer',
      to: { to: '/employers/$employerId', params: { employerId: id } },
    };
  }
  if (/^tenant(people)?$/.test(kind) && Number.isSafeInteger(id))
    return { label: 'Back to tenant', to: { to: '/tenants/$tenantId', params: { tenantId: id } } };
  switch (kind) {
    case 'members':
      return { label: 'Back to members', to: { to: '/members' } };
    case 'dependents':
      return { label: 'Back to dependents', to: { to: '/dependents' } };
    case 'lines':
      return { label: 'Back to claim lines', to: { to: '/lines' } };
    default:
      return { label: 'Back to claims', to: { to: '/claims' } };
  }
}
