import type { SshKey } from '../../../src/contract/ssh-keys.ts';
import type { Workspace } from '../../../src/contract/workspace.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import type { ClaimReview } from '../../../src/rules/review/review.ts';

/**
 * The content of a profile, except its records and secrets, as plain JSON. It is read through the app's procedures but
 * has a form of its own, so that what an older version wrote can still be compared after the contract has changed.
 * Sends nothing to any service; changes nothing.
 */
export async function describeProfile(session: Session) {
  const { workspaces, activeId } = await session.call('workspaces:list', {});
  const { keys } = await session.call('keys:list', {});
  const { entries, total } = await session.call('audit:list', { offset: 0, limit: 1000 });
  const verdict = await session.call('audit:verify', {});
  const described = [];
  for (const workspace of workspaces) described.push(await describeWorkspace(session, workspace));
  return {
    settings: await session.call('settings:get', {}),
    activeWorkspaceId: activeId,
    keys: keys.map(describeKey),
    workspaces: described,
    audit: { total, isIntact: verdict.isIntact, verified: verdict.entries, entries },
  };
}

export type ProfileDescription = Awaited<ReturnType<typeof describeProfile>>;

function describeKey(key: SshKey) {
  const { id, name, type, bits, fingerprint, publicKey, createdAt, provenAt, workspaceIds } = key;
  return { id, name, type, bits, fingerprint, publicKey, createdAt, provenAt, workspaceIds };
}

async function describeWorkspace(session: Session, workspace: Workspace) {
  const { id: workspaceId, name, baseUrl, email, header, scheme, color, keyId, createdAt } = workspace;
  const ref = { workspaceId };
  const rotation = await session.call('rotation:get', ref);
  const { views } = await session.call('views:list', ref);
  return {
    ...{ id: workspaceId, name, baseUrl, email, header, scheme, color, keyId, createdAt },
    rotation: rotation === null ? null : describeRotation(rotation),
    records: await describeRecords(session, workspaceId),
    sync: await describeSync(session, workspaceId),
    retention: (await session.call('store:getState', ref)).retention,
    views: sorted(views).map((view) => ({ ...view, query: JSON.parse(view.query) as unknown })),
    reviews: await describeReviews(session, workspaceId),
    connect: await describeConnect(session, workspaceId),
  };
}

function describeRotation(rotation: {
  id: string;
  step: string;
  nextTask: string;
  newKeyType: string;
  oldKeyId: string;
  newKeyId: string;
  startedAt: string;
}) {
  const { id, step, nextTask, newKeyType, oldKeyId, newKeyId, startedAt } = rotation;
  return { id, step, nextTask, newKeyType, oldKeyId, newKeyId, startedAt };
}

/**
 * Every event of the history, the review of each claim that has one, and the number of claims in each state. The
 * eligible and the open amount are left out, because they depend on the rules of the reading version.
 */
async function describeReviews(session: Session, workspaceId: string) {
  const { events } = await session.call('reviews:listEvents', { workspaceId, offset: 0, limit: 1000 });
  const { rows } = await session.call('records:begin', {
    workspaceId,
    query: { entity: 'claims', includesMissing: true },
    limit: 1000,
    fields: ['id'],
  });
  const byClaim: Record<string, ReturnType<typeof describeReview>> = {};
  for (const { id } of rows) {
    const review = await session.call('reviews:get', { workspaceId, claimId: Number(id) });
    if (isTouched(review)) byClaim[String(id)] = describeReview(review);
  }
  return {
    events: sorted(events).map(
      ({ id, at, author, isImported, fact, undoes, isUndone, claims, claimId, filter }) => ({
        ...{ id, at, author, isImported, fact, undoes, isUndone, claims, claimId, filter },
      }),
    ),
    byClaim,
    byState: await countBy(session, workspaceId, 'review.state'),
  };
}

const isTouched = (review: ClaimReview): boolean =>
  review.reviewedAt !== null ||
  !['todo', 'notSelected'].includes(review.state) ||
  review.isFlagged ||
  [review.owner, review.reminder, review.changedAt].some((value) => value !== null) ||
  [review.tags, review.notes, review.duplicates, review.payments].some(({ length }) => length > 0);

function describeReview({ eligible: _eligible, open: _open, changes, ...review }: ClaimReview) {
  return {
    ...review,
    changes: changes.map(({ name, effect, before, after }) => ({ name, effect, before, after })),
  };
}

/** Counts of records. Sums are left out, because they depend on what the reading version accepts as an amount. */
async function describeRecords(session: Session, workspaceId: string) {
  const everyClaim = { entity: 'claims', includesMissing: true } as const;
  const all = await session.call('records:open', { workspaceId, query: everyClaim });
  const { items } = await session.call('records:listSetAside', { workspaceId });
  return {
    summary: await session.call('records:getSummary', { workspaceId }),
    claimsWithMissing: all.total,
    claimsByStatus: await countBy(session, workspaceId, 'status'),
    setAside: items.map(({ kind, recordId }) => ({ kind, recordId })),
  };
}

async function countBy(session: Session, workspaceId: string, by: string) {
  const query = { entity: 'claims', includesMissing: true } as const;
  const { groups } = await session.call('records:group', {
    workspaceId,
    query,
    by,
    order: 'value',
    direction: 'asc',
  });
  return groups.map(({ value, totals }) => ({ value, claims: totals.count }));
}

async function describeSync(session: Session, workspaceId: string) {
  const status = await session.call('sync:getStatus', { workspaceId });
  const { lastReceipt, lastComplete, isPaused, isResumable } = status;
  const page = { workspaceId, offset: 0, limit: 1000 };
  const { counts, changes } = await session.call('sync:listChanges', page);
  return {
    isPaused,
    isResumable,
    lastReceipt: lastReceipt === null ? null : describeReceipt(lastReceipt),
    lastCompleteRunId: lastComplete?.runId ?? null,
    lastChanges: {
      counts,
      changes: changes.map(({ list, id, change, fields }) => ({
        ...{ list, id, change },
        fields: fields.map(({ path }) => path).sort(),
      })),
    },
  };
}

function describeReceipt(receipt: {
  runId: string;
  outcome: string;
  proof: string;
  startedAt: string;
  finishedAt: string;
  members: number;
  dependents: number;
  claims: number;
  lines: number;
}) {
  const { runId, outcome, proof, startedAt, finishedAt, members, dependents, claims, lines } = receipt;
  return { runId, outcome, proof, startedAt, finishedAt, members, dependents, claims, lines };
}

/** null where no integration is set up. */
async function describeConnect(session: Session, workspaceId: string) {
  const settings = await session.call('connect:getSettings', { workspaceId });
  if (settings.publicToken === null) return null;
  const { members } = await session.call('connect:listMembers', { workspaceId });
  const { connections } = await session.call('connect:listConnections', { workspaceId });
  return {
    settings,
    members,
    connections: connections
      .map(({ policyHolderId, email, payerId, payerName, usernameHint, loginProblem, lastSuccessAt }) => ({
        ...{ policyHolderId, email, payerId, payerName, usernameHint, loginProblem, lastSuccessAt },
      }))
      .sort((a, b) => a.policyHolderId - b.policyHolderId),
  };
}

/** Sorted by ID, because another version may return another order. */
function sorted<T extends { id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}
