import { DeskError } from '../lib/errors.ts';
import type { DeskState, Question } from './desk-state.ts';

/**
 * Asks the user to confirm in a dialog outside the page, which a compromised page cannot answer. In a shell
 * without such a dialog the page's own confirmation counts.
 *
 * @throws DeskError `app.notConfirmed`, `app.locked` where Claimdesk was locked while the question was open
 */
export async function requireConfirmed(
  state: Pick<DeskState, 'ports' | 'isLocked'>,
  question: Question,
): Promise<void> {
  const { confirm } = state.ports;
  if (confirm === undefined) return;
  if (!(await confirm(question))) throw new DeskError('app.notConfirmed');
  if (state.isLocked) throw new DeskError('app.locked');
}
