import { DeskError } from '../../../lib/errors.ts';
import type { Printer } from '../output.ts';
import type { Command } from '../parse-command.ts';
import { askHidden, readFromDescriptor } from '../read-passphrase.ts';
import { inSession } from '../run-in-session.ts';
import { findGivenPassphrase } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk unlock set | change | remove | recovery-code | recover`. */
export async function runUnlock(command: Command, output: Printer): Promise<number> {
  const { options, words } = command;
  const [, verb] = words;
  return inSession(command, true, async (session) => {
    if (verb === 'recover') {
      const code =
        options['code-fd'] === undefined
          ? need(await askHidden('Recovery code: '))
          : await readFromDescriptor(options['code-fd'], '--code-fd');
      await session.call('unlock:recover', { code, passphrase: await readNew(command) });
      await output.json({ event: 'recovered' });
      return 0;
    }
    const { hasPassphrase } = await session.call('unlock:getState', {});
    if (verb === 'set' && hasPassphrase) throw new UsageError('a passphrase is set: use unlock change');
    if ((verb === 'change' || verb === 'remove') && !hasPassphrase)
      throw new UsageError('no passphrase is set: use unlock set');
    const current = hasPassphrase ? { current: need(await findGivenPassphrase(options, true)) } : {};
    if (verb === 'remove') {
      await session.call('unlock:removePassphrase', { current: current.current ?? '' });
      await output.json({ event: 'removed' });
      return 0;
    }
    const { recoveryCode } =
      verb === 'recovery-code'
        ? await session.call('unlock:renewRecoveryCode', current)
        : await session.call('unlock:setPassphrase', { passphrase: await readNew(command), ...current });
    if (recoveryCode !== null)
      output.info(
        'Print this recovery code and keep it away from this computer. It is not shown again. Without the passphrase and the code, notes and SSH keys are lost.',
      );
    await output.json({ event: verb, recoveryCode });
  });
}

/** A new passphrase, typed twice or from its descriptor. @throws DeskError `usage.invalid`, `vault.passphraseNeeded` */
export async function readNew({ options }: Command): Promise<string> {
  const descriptor = options['new-passphrase-fd'];
  if (descriptor !== undefined) return readFromDescriptor(descriptor, '--new-passphrase-fd');
  const first = need(await askHidden('New passphrase (at least 12 characters): '));
  if ((await askHidden('The same again: ')) !== first) throw new UsageError('the passphrases don’t match');
  return first;
}

function need(text: string | null): string {
  if (text === null) throw new DeskError('vault.passphraseNeeded');
  return text;
}
