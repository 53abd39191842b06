import { useDeskMutation, useDeskQuery } from './desk-query.ts';

/** Whether desk mode is on, and switching it. */
export function useDeskMode() {
  const isOn = useDeskQuery('settings:get', {}).data?.isDeskMode ?? false;
  const change = useDeskMutation('settings:set');
  return {
    isOn,
    isChanging: change.isPending,
    error: change.error,
    toggle: () => change.mutate({ isDeskMode: !isOn }),
  };
}
