import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { DeskBridge } from '../../../../../src/contract/bridge.ts';
import { LockScreen } from '../../../../../src/renderer/features/lock/lock-screen.tsx';
import { describeUnlock } from '../../../../../src/renderer/features/settings/privacy-settings.tsx';
import { BridgeProvider } from '../../../../../src/renderer/lib/desk-context.tsx';

const draw = (opensBy: 'passphrase' | 'keychain' | 'sample' | 'nothing', hasRecoveryCode: boolean): string =>
  renderToStaticMarkup(
    <MantineProvider>
      <BridgeProvider bridge={{} as DeskBridge}>
        <LockScreen opensBy={opensBy} hasRecoveryCode={hasRecoveryCode} onUnlocked={() => undefined} />
      </BridgeProvider>
    </MantineProvider>,
  ).replace(/<style.*?<\/style>/gs, '');

it.each([
  ['passphrase', 'Enter your passphrase to unlock.', true],
  ['keychain', 'Your keychain unlocks this profile.', false],
  ['sample', 'Sample: no passphrase.', false],
  ['nothing', 'No passphrase.', false],
] as const)('a profile that is opened by %s says so', (opensBy, said, isAsked) => {
  const drawn = draw(opensBy, false);
  expect(drawn).toContain(said);
  expect(drawn.match(/keychain|passphrase to unlock/g) ?? []).toHaveLength(
    said.includes('o passphrase.') ? 0 : 1,
  );
  expect(drawn.includes('Unlock passphrase')).toBe(isAsked);
});

it('the recovery code is offered only if there is one, and something to unlock', () => {
  expect(draw('passphrase', true)).toContain('Use recovery code');
  expect(draw('keychain', true)).toContain('Use recovery code');
  expect(draw('passphrase', false)).not.toContain('recovery code');
  expect(draw('sample', true)).not.toContain('recovery code');
  expect(draw('nothing', true)).not.toContain('recovery code');
});

it('the settings mention the recovery code only if there is one', () => {
  expect(describeUnlock(true, true)).toContain('Without the passphrase and the recovery code');
  expect(describeUnlock(true, false)).toContain('There is no recovery code');
  expect(describeUnlock(false, true)).toContain('only the recovery code opens this profile');
  expect(describeUnlock(false, false)).not.toContain('recovery code');
});
