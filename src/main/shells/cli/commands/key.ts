import { resolve } from 'node:path';
import { type RotationAnswer, type RotationState, rotationAnswers } from '../../../../contract/rotation.ts';
import { keyTypes } from '../../../../contract/ssh-keys.ts';
import { readKeyFile } from '../../../keys/read-key-file.ts';
import { DeskError, fromErrorReport } from '../../../lib/errors.ts';
import { type Runner, row } from '../command-row.ts';
import type { Printer } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { readPassphrase } from '../read-passphrase.ts';
import { inSession } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk key import FILE`: prints the public facts of the imported key. */
async function runKeyImport(command: Command, output: Printer): Promise<number> {
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
async function runKeyBackup(command: Command, output: Printer): Promise<number> {
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

/** The option's spelling of an answer: `othersSwitched` is `others-switched`. */
const toOption = (answer: RotationAnswer): string =>
  answer.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The instruction for each task, and the answer that confirms it was done. */
const personTasks: Partial<Record<RotationState['nextTask'], { text: string; answers: RotationAnswer[] }>> = {
  register: {
    text: 'Register the new public key with the service, and keep the old key there.',
    answers: ['registered', 'cancel'],
  },
  askOthers: {
    text: 'This computer uses the new key. Check that every other client of this account has switched to a new key.',
    answers: ['othersSwitched', 'keepOld'],
  },
  deleteOld: {
    text: 'Delete the old key on the service’s SSH keys page.',
    answers: ['oldDeleted', 'keepOld'],
  },
};
const ends: Partial<Record<RotationState['step'], string>> = {
  retired: 'Rotation finished. The service refuses the old key, which was removed from this computer.',
  kept: 'Rotation finished. Both keys are kept.',
  canceled: 'Rotation canceled. If the new key was registered, delete it on the service’s SSH keys page.',
};

/**
 * `claimdesk key rotate [--type T] [--answer A]`: starts a rotation, continues one, or takes your answer. Prints its
 * state and the next task; exit 0 where it has ended or waits for you.
 */
async function runKeyRotate(command: Command, output: Printer): Promise<number> {
  const { options } = command;
  const type = keyTypes.find((keyType) => keyType === options.type);
  if (options.type !== undefined && type === undefined)
    throw new UsageError(`--type must be one of ${keyTypes.join(', ')}`);
  const answer = rotationAnswers.find((rotationAnswer) => toOption(rotationAnswer) === options.answer);
  if (options.answer !== undefined && answer === undefined)
    throw new UsageError(`--answer must be one of ${rotationAnswers.map(toOption).join(', ')}`);
  if (type !== undefined && answer !== undefined)
    throw new UsageError('--type works only when a rotation starts');

  return inSession(command, true, async (session) => {
    const { id: workspaceId, baseUrl } = await session.findWorkspace();
    const state = await step(session, { workspaceId, type, answer });
    const waiting = personTasks[state.nextTask];
    await output.json({
      event: state.isOver ? 'over' : state.problem === null ? 'waiting' : 'stopped',
      ...state,
      next: {
        text: ends[state.step] ?? waiting?.text ?? 'Run `claimdesk key rotate` again to continue.',
        answers: (waiting?.answers ?? []).map(toOption),
        page: waiting === undefined ? null : `${baseUrl.replace(/\/$/, '')}/settings/ssh`,
      },
    });
    if (state.problem !== null) throw fromErrorReport(state.problem);
  });
}

async function step(
  session: Session,
  request: {
    workspaceId: string;
    type: (typeof keyTypes)[number] | undefined;
    answer: RotationAnswer | undefined;
  },
): Promise<RotationState> {
  const { workspaceId, type, answer } = request;
  if (answer !== undefined) return session.call('rotation:answer', { workspaceId, answer });
  const running = await session.call('rotation:resume', { workspaceId });
  if (running === null) return session.call('rotation:begin', { workspaceId, type });
  if (type !== undefined) throw new DeskError('key.rotationRunning', { details: { step: running.step } });
  return running;
}

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
