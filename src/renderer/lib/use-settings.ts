import { defaultSettings, type Settings } from '../../contract/settings.ts';
import { useDeskQuery } from './desk-query.ts';

/** The settings of the profile; the defaults until they are loaded. */
export const useSettings = (): Settings => useDeskQuery('settings:get', {}).data ?? defaultSettings;
