import { DeskError } from '../../../lib/errors.ts';
import { type Runner, row } from '../command-row.ts';
import { inSession } from '../run-in-session.ts';
import { runKeyRotate } from './key-rotate.ts';
import { runKeyBackup, runKeyImport } from './key-transfer.ts';

/** `claimdesk key public ID`: prints the public key. */
const runKeyPublic: Runner = (command, output) =>
  inSession(command, false, async (session) => {
    const key = (await session.call('keys:list', {})).keys.find(({ id }) => id === command.words[2]);
    if (key === undefined) throw new DeskError('key.unknown');
    if (command.options.json === true) await output.json({ publicKey: key.publicKey });
    else await output.line(key.publicKey);
  });

/** `claimdesk key show ID`: prints the public facts of a key, with its age. */
const runKeyShow: Runner = (command, output) =>
  inSession(command, false, async (session) => {
    const keyId = command.words[2] as string;
    const key = (await session.call('keys:list', {})).keys.find(({ id }) => id === keyId);
    if (key === undefined) {
      const { keys: damaged } = await session.call('keys:listDamaged', {});
      throw new DeskError(damaged.some(({ id }) => id === keyId) ? 'key.damaged' : 'key.unknown');
    }
    const { keyId: _keyId, ...description } = await session.call('keys:describe', { keyId });
    await output.json({ ...key, ...description });
  });

/** `claimdesk key …`. */
export const keyCommands = {
  generate: row({ call: 'keys:generate', writes: true, input: { type: 'ed25519' } }),
  list: row({ call: 'keys:list', lines: ({ keys }) => keys }),
  public: runKeyPublic,
  show: runKeyShow,
  check: row({ call: 'keys:check', arguments: ['keyId'] }),
  use: row({ call: 'keys:use', writes: true, arguments: ['keyId'] }),
  rename: row({ call: 'keys:rename', writes: true, arguments: ['keyId'] }),
  import: runKeyImport,
  backup: runKeyBackup,
  rotate: runKeyRotate,
  retire: row({
    call: 'keys:retire',
    writes: true,
    arguments: ['keyId'],
    options: { 'confirm-name': 'typedName' },
    lines: (_answer, { input }) => [{ event: 'retired', id: input.keyId }],
  }),
};
