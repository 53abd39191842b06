import {
  localStorageColorSchemeManager,
  type MantineColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useEffect } from 'react';
import type { Settings } from '../../contract/settings.ts';
import { useDeskQuery } from '../lib/desk-query.ts';

/** The same key that `color-scheme.js` reads before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'claimdesk-theme' });

export function toMantineScheme(theme: Settings['theme']): MantineColorScheme {
  return theme === 'system' ? 'auto' : theme;
}

/** Applies the theme of the settings, wherever they are changed. */
export function ThemeFollower() {
  const theme = useDeskQuery('settings:get', {}).data?.theme;
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    if (theme === undefined) return;
    setColorScheme(toMantineScheme(theme));
    // Set by the early script for the first frame; from here on the theme's own colors apply.
    document.documentElement.style.removeProperty('background-color');
    document.documentElement.style.removeProperty('color-scheme');
  }, [theme, setColorScheme]);
  return null;
}
