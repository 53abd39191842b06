import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { putOnClipboard } from '../../../../src/renderer/lib/put-on-clipboard.ts';

/** A browser's clipboard, which takes nothing from a page without the focus. */
const board = { text: '', hasFocus: true };
let lock: (payload: { isLocked: boolean }) => void = () => undefined;
const bridgeOf = (shell: 'browser' | 'electron') => ({
  shell,
  subscribe: ((_name: string, listener: typeof lock) => {
    lock = listener;
    return () => {
      lock = () => undefined;
    };
  }) as never,
});

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(board, { text: '', hasFocus: true });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { hasFocus: () => board.hasFocus });
  vi.stubGlobal('navigator', {
    clipboard: {
      async writeText(text: string) {
        if (!board.hasFocus) throw new Error('Document is not focused.');
        board.text = text;
      },
    },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('in a browser it is removed after a minute if the page has the focus', async () => {
  await putOnClipboard(bridgeOf('browser'), 'rows');
  await vi.advanceTimersByTimeAsync(30_000);
  await putOnClipboard(bridgeOf('browser'), 'more rows');
  await vi.advanceTimersByTimeAsync(59_999);
  expect(board.text).toBe('more rows');
  await vi.advanceTimersByTimeAsync(1);
  expect(board.text).toBe('');
});

test('and at the lock', async () => {
  await putOnClipboard(bridgeOf('browser'), 'rows');
  lock({ isLocked: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(board.text).toBe('');
});

test('without the focus it stays, and nothing is thrown', async () => {
  await putOnClipboard(bridgeOf('browser'), 'rows');
  board.hasFocus = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(board.text).toBe('rows');
});

test('in Electron main does it', async () => {
  await putOnClipboard(bridgeOf('electron'), 'rows');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(board.text).toBe('rows');
});
