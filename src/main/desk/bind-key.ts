import { toKeyOrigin } from '../keys/key-origins.ts';
import { DeskError } from '../lib/errors.ts';
import { requireConfirmed } from './confirm.ts';
import type { DeskState } from './desk-state.ts';
import { originsOf, type Space } from './spaces.ts';

/**
 * Lets a key sign for the service at this address. A key that has signed nothing yet is bound to its first
 * service without a question. The user confirms every further service in a dialog outside the page: otherwise
 * a compromised page could send a token of a real key to an address of its choice.
 *
 * @throws DeskError `key.otherService` where the shell has no such dialog, `app.notConfirmed`, `key.unknown`,
 *   `key.damaged`
 */
export async function bindKey(
  state: DeskState,
  space: Space,
  { keyId, baseUrl }: { keyId: string; baseUrl: string },
): Promise<void> {
  const origin = toKeyOrigin(baseUrl);
  const key = await space.keyRing.get(keyId);
  const origins = await originsOf(space, keyId);
  if (origins.includes(origin)) return;
  if (origins.length > 0 || key.lastSignedAt !== null) {
    if (state.ports.confirm === undefined) throw new DeskError('key.otherService', { details: { keyId } });
    await requireConfirmed(state, {
      message: `Use the SSH key “${key.name}” for ${new URL(baseUrl).host}?`,
      detail:
        origins.length === 0
          ? 'Claimdesk hasn’t used this key for this service before.'
          : `So far it signs in to ${origins.map((usedOrigin) => new URL(usedOrigin).host).join(', ')}.`,
      action: 'Use key',
    });
  }
  await space.keyRing.bind(keyId, [...origins, origin]);
}
