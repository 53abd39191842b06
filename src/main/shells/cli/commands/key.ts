import { keyTypes } from '../../../../contract/ssh-keys.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inSession } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';
import { runKeyRotate } from './key-rotate.ts';
import { runKeyBackup, runKeyImport } from './key-transfer.ts';

/** Verbs that are implemented in other files. */
const others: Readonly<Record<string, (command: Command, output: Output) => Promise<number>>> = {
  import: runKeyImport,
  backup: runKeyBackup,
  rotate: runKeyRotate,
  retire: runKeyRetire,
  show: runKeyShow,
  rename: runKeyRename,
};

/** `claimdesk key generate | list | public | check | use`, and the verbs above. */
export async function runKey(command: Command, output: Output): Promise<number> {
  const verb = command.words[1] as string;
  const other = Object.hasOwn(others, verb) ? others[verb] : undefined;
  if (other !== undefined) return other(command, output);
  const type = keyTypes.find((known) => known === (command.options.type ?? 'ed25519'));
  if (type === undefined) throw new UsageError(`--type must be one of ${keyTypes.join(', ')}`);

  return inSession(command, ['generate', 'use'].includes(verb), async (session) => {
    const keyId = command.words[2] as string;
    switch (verb) {
      case 'generate': {
        const { name } = command.options;
        const workspace = await findWorkspaceIfAny(session);
        await output.json(
          await session.call('keys:generate', {
            type,
            ...(name === undefined ? {} : { name }),
            ...(workspace === null ? {} : { workspaceId: workspace.id }),
          }),
        );
        break;
      }
      case 'list':
        for (const key of (await session.call('keys:list', {})).keys) await output.json(key);
        break;
      case 'public': {
        const key = (await session.call('keys:list', {})).keys.find(({ id }) => id === keyId);
        if (key === undefined) throw new DeskError('key.unknown');
        if (command.options.json === true) await output.json({ publicKey: key.publicKey });
        else await output.line(key.publicKey);
        break;
      }
      case 'check': {
        const workspaceId = (await session.findWorkspace()).id;
        await output.json(await session.call('keys:check', { workspaceId, keyId }));
        break;
      }
      case 'use': {
        const workspaceId = (await session.findWorkspace()).id;
        await output.json(await session.call('keys:use', { workspaceId, keyId }));
        break;
      }
    }
  });
}

/** The workspace the new key may sign for; a key can be made before there is any. */
async function findWorkspaceIfAny(session: Session): Promise<{ id: string } | null> {
  try {
    return await session.findWorkspace();
  } catch (thrown) {
    if (thrown instanceof DeskError && thrown.code === 'workspace.missing') return null;
    throw thrown;
  }
}

/** `claimdesk key show ID`: prints the public facts of a key, with its age. */
async function runKeyShow(command: Command, output: Output): Promise<number> {
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
async function runKeyRename(command: Command, output: Output): Promise<number> {
  const { name } = command.options;
  if (name === undefined) throw new UsageError('--name N is required');
  return inSession(command, true, async (session) => {
    await output.json(await session.call('keys:rename', { keyId: command.words[2] as string, name }));
  });
}

/** `claimdesk key retire ID [--confirm-name NAME]`: removes a key for good; the last working key needs its name. */
async function runKeyRetire(command: Command, output: Output): Promise<number> {
  const keyId = command.words[2] as string;
  const typedName = command.options['confirm-name'];
  return inSession(command, true, async (session) => {
    await session.call('keys:retire', { keyId, ...(typedName === undefined ? {} : { typedName }) });
    await output.json({ event: 'retired', id: keyId });
  });
}
