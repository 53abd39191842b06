import { resolve } from 'node:path';
import { DeskError } from '../../../lib/errors.ts';
import { type Runner, row } from '../command-row.ts';
import { parseDay } from '../parse-command.ts';
import { askHidden, readFromDescriptor } from '../read-passphrase.ts';
import { inSession } from '../run-in-session.ts';
import { readNew } from './unlock.ts';

const set = (makeChanges: (...of: Parameters<Runner>) => Promise<object> | object): Runner => {
  return (command, output) =>
    inSession(command, true, async (session) => {
      await output.json(await session.call('backup:set', await makeChanges(command, output)));
    });
};

/** `claimdesk backup …`: backups elsewhere of what you wrote. */
export const backupCommands: Readonly<Record<string, Runner>> = {
  '': row({ call: 'backup:now', writes: true }),
  set: set(({ words }) => ({ folder: resolve(words[2] ?? '') })),
  off: set(() => ({ folder: '' })),
  forget: set(({ words }) => ({ forget: resolve(words[2] ?? '') })),
  'seal passphrase': set(async (command) => ({ passphrase: await readNew(command) })),
  'seal recovery-code': set(() => ({ passphrase: null })),
  state: row({ call: 'backup:getState' }),
  check: (command, output) =>
    inSession(command, true, async (session) => {
      const checked = await session.call('backup:check', { isFull: command.options.full === true });
      await output.json(checked);
      const [damaged] = checked.damaged;
      if (damaged !== undefined) throw new DeskError('backup.damaged', { details: damaged });
    }),
};

/** `claimdesk restore DIR`: restores into a new profile. */
export const runRestore: Runner = (command, output) => {
  const { words, options } = command;
  const to = parseDay(options.to, '--to');
  return inSession(command, true, async (session) => {
    const secret =
      options['code-fd'] === undefined
        ? await askHidden('Recovery code or passphrase of the backups: ')
        : await readFromDescriptor(options['code-fd'], '--code-fd');
    if (secret === null) throw new DeskError('backup.wrongSecret');
    const restored = await (await session.getEngine()).restore({
      folder: resolve(words[1] ?? ''),
      secret,
      before: to === undefined ? null : new Date(`${to}T23:59:59.999`).toISOString(),
    });
    await output.json({ event: 'restored', ...restored });
    output.info(
      'Next: add an SSH key to each workspace and sync, which returns the records. In a team, ask an admin to admit this computer. Then set a backup folder again.',
    );
  });
};
