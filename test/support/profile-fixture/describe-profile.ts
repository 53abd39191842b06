import type { SshKey, Workspace } from '../../../src/contract/workspace.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';

/**
 * Everything a profile holds besides its records and secrets, as plain JSON, asked of the app itself and in a
 * shape of this file's own: what was written down with an older version stays comparable when the contract
 * moves on. Sends nothing to any service; changes nothing.
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
  const { events } = await session.call('reviews:listEvents', { ...ref, offset: 0, limit: 1000 });
  const notes = events.flatMap(({ id, at, fact }) => {
    if (fact.kind !== 'oldNote') return [];
    const { target, recordId, oldKind, text, facts, updatedAt } = fact;
    return [{ id, target, recordId, kind: oldKind, text, facts, createdAt: at, updatedAt }];
  });
  return {
    ...{ id: workspaceId, name, baseUrl, email, header, scheme, color, keyId, createdAt },
    rotation: rotation === null ? null : describeRotation(rotation),
    records: await describeRecords(session, workspaceId),
    sync: await describeSync(session, workspaceId),
    retention: (await session.call('store:getState', ref)).retention,
    views: sorted(views).map((view) => ({ ...view, query: JSON.parse(view.query) as unknown })),
    notes: sorted(notes),
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

/** Counts, and exact sums in ten-thousandths of a dollar. */
async function describeRecords(session: Session, workspaceId: string) {
  const claims = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
  const everyClaim = { entity: 'claims', includesMissing: true } as const;
  const all = await session.call('records:open', { workspaceId, query: everyClaim });
  const { groups } = await session.call('records:group', {
    workspaceId,
    query: { entity: 'claims' },
    by: 'status',
    order: 'value',
    direction: 'asc',
  });
  const { items } = await session.call('records:listSetAside', { workspaceId });
  return {
    summary: await session.call('records:getSummary', { workspaceId }),
    claims: { total: claims.total, sums: claims.totals },
    claimsWithMissing: { total: all.total, sums: all.totals },
    claimsByStatus: groups.map(({ value, totals }) => ({ status: value, totals })),
    setAside: items.map(({ kind, recordId }) => ({ kind, recordId })),
  };
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

/** By id: the order of a list may be another in another version. */
function sorted<T extends { id: string }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.id < b.id ? -1 : 1));
}
