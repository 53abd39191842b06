import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { guardAllContents } from '../../../../../src/main/shells/electron/guard-contents.ts';
import { guardRequests, guardSession } from '../../../../../src/main/shells/electron/guard-session.ts';
import { FakeSession } from '../../../../support/fake-electron/fake-session.ts';
import { FakeWebContents } from '../../../../support/fake-electron/fake-window.ts';

function guardedSession(): FakeSession {
  const session = new FakeSession('test');
  guardSession(session as unknown as Electron.Session);
  return session;
}

function guardedContents(): FakeWebContents {
  const app = new EventEmitter();
  guardAllContents(app as unknown as Electron.App);
  const contents = new FakeWebContents();
  app.emit('web-contents-created', {}, contents);
  return contents;
}

const permissions = [
  'media',
  'geolocation',
  'notifications',
  'midi',
  'openExternal',
  'clipboard-read',
  'hid',
] as const;

test('permissions are denied on request and on check', () => {
  const session = guardedSession();
  for (const permission of permissions) {
    const answer = vi.fn();
    session.requestHandler?.(
      {} as Electron.WebContents,
      permission,
      answer,
      {} as Electron.PermissionRequest,
    );
    expect(answer, permission).toHaveBeenCalledExactlyOnceWith(false);
    const checked = session.checkHandler?.(null, permission, 'app://claimdesk', {
      isMainFrame: true,
      requestingUrl: '',
    } as Electron.PermissionCheckHandlerHandlerDetails);
    expect(checked, permission).toBe(false);
  }
});

test('copying is the only permission of the page', () => {
  const session = guardedSession();
  const answer = vi.fn();
  session.requestHandler?.(
    {} as Electron.WebContents,
    'clipboard-sanitized-write',
    answer,
    {} as Electron.PermissionRequest,
  );
  expect(answer).toHaveBeenCalledExactlyOnceWith(true);
});

test('devices, downloads and fetched dictionaries are denied', () => {
  const session = guardedSession();
  expect(session.deviceHandler?.({} as Electron.DevicePermissionHandlerHandlerDetails)).toBe(false);
  const preventDefault = vi.fn();
  session.emit('will-download', { preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
  expect(session.isSpellChecked).toBe(false);
});

const isCancelled = (url: string, isReleased: boolean): boolean | undefined => {
  const session = new FakeSession('test');
  guardRequests(session as unknown as Electron.Session, { isReleased });
  const answer = vi.fn();
  session.beforeRequest?.({ url } as Electron.OnBeforeRequestListenerDetails, answer);
  return answer.mock.calls[0]?.[0].cancel;
};

test.each([
  'https://example.com/pixel.png',
  'http://localhost:1/',
  'ws://127.0.0.1:1/',
  'file:///etc/passwd',
  'app://claimdesk.evil/',
  'app://user@claimdesk/',
  'blob:https://example.com/1',
])('a request of the page for %s is cancelled', (url) => {
  expect(isCancelled(url, true)).toBe(true);
  expect(isCancelled(url, false)).toBe(true);
});

test('the app’s own files are loaded, and developer tools if the build has them', () => {
  for (const url of ['app://claimdesk/', 'app://claimdesk/assets/a.js', 'data:image/svg+xml,x'])
    expect(isCancelled(url, true), url).toBe(false);
  expect(isCancelled('devtools://devtools/bundled/inspector.html', true)).toBe(true);
  expect(isCancelled('devtools://devtools/bundled/inspector.html', false)).toBe(false);
});

test('WebRTC reveals and reaches nothing past the proxy', () => {
  expect(guardedContents().webRtcPolicy).toBe('disable_non_proxied_udp');
});

const wasPrevented = (name: string, details: object): boolean => {
  const preventDefault = vi.fn();
  guardedContents().emit(name, { ...details, preventDefault });
  return preventDefault.mock.calls.length > 0;
};

test.each(['https://example.com/', 'app://claimdesk/other', 'file:///etc/passwd', 'about:blank'])(
  'nothing can navigate to %s',
  (url) => {
    expect(wasPrevented('will-navigate', { url })).toBe(true);
    expect(wasPrevented('will-frame-navigate', { url, isMainFrame: true })).toBe(true);
    expect(wasPrevented('will-redirect', { url })).toBe(true);
  },
);

test('the page may reload itself, only in the main frame and without a redirect', () => {
  const url = 'app://claimdesk/#/claims';
  expect(wasPrevented('will-navigate', { url })).toBe(false);
  expect(wasPrevented('will-frame-navigate', { url, isMainFrame: true })).toBe(false);
  expect(wasPrevented('will-frame-navigate', { url, isMainFrame: false })).toBe(true);
  expect(wasPrevented('will-redirect', { url })).toBe(true);
});

test('no new window and no webview', () => {
  const open = guardedContents().openHandler;
  expect(open?.({ url: 'app://claimdesk/' } as Electron.HandlerDetails)).toEqual({ action: 'deny' });
  expect(wasPrevented('will-attach-webview', {})).toBe(true);
});
