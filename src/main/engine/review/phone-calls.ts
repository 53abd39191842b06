import type { Row } from '../../../rules/query.ts';
import { maxLinked, memberOfSubject, subjectOfMember } from '../../../rules/review/member-subject.ts';
import type { ReviewNote } from '../../../rules/review/review-parts.ts';
import { type ReviewedValues, readReviewedValues } from '../../../rules/review/reviewed-values.ts';
import { processedStatuses } from '../../../rules/worklists/worklist-table.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import type { ReviewPorts } from './review-ports.ts';

type Ports = Pick<ReviewPorts, 'getStore'>;

/**
 * A member as the subject of a note. The member and employer are its values, so that rules of removal match the note
 * like a claim of only this member. `isNew`: the member must be here; a call that was logged before can also be
 * corrected and deleted later.
 * @throws DeskError `record.unknown`
 */
export async function readMemberSubject(
  { getStore }: Ports,
  workspaceId: string,
  memberId: number,
  isNew: boolean,
): Promise<ActedClaim> {
  const fields = ['employer.id', 'employer.name'];
  const store = await getStore(workspaceId);
  const [row] = await store.read('readRows', { entity: 'members', keys: [memberId], fields });
  if (isNew && (row === undefined || row.$isMissing === true)) throw new DeskError('record.unknown');
  const employer = { id: row?.['employer.id'], name: row?.['employer.name'] };
  const values = readReviewedValues({ members: [{ id: memberId, employer }] }, false);
  return { claimId: subjectOfMember(memberId), reviewed: JSON.stringify(values), digest: null };
}

/** Whether a claim waits, has an open amount, or is undecided without a known amount or not yet processed. */
function isOpen(row: Row): boolean {
  const { 'review.state': state, 'facts.open': open, status } = row;
  if (state === 'notSelected') return false;
  if (['waiting', 'back', 'escalated'].includes(String(state)) || Number(open) > 0) return true;
  const isProcessed = processedStatuses.some((processed) => processed === status);
  return state !== 'done' && (open === null || !isProcessed);
}

/** How many claims of a family are examined, the newest first. */
const maxLookedAt = 2_000;

/** The open claims of a member's family, the newest first. */
export async function listOpenClaims(
  { getStore }: Ports,
  workspaceId: string,
  memberId: number,
): Promise<number[]> {
  const store = await getStore(workspaceId);
  const { rows } = await store.read('readFirst', {
    query: {
      entity: 'claims',
      conditions: [{ field: 'members.id', operator: 'is', values: [memberId] }],
      sort: [{ field: 'date_of_service', direction: 'desc' }],
    },
    limit: maxLookedAt,
    fields: ['id', 'status', 'facts.open', 'review.state'],
  });
  return rows.flatMap((row) => (isOpen(row) ? [Number(row.id)] : [])).slice(0, maxLinked);
}

/** The IDs of the calls with the members of a claim. */
export const callsOf = (claim: ReviewedValues | null): number[] =>
  (claim?.members ?? []).flatMap(({ id }) => (id === null ? [] : [subjectOfMember(id)]));

/** Finds among these reviews the calls that are linked to a claim, as notes. */
export const findCallsAbout = (
  claimId: number,
  reviews: readonly { readonly claimId: number; readonly notes: readonly ReviewNote[] }[],
): ReviewNote[] =>
  reviews.flatMap((entry) => {
    const memberId = memberOfSubject(entry.claimId);
    const notes = memberId === null ? [] : entry.notes.filter((note) => note.claimIds?.includes(claimId));
    return notes.map((note) => ({ ...note, memberId: memberId as number }));
  });
