import type { DeskBridge } from '../../contract/bridge.ts';

const clearAfterMs = 60_000;
let pending: { timer: number; unsubscribe: () => void } | null = null;

/**
 * Puts records on the clipboard. In Electron, main removes them later. In a browser only the page can, and
 * only while it has the focus: after a minute, and at a lock; the window shows a note.
 */
export async function putOnClipboard(
  bridge: Pick<DeskBridge, 'shell' | 'subscribe'>,
  text: string,
): Promise<void> {
  await navigator.clipboard.writeText(text);
  if (bridge.shell !== 'browser') return;
  forget();
  const timer = window.setTimeout(() => void clear(), clearAfterMs);
  const unsubscribe = bridge.subscribe('lock:changed', ({ isLocked }) => {
    if (isLocked) void clear();
  });
  pending = { timer, unsubscribe };
}

function forget(): void {
  if (pending === null) return;
  window.clearTimeout(pending.timer);
  pending.unsubscribe();
  pending = null;
}

/** Clears the clipboard. Without the focus a browser refuses, and another program may have replaced its content. */
async function clear(): Promise<void> {
  forget();
  if (document.hasFocus()) await navigator.clipboard.writeText('').catch(() => undefined);
}
