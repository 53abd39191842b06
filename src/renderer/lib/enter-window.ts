import type { DeskBridge } from '../../contract/bridge.ts';
import { isProvenServer } from './check-server-proof.ts';
import { createLoopbackBridge } from './loopback-bridge.ts';
import type { PageValues } from './page-values.ts';

/** The data that a window of the browser shell receives with its token. */
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
    await exchangePass(ports, pass);
    // Not before that: a page that is loaded again during its exchange would have neither pass nor token.
    ports.history.replaceState(null, '', '/');
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

/** The bridge to the backend, and how to load the page again. */
export interface Backend {
  readonly bridge: DeskBridge;
  /** Reloads the page; does nothing where the host cannot prove that it gave this window its token. */
  readonly reload: () => Promise<void>;
}

/**
 * Opens the bridge to the backend: that of the preload (Electron), else to the loopback host (browser shell). Null:
 * Claimdesk did not open this tab.
 */
export async function openBackend(values: PageValues): Promise<Backend | null> {
  if (window.claimdesk !== undefined)
    return { bridge: window.claimdesk, reload: async () => window.location.reload() };

  const fetchFrom: typeof fetch = (input, init) => window.fetch(input, init);
  const { location, history, sessionStorage: storage } = window;
  const entry = await enterWindow({ location, history, storage, fetch: fetchFrom });
  if (entry === null) return null;
  const prove = (origin: string) => isProvenServer(origin, entry.token, fetchFrom);
  const reload = async () => {
    if (await prove(location.origin)) location.reload();
  };
  // This page's content security policy does not allow an engine at another address; after a reload it does.
  if (entry.engineUrl !== '' && entry.engineUrl !== values.engineUrl) await reload();
  const bridge = createLoopbackBridge({
    windowToken: entry.token,
    hostUrl: location.origin,
    engineUrl: values.engineUrl,
    fetch: fetchFrom,
    prove,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onEngineMoved: () => void reload(),
  });
  return { bridge, reload };
}
