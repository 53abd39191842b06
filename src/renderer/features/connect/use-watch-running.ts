import { useEffect } from 'react';
import { useAsk } from '../../lib/desk-query.ts';

const everyMs = 30_000;

/**
 * Makes the engine look for validations that were started elsewhere, as long as this is on the screen: at the
 * connection on the screen first, if there is one. Results arrive by `connect:changed`; a failure is not shown, since
 * the request is repeated. `changeKey`: requests at once when it changes.
 */
export function useWatchRunning(isOn: boolean, onScreenId: number | null, changeKey = ''): void {
  const ask = useAsk();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the key is a reason to ask
  useEffect(() => {
    if (!isOn) return;
    const watch = (): void => {
      if (document.visibilityState === 'hidden') return;
      ask('connect:watchRunning', { onScreenId }).catch(() => undefined);
    };
    watch();
    const timer = setInterval(watch, everyMs);
    return () => clearInterval(timer);
  }, [ask, isOn, onScreenId, changeKey]);
}
