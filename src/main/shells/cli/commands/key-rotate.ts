import { type RotationAnswer, type RotationState, rotationAnswers } from '../../../../contract/rotation.ts';
import { keyTypes } from '../../../../contract/ssh-keys.ts';
import { DeskError, fromErrorReport } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { inSession } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** The option's spelling of an answer: `othersSwitched` is `others-switched`. */
const toOption = (answer: RotationAnswer): string =>
  answer.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What a person has to do for each task, and the answer that says it was done. */
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
 * `claimdesk key rotate [--type T] [--answer A]`: starts a rotation, continues one, or takes a person's answer. Prints
 * its state and the next task; exit 0 where it has ended or waits for a person.
 */
export async function runKeyRotate(command: Command, output: Output): Promise<number> {
  const { options } = command;
  const type = keyTypes.find((known) => known === options.type);
  if (options.type !== undefined && type === undefined)
    throw new UsageError(`--type must be one of ${keyTypes.join(', ')}`);
  const answer = rotationAnswers.find((known) => toOption(known) === options.answer);
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
  wanted: {
    workspaceId: string;
    type: (typeof keyTypes)[number] | undefined;
    answer: RotationAnswer | undefined;
  },
): Promise<RotationState> {
  const { workspaceId, type, answer } = wanted;
  if (answer !== undefined) return session.call('rotation:answer', { workspaceId, answer });
  const running = await session.call('rotation:resume', { workspaceId });
  if (running === null) {
    return session.call('rotation:begin', { workspaceId, type });
  }
  if (type !== undefined) throw new DeskError('key.rotationRunning', { details: { step: running.step } });
  return running;
}
