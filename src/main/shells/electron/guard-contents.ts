import type { App, WebContents } from 'electron';
import { isAppPage } from './app-address.ts';

/**
 * Prevents navigation in every page of the app: no other address in any frame, by link, script or redirect, no new
 * window, no webview. The page may reload itself, which it does to clear its memory.
 */
export function guardAllContents(app: App): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

function guardContents(contents: WebContents): void {
  contents.on('will-navigate', (details) => {
    if (!isAppPage(details.url)) details.preventDefault();
  });
  contents.on('will-frame-navigate', (details) => {
    if (!details.isMainFrame || !isAppPage(details.url)) details.preventDefault();
  });
  contents.on('will-redirect', (details) => details.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // A script could otherwise learn the computer's addresses by WebRTC and reach other computers, bypassing
  // every request filter.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
