import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  canUpdateSigned,
  type Updater,
  watchUpdates,
} from '../../../../../src/main/shells/electron/watch-updates.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

const folder = givenTempProfile();
const hours = 3_600_000;

test('a build updates itself only where a signature is verified', async () => {
  expect(canUpdateSigned(folder(), 'darwin')).toBe(false);
  const file = join(folder(), 'app-update.yml');
  await writeFile(file, 'provider: generic\nurl: https://updates.example\n');
  expect(
    ['darwin', 'win32', 'linux'].map((one) => canUpdateSigned(folder(), one as NodeJS.Platform)),
  ).toEqual([true, false, false]);
  await writeFile(file, 'provider: generic\npublisherName:\n  - Example Inc.\n');
  expect(canUpdateSigned(folder(), 'win32')).toBe(true);
  expect(canUpdateSigned(folder(), 'linux')).toBe(false);
});

function givenUpdater() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const updater = {
    autoDownload: false,
    autoInstallOnAppQuit: false,
    allowDowngrade: true,
    disableWebInstaller: false,
    logger: console,
    checkForUpdates: vi.fn(async () => null),
  };
  const load = vi.fn(async () => updater as unknown as Updater);
  return { updater, load };
}

test('a newer version is fetched beside the work and installed at quit, never before', async () => {
  const { updater, load } = givenUpdater();
  const onFailed = vi.fn();
  const updates = watchUpdates({ mayUpdate: async () => true, load, onFailed });
  expect(load).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(updater).toMatchObject({
    autoDownload: true,
    autoInstallOnAppQuit: true,
    allowDowngrade: false,
    disableWebInstaller: true,
    logger: null,
  });
  updater.checkForUpdates.mockRejectedValueOnce(new Error('no network'));
  await vi.advanceTimersByTimeAsync(6 * hours);
  expect(onFailed).toHaveBeenCalledOnce();
  updates.stop();
  await vi.advanceTimersByTimeAsync(24 * hours);
  expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
});

test('switched off, nothing is looked for, and what was fetched is not installed', async () => {
  const { updater, load } = givenUpdater();
  let may = false;
  const updates = watchUpdates({ mayUpdate: async () => may, load, onFailed: vi.fn() });
  onTestFinished(updates.stop);
  await vi.advanceTimersByTimeAsync(7 * hours);
  expect(load).not.toHaveBeenCalled();
  may = true;
  await vi.advanceTimersByTimeAsync(6 * hours);
  expect(updater.autoInstallOnAppQuit).toBe(true);
  may = false;
  await updates.settle();
  expect(updater.autoInstallOnAppQuit).toBe(false);
});
