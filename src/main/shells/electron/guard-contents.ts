import type { App, WebContents } from 'electron';
import { isAppPage } from './app-address.ts';

/**
 * Keeps every page of the app where it is: no other address in any frame, by link, script or redirect, no
 * new window, no webview. The page may reload itself, which is how it empties itself.
 */
export function guardAllContents(app: App): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

export function guardContents(contents: WebContents): void {
  contents.on('will-navigate', (details) => {
    if (!isAppPage(details.url)) details.preventDefault();
  });
  contents.on('will-frame-navigate', (details) => {
    if (!details.isMainFrame || !isAppPage(details.url)) details.preventDefault();
  });
  contents.on('will-redirect', (details) => details.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Else a script learns the addresses of this computer, and reaches others, past every request filter.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
