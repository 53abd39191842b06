import type { startSampleService } from '../../../src/main/lib/sample-service.ts';
import { syncWorkspace } from '../../../src/main/shells/cli/commands/sync.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';

export const quiet = { json: async () => undefined, line: async () => undefined, info: () => undefined };

/** Adds the sample service as a workspace, registers a key there, and syncs for the first time. */
export async function registerAndSync(
  session: Session,
  service: Pick<Awaited<ReturnType<typeof startSampleService>>, 'baseUrl' | 'email' | 'register'>,
) {
  const { id: workspaceId } = await session.call('workspaces:add', {
    baseUrl: service.baseUrl,
    email: service.email,
  });
  const key = await session.call('keys:generate', { type: 'ed25519', workspaceId });
  await service.register('bench', key.publicKey);
  const { receipt } = await syncWorkspace(session, workspaceId, quiet, false);
  return { workspaceId, receipt };
}
