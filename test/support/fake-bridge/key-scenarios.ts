import type { Page } from '@playwright/test';
import type { Scenario } from './scenarios.ts';

const plainKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----';
const lockedKey = plainKey.replace('OPENSSH', 'ENCRYPTED');

/** Puts the key into the import dialog as a paste does. */
async function pasteKey(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Import key…' }).click();
  await page.getByRole('textbox', { name: 'Or paste the private key' }).fill(text);
  await page.getByRole('button', { name: 'Import key', exact: true }).click();
}
const openKey = { scene: 'several', route: '/settings/keys/key-1' } as const;
const rotate = { scene: 'several', route: '/settings/workspaces/ohio/rotate' } as const;
const doctor = { scene: 'several', route: '/settings/doctor' } as const;
const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

async function beginRotation(page: Page): Promise<void> {
  await click(page, 'Start rotation');
  await page.getByRole('heading', { name: 'Register new key' }).waitFor();
}
async function examine(page: Page): Promise<void> {
  await click(page, 'Run check');
  await page.getByRole('list', { name: 'Checks' }).waitFor();
}

/** Keys, registration, rotation, workspaces and the doctor, in each of their states. */
export const keyScenarios: readonly Scenario[] = [
  {
    name: 'keys-several',
    scene: 'several',
    route: '/settings/keys',
    arrange: (page) => page.getByText('1 key can’t be read').waitFor(),
  },
  {
    name: 'keys-make',
    scene: 'several',
    route: '/settings/keys',
    arrange: async (page) => {
      await click(page, 'Make key…');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys-import',
    scene: 'several',
    route: '/settings/keys',
    arrange: async (page) => {
      await click(page, 'Import key…');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys-import-passphrase',
    scene: 'several',
    route: '/settings/keys',
    arrange: async (page) => {
      await pasteKey(page, lockedKey);
      await page.getByRole('textbox', { name: 'Key file passphrase' }).fill('wrong');
      await click(page, /^Import key$/);
      await page.getByText('key.wrongPassphrase').waitFor();
    },
  },
  {
    name: 'keys-import-twice',
    scene: 'several',
    route: '/settings/keys',
    arrange: async (page) => {
      await pasteKey(page, plainKey.replace('AAAA', 'TWICE'));
      await page.getByRole('link', { name: /^Show “/ }).waitFor();
    },
  },
  {
    name: 'key-page',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Show MD5 and randomart');
      await page.getByRole('figure').waitFor();
    },
  },
  {
    name: 'key-page-proven',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Copy key and open SSH keys page');
      await click(page, 'Verify key');
      await page.getByText('The service didn’t accept the key').waitFor();
      await click(page, 'Verify key');
      await page.getByText('Key verified').scrollIntoViewIfNeeded();
    },
  },
  { name: 'key-page-missing', scene: 'several', route: '/settings/keys/none' },
  {
    name: 'key-back-up',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Back up…');
      await page.getByRole('textbox', { name: 'Backup passphrase' }).fill('open sesame');
      await page.getByRole('textbox', { name: 'Confirm passphrase' }).fill('open sesam');
    },
  },
  {
    name: 'key-backed-up',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Back up…');
      await page.getByRole('textbox', { name: 'Backup passphrase' }).fill('open sesame');
      await page.getByRole('textbox', { name: 'Confirm passphrase' }).fill('open sesame');
      await click(page, 'Save as…');
      await page.getByText('Backup saved and verified').waitFor();
    },
  },
  {
    name: 'key-retire',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Retire key…');
      await page.getByRole('textbox', { name: 'Key name' }).waitFor();
    },
  },
  { name: 'rotation-before', ...rotate },
  { name: 'rotation-register', ...rotate, arrange: beginRotation },
  {
    name: 'rotation-others',
    ...rotate,
    arrange: async (page) => {
      await beginRotation(page);
      await click(page, 'I’ve registered it');
      await page.getByRole('heading', { name: 'Check that nothing else uses the old key' }).waitFor();
    },
  },
  {
    name: 'rotation-delete',
    ...rotate,
    arrange: async (page) => {
      await beginRotation(page);
      await click(page, 'I’ve registered it');
      await click(page, 'Nothing else uses the old key');
      await page.getByRole('heading', { name: 'Delete old key at the service' }).waitFor();
    },
  },
  {
    name: 'rotation-over',
    ...rotate,
    arrange: async (page) => {
      await beginRotation(page);
      await click(page, 'I’ve registered it');
      await click(page, 'Nothing else uses the old key');
      await click(page, 'I’ve deleted it');
      await page.getByRole('heading', { name: 'Key rotated' }).waitFor();
    },
  },
  {
    name: 'rotation-stopped',
    scene: 'stopped',
    route: '/settings/workspaces/ohio/rotate',
    arrange: (page) => page.getByText('Couldn’t continue the rotation').waitFor(),
  },
  { name: 'rotation-no-key', scene: 'several', route: '/settings/workspaces/texas/rotate' },
  { name: 'workspaces-several', scene: 'several', route: '/settings/workspaces' },
  { name: 'workspace-page', scene: 'several', route: '/settings/workspaces/ohio' },
  { name: 'workspace-page-sample', scene: 'several', route: '/settings/workspaces/sample' },
  {
    name: 'workspace-remove',
    scene: 'several',
    route: '/settings/workspaces/ohio',
    arrange: async (page) => {
      await click(page, 'Remove workspace…');
      await page.getByRole('checkbox').check();
    },
  },
  { name: 'doctor-before', ...doctor },
  { name: 'doctor-refused', ...doctor, arrange: examine },
  {
    name: 'doctor-no-key',
    scene: 'several',
    route: '/settings/doctor?workspaceId=texas',
    arrange: examine,
  },
  {
    name: 'doctor-works',
    scene: 'working',
    route: '/settings/doctor',
    arrange: examine,
  },
];
