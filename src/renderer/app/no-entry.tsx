import { createRoot } from 'react-dom/client';
import styles from './start.module.css';

/** Shown in a tab of the browser shell that Claimdesk did not open: how to open one. */
export function showNoEntry(container: HTMLElement): void {
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
