import './lib/configure-zod.ts';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { loadFirstAhead } from './app/late-pages.tsx';
import styles from './app/start.module.css';
import { startDesk } from './app/start.tsx';
import { openBackend } from './lib/enter-window.ts';
import { loadPartsAhead } from './lib/late-part.tsx';
import { readPageValues } from './lib/page-values.ts';

/** When all other pages are loaded: the first one is shown by then. */
const afterFirstPageMs = 2_000;

/** Shown in a tab of the browser shell that Claimdesk did not open: how to open one. */
function showNoEntry(container: HTMLElement): void {
  createRoot(container).render(
    <main className={styles.failed}>
      <h1 className={styles.title}>This tab can’t open Claimdesk</h1>
      <p>
        Addresses of Claimdesk work once, for one minute. Go back to the tab that is already open, or press
        Enter in the terminal where you started Claimdesk to get a new address. If Claimdesk is no longer
        running, start it again.
      </p>
    </main>,
  );
}

const values = readPageValues(document);
if (values.nonce !== '') setNonce(values.nonce);
const container = document.getElementById('root');
if (container !== null) {
  // While the window waits to be let in.
  if (values.hasWorkspace) loadFirstAhead();
  const backend = await openBackend(values);
  if (backend === null) showNoEntry(container);
  else {
    void startDesk(container, backend, values.nonce);
    setTimeout(() => void loadPartsAhead(), afterFirstPageMs);
  }
}
