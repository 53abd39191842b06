import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { makeOpenSshKey } from '../support/key-fixtures.ts';
import { expect, test } from './app.ts';
import { chooseIn, goByName, pasteInto, pressOn, tabTo, typeInto } from './keyboard.ts';
import { comeBack, expectSettings, exploreSample, ownWorkspace } from './steps.ts';

test.use(ownWorkspace);

type Service = Awaited<ReturnType<typeof startSampleService>>;
let service: Service;
test.beforeEach(async () => {
  service = await startSampleService({ members: 20, claims: 60, seed: 7 });
});
test.afterEach(() => service.close());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const readPublicKey = async (page: Page): Promise<string> =>
  (
    (await page
      .getByText(/^ssh-[a-z0-9-]+ [A-Za-z0-9+/=]+/)
      .first()
      .textContent()) ?? ''
  ).trim();

/** A workspace whose key is made, registered and proven, all by keyboard; its public key. */
async function connect(page: Page): Promise<string> {
  await pressOn(page, page.getByRole('link', { name: 'Connect to your service' }));
  await typeInto(page, page.getByRole('textbox', { name: 'Service URL' }), service.baseUrl);
  await typeInto(page, page.getByRole('textbox', { name: 'Account email' }), service.email);
  await typeInto(page, page.getByRole('textbox', { name: 'Workspace name' }), 'Front desk');
  await page.keyboard.press('Enter');
  await pressOn(page, button(page, 'Make key'));
  await expect(page.getByRole('region', { name: 'Registration' })).toBeVisible();
  const publicKey = await readPublicKey(page);
  await service.register('Front desk', publicKey);
  // "Verify key" is not pressed: coming back is enough.
  await comeBack(page);
  await expect(page.getByRole('region', { name: 'First sync' })).toBeVisible();
  return publicKey;
}

