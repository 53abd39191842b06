import { isProvenServer } from './server-proof.ts';

/** What a window of the browser shell receives with its token. */
interface WindowEntry {
  readonly token: string;
  /** Empty while locked, or where the engine cannot start. */
  readonly engineUrl: string;
}

export interface EntryPorts {
  readonly location: Pick<Location, 'hash' | 'origin'>;
  readonly history: Pick<History, 'replaceState'>;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly fetch: typeof fetch;
}

const tokenName = 'claimdesk-window';
const passPattern = /^#pass=([\w-]{1,100})$/;

/**
 * Gets a page of the browser shell its token: by the pass in its address, which is then used up and removed from the
 * address, or after a reload the token that this tab stored. Null: Claimdesk did not open this tab.
 */
export async function enterWindow(ports: EntryPorts): Promise<WindowEntry | null> {
  const pass = passPattern.exec(ports.location.hash)?.[1];
  if (pass !== undefined) {
    ports.history.replaceState(null, '', '/');
    await exchangePass(ports, pass);
  }
  const token = ports.storage.getItem(tokenName);
  if (token === null || !(await isProvenServer(ports.location.origin, token, ports.fetch))) return null;
  const reply = await ports.fetch('/session', { headers: { 'X-Claimdesk-Window': token } });
  if (!reply.ok) return null;
  const { engineUrl } = (await reply.json()) as { engineUrl: string };
  return { token, engineUrl };
}

/** Exchanges a pass. One that is used up or too old is ignored, because the tab may have a token already. */
async function exchangePass(ports: EntryPorts, pass: string): Promise<void> {
  const reply = await ports.fetch('/enter', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ pass }),
  });
  if (!reply.ok) return;
  const { token } = (await reply.json()) as { token: string };
  ports.storage.setItem(tokenName, token);
}
