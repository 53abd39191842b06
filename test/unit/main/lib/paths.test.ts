import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultProfileDir, profilePaths } from '../../../../src/main/lib/paths.ts';

describe('the default profile is the folder of the desktop app', () => {
  test.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.config/Claimdesk'],
    ['linux', { HOME: '/home/ada', XDG_CONFIG_HOME: '/cfg' }, '/cfg/Claimdesk'],
    ['linux', { HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' }, '/home/ada/.config/Claimdesk'],
    ['linux', { HOME: '/home/ada', XDG_CONFIG_HOME: '' }, '/home/ada/.config/Claimdesk'],
    ['linux', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/Claimdesk'],
    ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Application Support/Claimdesk'],
    ['win32', { LOCALAPPDATA: 'C:\\Users\\ada\\Here' }, 'C:\\Users\\ada\\Here\\Claimdesk'],
    [
      'win32',
      { USERPROFILE: 'C:\\Users\\ada', APPDATA: 'C:\\Users\\ada\\Roam' },
      'C:\\Users\\ada\\AppData\\Local\\Claimdesk',
    ],
  ] as const)('%s %o', (platform, environment, expected) => {
    expect(defaultProfileDir(environment, platform)).toBe(expected);
  });

  test.each(['linux', 'darwin', 'win32'] as const)('%s without a home is an error', (platform) => {
    expect(() => defaultProfileDir({}, platform)).toThrow(
      expect.objectContaining({ code: 'profile.noHome' }),
    );
  });
});

describe('ids become parts of paths only if they are safe there', () => {
  const paths = profilePaths('/profile', posix.join);

  test('safe ones', () => {
    expect(paths.workspaceDir('prod-1')).toBe('/profile/workspaces/prod-1');
    expect(paths.keyFile('ed25519-k7pmx4')).toBe('/profile/keys/ed25519-k7pmx4.json');
  });

  test.each(['..', '../x', 'a/b', 'a\\b', '', '-a', 'A', 'a.b', 'a\u0000', 'x'.repeat(41)])(
    'refuses %j',
    (id) => {
      expect(() => paths.workspaceDir(id)).toThrow();
      expect(() => paths.keyFile(id)).toThrow();
    },
  );
});
