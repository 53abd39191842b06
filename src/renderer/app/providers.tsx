import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import '@mantine/spotlight/styles.layer.css';
import './global.css';
import './forced-colors.css';
import {
  localStorageColorSchemeManager,
  type MantineColorScheme,
  MantineProvider,
  useMantineColorScheme,
} from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useLayoutEffect } from 'react';
import type { DeskBridge } from '../../contract/bridge.ts';
import type { Settings } from '../../contract/settings.ts';
import { type ListMemory, ListMemoryProvider } from '../domain/list/list-memory.tsx';
import { BridgeProvider } from '../lib/desk-context.tsx';
import { useDeskQuery } from '../lib/desk-query.ts';
import { watchPresses } from '../lib/presses.ts';
import { cssVariablesResolver, theme } from './theme.ts';

export interface Foundation {
  readonly bridge: DeskBridge;
  readonly cache: QueryClient;
  readonly lists: ListMemory;
  readonly nonce: string;
  readonly theme: Settings['theme'];
}

/** All providers that screens need. */
export function Providers({ foundation, children }: { foundation: Foundation; children: ReactNode }) {
  // Before the window's other listeners, which are added by later effects.
  useLayoutEffect(() => watchPresses(window), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme={toMantineScheme(foundation.theme)}
      getStyleNonce={() => foundation.nonce}
    >
      <BridgeProvider bridge={foundation.bridge}>
        <QueryClientProvider client={foundation.cache}>
          <ListMemoryProvider memory={foundation.lists}>
            <ThemeFollower />
            {children}
          </ListMemoryProvider>
        </QueryClientProvider>
      </BridgeProvider>
    </MantineProvider>
  );
}

/** The same key that `color-scheme.js` reads before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'claimdesk-theme' });

const toMantineScheme = (theme: Settings['theme']): MantineColorScheme =>
  theme === 'system' ? 'auto' : theme;

/** Applies the theme of the settings, wherever they are changed. */
function ThemeFollower() {
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
