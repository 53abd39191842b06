import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AppInfo } from '../../../../../src/contract/app-info.ts';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import type { Policy } from '../../../../../src/contract/policy.ts';
import { defaultSettings, type Settings } from '../../../../../src/contract/settings.ts';
import { AboutSettings } from '../../../../../src/renderer/features/settings/about-settings.tsx';
import { AuditSettings } from '../../../../../src/renderer/features/settings/audit-settings.tsx';
import { PolicySettings } from '../../../../../src/renderer/features/settings/policy-settings.tsx';
import { PrivacySettings } from '../../../../../src/renderer/features/settings/privacy-settings.tsx';
import { AppActionsProvider } from '../../../../../src/renderer/lib/app-actions.tsx';
import { BridgeProvider } from '../../../../../src/renderer/lib/desk-context.tsx';
import { createDeskCache } from '../../../../../src/renderer/lib/desk-query.ts';
import { keyOf } from '../../../../../src/renderer/lib/query-keys.ts';

const nothing = () => undefined;
const actions = { requestExport: nothing, lockNow: nothing, showShortcuts: nothing, openPalette: nothing };

// Links need one.
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });

/** A part of the settings as the window draws it, once everything is answered. */
function draw(
  part: ReactNode,
  given: { policy?: Policy; info?: Partial<AppInfo>; settings?: Partial<Settings> },
) {
  const info: AppInfo = {
    version: '1.2.3',
    shell: 'electron',
    canUpdate: true,
    platform: 'darwin',
    secrets: { kind: 'keychain', state: 'ready' },
    isReadOnly: false,
    isLocked: false,
    policy: given.policy ?? {},
    notices: [],
    ...given.info,
  };
  const cache = createDeskCache();
  cache.setQueryData(keyOf('app:getInfo', {}), info);
  cache.setQueryData(keyOf('settings:get', {}), { ...defaultSettings, ...given.settings });
  const unlock = { hasPassphrase: true, hasRecoveryCode: true, isPassphraseShort: false };
  cache.setQueryData(keyOf('unlock:getState', {}), unlock);
  const html = renderToStaticMarkup(
    <MantineProvider>
      <QueryClientProvider client={cache}>
        <BridgeProvider bridge={{} as DeskBridge}>
          <AppActionsProvider actions={actions}>
            <RouterContextProvider router={router}>{part}</RouterContextProvider>
          </AppActionsProvider>
        </BridgeProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return html.replaceAll(/<style[\s\S]*?<\/style>/g, '');
}
const isSwitchDisabled = (html: string): boolean =>
  (html.match(/<input[^>]*>/g) ?? []).some(
    (one) => one.includes('"checkbox"') && one.includes(' disabled=""'),
  );

test('what an organization prescribes is listed, and nothing where it prescribes nothing', () => {
  const html = draw(<PolicySettings />, { policy: { maxLockMinutes: 5, requireUnlockPassphrase: true } });
  expect(html).toContain('Set by your organization');
  expect(html).toContain('Locks after 5 minutes without activity, or sooner.');
  expect(html.match(/<li/g)).toHaveLength(2);
  expect(draw(<PolicySettings />, {})).not.toContain('organization');
});

test('the limits that it sets are at the settings, and a passphrase that it requires is not offered to be removed', () => {
  const ruled = draw(<PrivacySettings />, { policy: { maxLockMinutes: 5, requireUnlockPassphrase: true } });
  expect(ruled).toContain('1 to 5 (set by your organization).');
  expect(ruled).toContain('Change passphrase');
  expect(ruled).not.toContain('Remove passphrase');
  const free = draw(<PrivacySettings />, {});
  expect(free).toContain('1 to 60.');
  expect(free).toContain('Remove passphrase');
});

test('of the years of the audit log only the least is the organization’s, and fewer than six are warned about', () => {
  const ruled = draw(<AuditSettings />, { policy: { minAuditYears: 7 }, settings: { auditYears: 7 } });
  expect(ruled).toContain('At least 7 years (set by your organization).');
  expect(ruled).not.toMatch(/\b50\b/);
  expect(ruled).not.toContain('HIPAA');
  expect(draw(<AuditSettings />, { settings: { auditYears: 5 } })).toContain('HIPAA asks for six years.');
  expect(draw(<AuditSettings />, { settings: { auditYears: 6 } })).not.toContain('HIPAA asks for six years.');
});

test('updates are offered where this copy can fetch them, and not switched where the organization forbids them', () => {
  const free = draw(<AboutSettings />, {});
  expect(free).toContain('Install updates');
  expect(isSwitchDisabled(free)).toBe(false);
  const ruled = draw(<AboutSettings />, { policy: { allowUpdates: false } });
  expect(ruled).toContain('Off, set by your organization.');
  expect(isSwitchDisabled(ruled)).toBe(true);
  const fixed = draw(<AboutSettings />, { info: { canUpdate: false } });
  expect(fixed).toContain('This copy doesn’t update itself. Your administrator installs new versions.');
  expect(fixed).not.toContain('Install updates');
  const inBrowser = draw(<AboutSettings />, { info: { canUpdate: false, shell: 'browser' } });
  expect(inBrowser).not.toContain('update');
});
