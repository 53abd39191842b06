import { useEffect } from 'react';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';

const everyMs = 30_000;

/**
 * Has the engine look for validations that were begun elsewhere, as long as this is on the screen: at the connection
 * shown first, if there is one. What it finds is told by `connect:changed`; a failure is not shown, since it is asked
 * again. `changeKey`: asked at once when it changes.
 */
export function useWatchRunning(workspaceId: string | null, onScreenId: number | null, changeKey = ''): void {
  const bridge = useBridge();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the key is a reason to ask
  useEffect(() => {
    if (workspaceId === null) return;
    const watch = (): void => {
      if (document.visibilityState === 'hidden') return;
      ask(bridge, 'connect:watchRunning', { workspaceId, onScreenId }).catch(() => undefined);
    };
    watch();
    const timer = setInterval(watch, everyMs);
    return () => clearInterval(timer);
  }, [bridge, workspaceId, onScreenId, changeKey]);
}
