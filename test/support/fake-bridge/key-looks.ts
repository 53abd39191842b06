import type { Page } from '@playwright/test';
import type { Look } from './looks.ts';

const plainKey = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----';
const lockedKey = plainKey.replace('OPENSSH', 'ENCRYPTED');

/** Puts the key into the import dialog as a paste does. */
async function pasteKey(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Import a key…' }).click();
  await page.getByRole('textbox', { name: 'Or paste the private key' }).fill(text);
  await page.getByRole('button', { name: 'Import key', exact: true }).click();
}
const openKey = { scene: 'several', route: '/settings/keys/key-1' } as const;
const rotate = { scene: 'several', route: '/settings/workspaces/ohio/rotate' } as const;
const doctor = { scene: 'several', route: '/settings/doctor' } as const;
const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

async function beginRotation(page: Page): Promise<void> {
  await click(page, 'Begin the rotation');
  await page.getByRole('heading', { name: 'Register the new key' }).waitFor();
}
async function examine(page: Page): Promise<void> {
  await click(page, 'Examine the connection');
  await page.getByRole('list', { name: 'What was looked at' }).waitFor();
}

/** Keys, registration, rotation, workspaces and the doctor, in each of their states. */
export const keyLooks: readonly Look[] = [
  {
    name: 'keys-several',
    scene: 'several',
    route: '/settings/keys',
    arrange: (page) => page.getByText('A key cannot be read').waitFor(),
  },
  {
    name: 'keys-make',
    scene: 'several',
    route: '/settings/keys',
    arrange: async (page) => {
      await click(page, 'Make a key…');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys-import',
    scene: 'several',
    route: '/settings/keys',
    arrange: async (page) => {
      await click(page, 'Import a key…');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'keys-import-passphrase',
    scene: 'several',
    route: '/settings/keys',
    arrange: async (page) => {
      await pasteKey(page, lockedKey);
      await page.getByRole('textbox', { name: 'Passphrase of the key file' }).fill('wrong');
      await click(page, 'Import key');
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
      await click(page, 'Show MD5 and picture');
      await page.getByRole('figure').waitFor();
    },
  },
  {
    name: 'key-page-proven',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Copy key and open the page');
      await click(page, 'Check registration');
      await page.getByText('The key is not accepted yet').waitFor();
      await click(page, 'Check registration');
      await page.getByText('Proven: the service accepts this key').scrollIntoViewIfNeeded();
    },
  },
  { name: 'key-page-missing', scene: 'several', route: '/settings/keys/none' },
  {
    name: 'key-back-up',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Back up…');
      await page.getByRole('textbox', { name: 'Passphrase of the backup' }).fill('open sesame');
      await page.getByRole('textbox', { name: 'The same passphrase again' }).fill('open sesam');
    },
  },
  {
    name: 'key-backed-up',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Back up…');
      await page.getByRole('textbox', { name: 'Passphrase of the backup' }).fill('open sesame');
      await page.getByRole('textbox', { name: 'The same passphrase again' }).fill('open sesame');
      await click(page, 'Choose where to save…');
      await page.getByText('Backed up, and read back').waitFor();
    },
  },
  {
    name: 'key-retire',
    ...openKey,
    arrange: async (page) => {
      await click(page, 'Retire this key…');
      await page.getByRole('textbox', { name: 'Name of the key' }).waitFor();
    },
  },
  { name: 'rotation-before', ...rotate },
  { name: 'rotation-register', ...rotate, arrange: beginRotation },
  {
    name: 'rotation-others',
    ...rotate,
    arrange: async (page) => {
      await beginRotation(page);
      await click(page, 'I have registered it');
      await page.getByRole('heading', { name: 'See that nothing else uses the old key' }).waitFor();
    },
  },
  {
    name: 'rotation-delete',
    ...rotate,
    arrange: async (page) => {
      await beginRotation(page);
      await click(page, 'I have registered it');
      await click(page, 'Nothing uses the old key any more');
      await page.getByRole('heading', { name: 'Delete the old key at the service' }).waitFor();
    },
  },
  {
    name: 'rotation-over',
    ...rotate,
    arrange: async (page) => {
      await beginRotation(page);
      await click(page, 'I have registered it');
      await click(page, 'Nothing uses the old key any more');
      await click(page, 'I have deleted it');
      await page.getByRole('heading', { name: 'The key was rotated' }).waitFor();
    },
  },
  {
    name: 'rotation-stopped',
    scene: 'stopped',
    route: '/settings/workspaces/ohio/rotate',
    arrange: (page) => page.getByText('Claimdesk could not go on').waitFor(),
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
      await click(page, 'Remove this workspace…');
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
