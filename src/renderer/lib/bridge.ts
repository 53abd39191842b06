import type { DeskBridge } from '../../contract/bridge.ts';
import { createLoopbackBridge } from './loopback-bridge.ts';
import type { PageMarks } from './page-marks.ts';
import { isProvenServer } from './server-proof.ts';
import { enterWindow } from './window-entry.ts';

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
export async function openBackend(marks: PageMarks): Promise<Backend | null> {
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
  if (entry.engineUrl !== '' && entry.engineUrl !== marks.engineUrl) await reload();
  const bridge = createLoopbackBridge({
    windowToken: entry.token,
    hostUrl: location.origin,
    engineUrl: marks.engineUrl,
    fetch: fetchFrom,
    prove,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    onEngineMoved: () => void reload(),
  });
  return { bridge, reload };
}
