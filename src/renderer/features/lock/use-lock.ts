import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useBridge } from '../../lib/desk-context.tsx';

const reportEveryMs = 15_000;

/** Locks on request, reports activity, and empties the window when the desk is locked. */
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
    let lastReported = 0;
    const report = () => {
      const now = Date.now();
      if (now - lastReported < reportEveryMs) return;
      lastReported = now;
      void bridge.call['lock:noteActivity']({});
    };
    const kinds = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;
    for (const kind of kinds) window.addEventListener(kind, report, { passive: true });
    report();
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, report);
    };
  }, [bridge]);

  return useCallback(() => void bridge.call['lock:lock']({}), [bridge]);
}
