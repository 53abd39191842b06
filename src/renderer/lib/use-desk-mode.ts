import { useDeskMutation } from './desk-query.ts';
import { useSettings } from './use-settings.ts';

/** Whether desk mode is on, and switching it. */
export function useDeskMode() {
  const { isDeskMode: isOn } = useSettings();
  const change = useDeskMutation('settings:set');
  return {
    isOn,
    isChanging: change.isPending,
    error: change.error,
    toggle: () => change.mutate({ isDeskMode: !isOn }),
  };
}
