import type { Session } from 'electron';
import { isAppOrigin } from './app-address.ts';

/**
 * Denies all that a page could request from the system: permissions (both the request and the silent check), devices,
 * downloads, and the spelling dictionaries that Chromium would fetch from a server.
 */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isHarmless(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isHarmless(permission));
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.setSpellCheckerEnabled(false);
}

/** The only permission that is granted: copying a row, which needs a key press or click. */
const isHarmless = (permission: string): boolean => permission === 'clipboard-sanitized-write';

/** Cancels every request of a window that is not for the app's own files. */
export function guardRequests(session: Session, options: { isReleased: boolean }): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwnRequest(url, options) }));
}

/**
 * Pure: whether a request is for the app's own files. A `data:` address uses no network. Developer tools load their
 * own files.
 */
const isOwnRequest = (address: string, { isReleased }: { isReleased: boolean }): boolean =>
  isAppOrigin(address) || address.startsWith('data:') || (!isReleased && address.startsWith('devtools:'));
