import { tokenHeaderSchema, tokenSchemeSchema, type Workspace } from '../../../../contract/workspace.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inSession } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk workspace add | list | set | remove`. */
export async function runWorkspace(command: Command, output: Output): Promise<number> {
  const { options, words } = command;
  switch (words[1]) {
    case 'add': {
      const { 'base-url': baseUrl, email, name } = options;
      if (baseUrl === undefined || email === undefined)
        throw new UsageError('--base-url and --email are required');
      return inSession(command, true, async (session) => {
        await output.json(
          await session.call('workspaces:add', { baseUrl, email, ...(name === undefined ? {} : { name }) }),
        );
      });
    }
    case 'list':
      return inSession(command, false, async (session) => {
        const { workspaces } = await session.call('workspaces:list', {});
        for (const workspace of workspaces) await output.json(workspace);
      });
    case 'set': {
      const { header, scheme } = options;
      if (header === undefined && scheme === undefined)
        throw new UsageError('--header or --scheme is required');
      if (header !== undefined && !tokenHeaderSchema.safeParse(header).success)
        throw new UsageError('--header takes a header that is free for a token');
      if (scheme !== undefined && !tokenSchemeSchema.safeParse(scheme).success)
        throw new UsageError('--scheme takes one word');
      const changes = {
        ...(header === undefined ? {} : { header }),
        ...(scheme === undefined ? {} : { scheme }),
      };
      return withWorkspace(command, async (session, { id }) => {
        await output.json(await session.call('workspaces:update', { workspaceId: id, ...changes }));
      });
    }
    default:
      return withWorkspace(command, async (session, { id, name }) => {
        await session.call('workspaces:remove', { workspaceId: id });
        await output.json({ event: 'removed', id, name });
      });
  }
}

/** Runs an operation on the workspace that the command names. @throws DeskError `workspace.unknown` */
async function withWorkspace(
  { options, words }: Command,
  act: (session: Session, workspace: Workspace) => Promise<void>,
): Promise<number> {
  return inSession({ options: { ...options, workspace: words[2] as string } }, true, async (session) => {
    const workspace = await session.findWorkspace().catch((thrown) => {
      if (thrown instanceof DeskError && thrown.code === 'workspace.missing')
        throw new DeskError('workspace.unknown');
      throw thrown;
    });
    await act(session, workspace);
  });
}
