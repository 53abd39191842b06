import { resolve } from 'node:path';
import { readKeyFile } from '../../../keys/read-key-file.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { readPassphrase } from '../read-passphrase.ts';
import { inSession } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk key import FILE`: prints the public facts of the imported key. */
export async function runKeyImport(command: Command, output: Output): Promise<number> {
  const { options, words } = command;
  const bytes = await readKeyFile(resolve(words[2] as string));
  const passphrase = options['passphrase-stdin'] === true ? await readPassphrase(command.stdin) : undefined;
  return inSession(command, true, async (session) => {
    const workspaceId = await findWorkspaceId(session, options.workspace !== undefined);
    const key = await session.call('keys:import', {
      source: { kind: 'bytes', base64: bytes.toString('base64') },
      passphrase,
      name: options.name,
      workspaceId: workspaceId ?? undefined,
    });
    await output.json(key);
    if (passphrase !== undefined)
      output.info(
        'The file’s passphrase isn’t saved. The keychain or the unlock passphrase protects the key.',
      );
  });
}

/**
 * `claimdesk key backup ID --out FILE --passphrase-stdin`: writes an OpenSSH file with that passphrase, after a
 * confirmation.
 */
export async function runKeyBackup(command: Command, output: Output): Promise<number> {
  const { options, words } = command;
  const { out } = options;
  if (out === undefined) throw new UsageError('--out FILE is required');
  if (options['passphrase-stdin'] !== true) throw new UsageError('--passphrase-stdin is required');
  const passphrase = await readPassphrase(command.stdin);
  return inSession(command, true, async (session) => {
    const targetId = await session.addSaveTarget(resolve(out), 'keyBackup');
    const { displayPath, ...saved } = await session.call('keys:backUp', {
      keyId: words[2] as string,
      passphrase,
      targetId,
    });
    await output.json({ event: 'backedUp', ...saved, path: displayPath });
  });
}

/** The workspace whose service the key may sign for. With several workspaces, only `--workspace` selects one. */
async function findWorkspaceId(session: Session, isNamed: boolean): Promise<string | null> {
  try {
    return (await session.findWorkspace()).id;
  } catch (thrown) {
    const code = thrown instanceof DeskError ? thrown.code : null;
    if (!isNamed && (code === 'workspace.missing' || code === 'workspace.ambiguous')) return null;
    throw thrown;
  }
}
