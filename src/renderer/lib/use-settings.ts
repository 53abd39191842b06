import { defaultSettings, type Settings } from '../../contract/workspace.ts';
import { useDeskQuery } from './desk-query.ts';

/** The settings of the profile; until they have come, what they are by default. */
export function useSettings(): Settings {
  return useDeskQuery('settings:get', {}).data ?? defaultSettings;
}
