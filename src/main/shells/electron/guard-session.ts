import type { Session } from 'electron';
import { isAppOrigin } from './app-address.ts';

/**
 * Denies what a page could ask of the system: permissions (both the request and the silent check),
 * devices, downloads, and the spelling dictionaries that Chromium would fetch from a server.
 */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isHarmless(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isHarmless(permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.setSpellCheckerEnabled(false);
}

/** Copying a row, which the page does after a key press of the person, is all that it may. */
function isHarmless(permission: string): boolean {
  return permission === 'clipboard-sanitized-write';
}

/** Cancels every request of a window that is not for the app's own files, whatever made it. */
export function guardRequests(session: Session, options: { isReleased: boolean }): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwnRequest(url, options) }));
}

/** Pure. A `data:` address reaches nothing. Developer tools load themselves. */
function isOwnRequest(address: string, { isReleased }: { isReleased: boolean }): boolean {
  return (
    isAppOrigin(address) || address.startsWith('data:') || (!isReleased && address.startsWith('devtools:'))
  );
}
