import { isProvenServer } from './server-proof.ts';

/** What a window of the browser shell has once it is let in. */
export interface WindowEntry {
  readonly token: string;
  /** Empty while locked, or where the engine cannot start. */
  readonly engineUrl: string;
}

export interface EntryPlace {
  readonly location: Pick<Location, 'hash' | 'origin'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly fetch: typeof fetch;
}

const tokenName = 'claimdesk-window';
const passPattern = /^#pass=([\w-]{1,100})$/;

/**
 * Lets a page of the browser shell in: by the pass in its address, which is used up and taken out of the address, or
 * after a reload by the token that this tab has. Null: this tab was not opened by Claimdesk.
 */
export async function enterWindow(place: EntryPlace): Promise<WindowEntry | null> {
  const pass = passPattern.exec(place.location.hash)?.[1];
  if (pass !== undefined) {
    place.history.replaceState(null, '', '/');
    await exchangePass(place, pass);
  }
  const token = place.storage.getItem(tokenName);
  if (token === null || !(await isProvenServer(place.location.origin, token, place.fetch))) return null;
  const reply = await place.fetch('/session', { headers: { 'X-Claimdesk-Window': token } });
  if (!reply.ok) return null;
  const { engineUrl } = (await reply.json()) as { engineUrl: string };
  return { token, engineUrl };
}

/** A pass that is used up or too old changes nothing: the tab may have been let in before. */
async function exchangePass(place: EntryPlace, pass: string): Promise<void> {
  const reply = await place.fetch('/enter', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ pass }),
  });
  if (!reply.ok) return;
  const { token } = (await reply.json()) as { token: string };
  place.storage.setItem(tokenName, token);
}