async function openKeyOf(page: Page, name: string): Promise<void> {
  await goByName(page, 'Settings: Keys');
  await pressOn(page, page.getByRole('link', { name, exact: true }));
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

async function openWorkspace(page: Page): Promise<void> {
  await goByName(page, 'Settings: Workspaces');
  await pressOn(page, page.getByRole('main').getByRole('link', { name: 'Front desk', exact: true }).first());
  await expect(page.getByRole('heading', { level: 1, name: 'Front desk' })).toBeVisible();
}

const examine = async (page: Page): Promise<void> => {
  await pressOn(page, button(page, /^Run check/));
  await expect(page.getByRole('list', { name: 'Checks' })).toBeVisible();
};

test('by keyboard alone: a key is imported by paste, backed up, saved, described, renamed and retired', {
  tag: '@long',
}, async ({ app, page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-e2e-keys-'));
  try {
    await connect(page);
    const path = makeOpenSshKey(folder, 'id_ed25519', { type: 'ed25519', passphrase: 'of the file' });
    await goByName(page, 'Settings: Keys');
    await test.step('what is no private key is told apart, with a remedy', async () => {
      await pressOn(page, button(page, 'Import key…'));
      const field = page.getByRole('textbox', { name: 'Or paste the private key' });
      await pasteInto(app, field, await readFile(`${path}.pub`, 'utf8'));
      await pressOn(page, button(page, /^Import key$/));
      await expect(page.getByRole('alert').filter({ hasText: 'key.publicGiven' }).first()).toBeVisible();
      await expect(page.getByText('Choose the file with the same name without .pub.')).toBeVisible();
    });
    await test.step('so is a file that is dropped and is no key', async () => {
      const dropped = await page.evaluateHandle(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['shopping list'], 'notes.txt'));
        return transfer;
      });
      await page.getByRole('region', { name: 'Key file' }).dispatchEvent('drop', { dataTransfer: dropped });
      await expect(page.getByText('The file notes.txt is ready to be imported.')).toBeVisible();
      await pressOn(page, button(page, /^Import key$/));
      await expect(page.getByRole('alert').filter({ hasText: 'key.notAKey' }).first()).toBeVisible();
    });
    await test.step('its passphrase is asked for, a wrong one is said so, the clipboard is emptied', async () => {
      const field = page.getByRole('textbox', { name: 'Or paste the private key' });
      await pasteInto(app, field, await readFile(path, 'utf8'));
      await typeInto(page, page.getByRole('textbox', { name: 'Key name' }), 'From my old computer');
      await pressOn(page, button(page, /^Import key$/));
      const wanted = page.getByRole('textbox', { name: 'Key file passphrase' });
      await expect(wanted).toBeFocused();
      await page.keyboard.type('not of the file');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert').filter({ hasText: 'key.wrongPassphrase' }).first()).toBeVisible();
      await typeInto(page, wanted, 'of the file');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'From my old computer' })).toBeVisible();
      const { stdout } = spawnSync('ssh-keygen', ['-lf', path], { encoding: 'utf8' });
      await expect(page.getByText(stdout.split(' ')[1] ?? 'none').first()).toBeVisible();
    });
    await test.step('backed up under a passphrase that is typed twice; ssh-keygen reads the file', async () => {
      await pressOn(page, button(page, 'Back up…'));
      await typeInto(page, page.getByRole('textbox', { name: 'Backup passphrase' }), 'open sesame door');
      await typeInto(page, page.getByRole('textbox', { name: 'Confirm passphrase' }), 'open sesame doo');
      await expect(page.getByText('The passphrases don’t match.')).toBeVisible();
      await expect(button(page, /^Save file…?$/)).toBeDisabled();
      await page.keyboard.type('r');
      await page.keyboard.press('Enter');
      await expect(page.getByText('Backup saved and verified')).toBeVisible();
      const [name = ''] = (await readdir(app.downloadsDir)).filter((file) => file.includes('backup'));
      const file = join(app.downloadsDir, name);
      const read = spawnSync('ssh-keygen', ['-y', '-P', 'open sesame door', '-f', file], {
        encoding: 'utf8',
      });
      const [type, body] = (await readFile(`${path}.pub`, 'utf8')).split(' ');
      expect(read.stdout).toContain(`${type} ${body}`);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    await test.step('the public half is saved as a file', async () => {
      await pressOn(page, button(page, /^Save public key…?$/));
      await expect(page.getByRole('status').filter({ hasText: 'From-my-old-computer.pub' })).toBeVisible();
    });
    await test.step('renamed, then retired: nothing uses it, so no name is asked for', async () => {
      await pressOn(page, button(page, 'Rename…'));
      const name = page.getByRole('textbox', { name: 'Name' });
      await tabTo(page, name);
      // The pasted private key is no longer on the clipboard.
      await page.keyboard.press('ControlOrMeta+v');
      await expect(name).not.toHaveValue(/PRIVATE KEY/);
      await typeInto(page, name, 'Spare');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Spare' })).toBeVisible();
      await pressOn(page, button(page, 'Retire key…'));
      await pressOn(page, button(page, /^Retire key$/));
      await expect(page.getByRole('link', { name: 'Front desk', exact: true }).first()).toBeVisible();
      await expectSettings(page, 'Keys');
      await expect(page.getByRole('link', { name: 'Spare' })).toHaveCount(0);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('by keyboard alone: the key of a workspace is rotated, over a reload, and the old one is proven refused', {
  tag: '@long',
}, async ({ page }) => {
  const oldKey = await connect(page);
  await openWorkspace(page);
  await pressOn(page, page.getByRole('link', { name: 'Rotate key' }));
  await pressOn(page, button(page, 'Start rotation'));
  await expect(page.getByRole('region', { name: 'Register new key' })).toBeVisible();
  const newKey = await readPublicKey(page);
  expect(newKey).not.toBe(oldKey);

  await pressOn(page, button(page, 'I’ve registered it'));
  await expect(page.getByText('The service doesn’t accept the new key yet')).toBeVisible();
  await service.register('New', newKey);
  await pressOn(page, button(page, 'I’ve registered it'));
  const others = page.getByRole('region', { name: 'Check that nothing else uses the old key' });
  await expect(others).toBeVisible();

  await page.reload();
  await expect(others).toBeVisible();
  await pressOn(page, button(page, 'Nothing else uses the old key'));
  await pressOn(page, button(page, 'I’ve deleted it'));
  await expect(page.getByText('The service still accepts the old key')).toBeVisible();
  await service.deleteKey(oldKey);
  await pressOn(page, button(page, 'I’ve deleted it'));
  await expect(page.getByRole('region', { name: 'Key rotated' })).toBeVisible();

  await goByName(page, 'Settings: Keys');
  const keys = page.getByRole('list', { name: 'SSH keys' }).getByRole('listitem');
  await expect(keys).toHaveCount(1);
  await expect(keys.first()).toContainText('Used byFront desk');
});

test('by keyboard alone: the doctor says what is wrong; the last key and the workspace go when they are named', {
  tag: '@long',
}, async ({ page }) => {
  const publicKey = await connect(page);
  await test.step('all in order', async () => {
    await goByName(page, 'Settings: Doctor');
    await examine(page);
    await expect(page.getByText('Connected', { exact: true })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Checks' }).getByRole('listitem')).toHaveCount(13);
  });
  await test.step('an unregistered key: the cause is hidden, so what to check comes first', async () => {
    await service.deleteKey(publicKey);
    await examine(page);
    const checks = page.getByRole('list', { name: 'What to check, most likely first' });
    await expect(checks.getByRole('listitem').first()).toContainText('SHA256:');
    await expect(page.getByText('acceptance.refused')).toBeVisible();
  });
  await test.step('a service that is gone', async () => {
    await service.stop();
    await examine(page);
    await expect(page.getByText('The server at this address refused the connection').first()).toBeVisible();
    await service.start();
  });
  await test.step('the header of the token is changed, and one that may not be is refused', async () => {
    await openWorkspace(page);
    const header = page.getByRole('textbox', { name: 'Header' });
    await typeInto(page, header, 'Cookie');
    await expect(button(page, 'Save header and scheme')).toBeDisabled();
    await typeInto(page, header, 'X-Desk-Token');
    await page.keyboard.press('Enter');
    // Greyed while it is being saved, too; a reload must not come before the end of that.
    await expect(button(page, 'Save header and scheme')).toBeDisabled();
    await expect(button(page, 'Save header and scheme')).not.toHaveAttribute('data-loading');
    await page.reload();
    await expect(header).toHaveValue('X-Desk-Token');
  });
  await test.step('the last working key goes by its name', async () => {
    await openKeyOf(page, 'Front desk');
    await pressOn(page, button(page, 'Retire key…'));
    await expect(button(page, /^Retire key$/)).toBeDisabled();
    await typeInto(page, page.getByRole('textbox', { name: 'Key name' }), 'Front desk');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No keys yet.')).toBeVisible();
    await goByName(page, 'Settings: Doctor');
    await examine(page);
    await expect(page.getByText('key.none')).toBeVisible();
  });
  await test.step('the workspace is renamed, recolored and removed', async () => {
    await openWorkspace(page);
    await typeInto(page, page.getByRole('textbox', { name: 'Name', exact: true }), 'Back office');
    await tabTo(page, page.getByRole('radio', { checked: true }));
    await page.keyboard.press('ArrowRight');
    await pressOn(page, button(page, 'Save name and color'));
    await expect(page.getByRole('heading', { level: 1, name: 'Back office' })).toBeVisible();
    await pressOn(page, button(page, 'Remove workspace…'));
    await pressOn(page, button(page, /^Remove workspace$/));
    await expect(page.getByText('No workspaces yet.')).toBeVisible();
  });
});

test('by keyboard alone: a key file is chosen, a dropped folder is refused, and a workspace goes with its last key', {
  tag: '@long',
}, async ({ app, page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-e2e-keys-'));
  try {
    await connect(page);
    await goByName(page, 'Settings: Keys');
    await pressOn(page, button(page, 'Import key…'));
    await test.step('a folder is dropped', async () => {
      await dropFile(page, page.getByRole('region', { name: 'Key file' }), folder);
      await expect(page.getByRole('alert').filter({ hasText: 'key.fileUnreadable' }).first()).toBeVisible();
      await expect(page.getByText(/is ready to be imported/)).toHaveCount(0);
    });
    await test.step('a file is chosen', async () => {
      // Electron's main process opens the system's dialog, which no test can answer.
      if (app.isElectron) return;
      const path = makeOpenSshKey(folder, 'id_chosen', { type: 'ed25519' });
      const chooser = page.waitForEvent('filechooser');
      await pressOn(page, button(page, 'Choose a file…'));
      await (await chooser).setFiles(path);
      await expect(page.getByText('The file id_chosen is ready to be imported.')).toBeVisible();
      await typeInto(page, page.getByRole('textbox', { name: 'Key name' }), 'Chosen');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Chosen' })).toBeVisible();
      const { stdout } = spawnSync('ssh-keygen', ['-lf', path], { encoding: 'utf8' });
      await expect(page.getByText(stdout.split(' ')[1] ?? 'none').first()).toBeVisible();
      await pressOn(page, button(page, 'Retire key…'));
      await pressOn(page, button(page, /^Retire key$/));
      await expectSettings(page, 'Keys');
      await expect(page.getByRole('link', { name: 'Chosen' })).toHaveCount(0);
    });
    await test.step('the workspace is removed with its key, which is the last and goes by its name', async () => {
      await openWorkspace(page);
      await pressOn(page, button(page, 'Remove workspace…'));
      await pressOn(
        page,
        page.getByRole('checkbox', { name: /^Also delete its SSH key “Front desk”/ }),
        'Space',
      );
      await pressOn(page, button(page, /^Remove workspace$/));
      const name = page.getByRole('textbox', { name: 'Key name' });
      await typeInto(page, name, 'Front');
      await expect(button(page, /^Remove workspace$/)).toBeDisabled();
      await typeInto(page, name, 'Front desk');
      await page.keyboard.press('Enter');
      await expect(page.getByText('No workspaces yet.')).toBeVisible();
      await goByName(page, 'Settings: Keys');
      await expect(page.getByText('No keys yet.')).toBeVisible();
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Drops a file or a folder of the disk, as the system does it. */
async function dropFile(page: Page, target: Locator, path: string): Promise<void> {
  const box = await target.boundingBox();
  const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', {
      type,
      ...at,
      data: { items: [], files: [path], dragOperationsMask: 1 },
    });
  await session.detach();
}

test('in the sample: a second key of another type is made, registered by the app, proven, and rotation needs one answer', {
  tag: '@long',
}, async ({ page }) => {
  await exploreSample(page);
  await goByName(page, 'Settings: Workspaces');
  await pressOn(page, page.getByRole('main').getByRole('link', { name: 'Sample data', exact: true }).first());
  await pressOn(page, button(page, 'Make another key…'));
  await typeInto(page, page.getByRole('textbox', { name: 'Key name' }), 'Second');
  await page.getByText('Advanced', { exact: true }).press('Enter');
  await chooseIn(page, page.getByRole('combobox', { name: 'Key type' }), 'ECDSA P-384');
  await pressOn(page, button(page, 'Make key'));
  await expect(page.getByRole('heading', { level: 1, name: 'Second' })).toBeVisible();
  await expect(page.getByText('ECDSA P-384')).toBeVisible();

  await pressOn(page, button(page, 'Verify key'));
  await expect(page.getByText('The service didn’t accept the key')).toBeVisible();
  await pressOn(page, button(page, 'Register on sample page'));
  await expect(page.getByText('The key is registered on the sample page.')).toBeVisible();
  await pressOn(page, button(page, 'Verify key'));
  await expect(page.getByText('Key verified')).toBeVisible();

  await goByName(page, 'Settings: Workspaces');
  await pressOn(page, page.getByRole('main').getByRole('link', { name: 'Sample data', exact: true }).first());
  await pressOn(page, page.getByRole('link', { name: 'Rotate key' }));
  await pressOn(page, button(page, 'Start rotation'));
  await pressOn(page, button(page, 'Nothing else uses the old key'));
  await expect(page.getByRole('region', { name: 'Key rotated' })).toBeVisible();
});
