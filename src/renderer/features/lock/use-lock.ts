import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useBridge } from '../../lib/desk-context.tsx';

const noteEveryMs = 15_000;

/** Locks on request, tells that someone is there, and empties the window when the desk is locked. */
export function useLock(onLocked: () => void): () => void {
  const bridge = useBridge();
  const cache = useQueryClient();

  useEffect(
    () =>
      bridge.subscribe('lock:changed', ({ isLocked }) => {
        if (!isLocked) return;
        cache.clear();
        onLocked();
      }),
    [bridge, cache, onLocked],
  );

  useEffect(() => {
    let lastNoted = 0;
    const note = () => {
      const now = Date.now();
      if (now - lastNoted < noteEveryMs) return;
      lastNoted = now;
      void bridge.call['lock:noteActivity']({});
    };
    const kinds = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
    for (const kind of kinds) window.addEventListener(kind, note, { passive: true });
    note();
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, note);
    };
  }, [bridge]);

  return useCallback(() => void bridge.call['lock:lock']({}), [bridge]);
}
