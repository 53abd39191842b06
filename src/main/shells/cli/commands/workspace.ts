import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { allowOptions, type Command } from '../parse-command.ts';
import { openSession } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk workspace add | list | remove`. */
export async function runWorkspace(command: Command, output: Output): Promise<number> {
  const { options, words } = command;
  switch (words[1]) {
    case 'add': {
      allowOptions(command, ['base-url', 'email', 'name'], 2);
      const { 'base-url': baseUrl, email, name } = options;
      if (baseUrl === undefined || email === undefined)
        throw new UsageError('--base-url and --email are required');
      const session = await openSession({ options, writes: true });
      try {
        await output.json(
          await session.call('workspaces:add', { baseUrl, email, ...(name === undefined ? {} : { name }) }),
        );
      } finally {
        await session.close();
      }
      return 0;
    }
    case 'list': {
      allowOptions(command, [], 2);
      const session = await openSession({ options, writes: false });
      try {
        const { workspaces } = await session.call('workspaces:list', {});
        for (const workspace of workspaces) await output.json(workspace);
      } finally {
        await session.close();
      }
      return 0;
    }
    case 'remove': {
      allowOptions(command, [], 3);
      const session = await openSession({
        options: { ...options, workspace: words[2] as string },
        writes: true,
      });
      try {
        const { id, name } = await session.findWorkspace();
        await session.call('workspaces:remove', { workspaceId: id });
        await output.json({ event: 'removed', id, name });
      } catch (thrown) {
        if (thrown instanceof DeskError && thrown.code === 'workspace.missing')
          throw new DeskError('workspace.unknown');
        throw thrown;
      } finally {
        await session.close();
      }
      return 0;
    }
    default:
      throw new UsageError('use workspace add, list, or remove');
  }
}
