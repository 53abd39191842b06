import type { Session } from '../../../src/main/shells/cli/session.ts';

/** Full records of a list as the store returns them, by ID, including those that the service no longer returns. */
export async function readStored(
  session: Session,
  workspaceId: string,
  entity: 'members' | 'claims',
): Promise<string[]> {
  const { snapshotId, total } = await session.call('records:open', {
    workspaceId,
    query: {
      entity,
      includesArchived: true,
      includesMissing: true,
      sort: [{ field: 'id', direction: 'asc' }],
    },
  });
  const engine = await session.getEngine();
  const texts = await engine.readRecordTexts({
    ...{ workspaceId, snapshotId, offset: 0, limit: total, isSsnShown: true },
  });
  await session.call('records:close', { workspaceId, snapshotId });
  return texts;
}
