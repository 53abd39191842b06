import { useEffect } from 'react';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';

const everyMs = 30_000;

/**
 * Makes the engine look for validations that were started elsewhere, as long as this is on the screen: at the
 * connection on the screen first, if there is one. Results arrive by `connect:changed`; a failure is not shown, since
 * the request is repeated. `changeKey`: requests at once when it changes.
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
