import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inSession } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk key show ID`: all that is public, with its age. */
export async function runKeyShow(command: Command, output: Output): Promise<number> {
  const keyId = command.words[2] as string;
  return inSession(command, false, async (session) => {
    const key = (await session.call('keys:list', {})).keys.find(({ id }) => id === keyId);
    if (key === undefined) {
      const { keys: damaged } = await session.call('keys:listDamaged', {});
      throw new DeskError(damaged.some(({ id }) => id === keyId) ? 'key.damaged' : 'key.unknown');
    }
    const { keyId: _keyId, ...description } = await session.call('keys:describe', { keyId });
    await output.json({ ...key, ...description });
  });
}

/** `claimdesk key rename ID --name N`. */
export async function runKeyRename(command: Command, output: Output): Promise<number> {
  const { name } = command.options;
  if (name === undefined) throw new UsageError('--name N is required');
  return inSession(command, true, async (session) => {
    await output.json(await session.call('keys:rename', { keyId: command.words[2] as string, name }));
  });
}

/** `claimdesk key retire ID [--confirm-name NAME]`: for good; the last working key only with its name. */
export async function runKeyRetire(command: Command, output: Output): Promise<number> {
  const keyId = command.words[2] as string;
  const typedName = command.options['confirm-name'];
  return inSession(command, true, async (session) => {
    await session.call('keys:retire', { keyId, ...(typedName === undefined ? {} : { typedName }) });
    await output.json({ event: 'retired', id: keyId });
  });
}
