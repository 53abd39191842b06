import { EventEmitter } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CancellationToken } from 'electron-updater';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  canUpdateSigned,
  type Updater,
  watchUpdates,
} from '../../../../../src/main/shells/electron/watch-updates.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

const folder = givenTempProfile();
const hours = 3_600_000;

describe('a build updates itself', () => {
  const named = 'provider: generic\npublisherName:\n  - Example Inc.\n';
  const givenResources = async (updates: string): Promise<string> => {
    const resources = join(folder(), 'resources');
    await mkdir(resources);
    await writeFile(join(resources, 'app-update.yml'), updates);
    await writeFile(join(folder(), 'Uninstall Claimdesk.exe'), '');
    return resources;
  };
  const answersIn = (resources: string): boolean[] =>
    (['darwin', 'win32', 'linux'] as const).map((one) => canUpdateSigned(resources, one));

  test('only where a signature is verified', async () => {
    expect(answersIn(folder())).toEqual([false, false, false]);
    const resources = await givenResources('provider: generic\nurl: https://updates.example\n');
    expect(answersIn(resources)).toEqual([true, false, false]);
    await writeFile(join(resources, 'app-update.yml'), `${named}url: http://updates.example\n`);
    expect(answersIn(resources)).toEqual([false, false, false]);
    await writeFile(join(resources, 'app-update.yml'), `${named}url: https://updates.example\n`);
    expect(answersIn(resources)).toEqual([true, true, false]);
  });

  test('not if IT installed it for every account', async () => {
    const resources = await givenResources(`${named}url: https://updates.example\n`);
    await rm(join(folder(), 'Uninstall Claimdesk.exe'));
    expect(canUpdateSigned(resources, 'win32')).toBe(false);
    expect(canUpdateSigned(resources, 'darwin', () => false)).toBe(false);
  });
});

/** The used part of electron-updater; a test decides how its download ends. */
class FakeUpdater extends EventEmitter {
  autoDownload = false;
  autoInstallOnAppQuit = false;
  autoRunAppAfterInstall = true;
  allowDowngrade = true;
  disableWebInstaller = false;
  logger: unknown = console;
  /** The result of the next look: null, or a download. */
  found: { downloadPromise: Promise<string[]>; cancellationToken: CancellationToken } | null = null;
  /** `autoInstallOnAppQuit` at the last look; if true on macOS, the system gets the file once it is here. */
  installsWhenFetched = false;
  checkForUpdates = vi.fn(async () => {
    this.installsWhenFetched = this.autoInstallOnAppQuit;
    return this.found;
  });
  quitAndInstall = vi.fn();

  findVersion() {
    const download = Promise.withResolvers<string[]>();
    const cancellationToken = new CancellationToken();
    cancellationToken.on('cancel', () => download.reject(new Error('cancelled')));
    this.found = { downloadPromise: download.promise, cancellationToken };
    return { ...download, cancellationToken };
  }
}

function givenUpdates(platform: NodeJS.Platform = 'win32') {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const updater = new FakeUpdater();
  const setting = { may: true };
  const load = vi.fn(async () => updater as unknown as Updater);
  const onFailed = vi.fn();
  const system = new EventEmitter();
  const mayUpdate = async () => setting.may;
  const updates = watchUpdates({ platform, address: undefined, mayUpdate, load, system, onFailed });
  return { updater, setting, load, onFailed, system, updates };
}

test('a newer version is downloaded during work and installed at quit, never before', async () => {
  const { updater, load, onFailed, updates } = givenUpdates();
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
  updater.findVersion().resolve([]);
  await vi.advanceTimersByTimeAsync(6 * hours);
  await updates.end();
  await vi.advanceTimersByTimeAsync(24 * hours);
  expect(updater.checkForUpdates).toHaveBeenCalledTimes(3);
  expect(updater.quitAndInstall).not.toHaveBeenCalled();
});

test('a download that fails, or has a wrong signature, is reported, and the next check tries again', async () => {
  const { updater, onFailed } = givenUpdates();
  const download = updater.findVersion();
  await vi.advanceTimersByTimeAsync(60_000);
  const failure = Object.assign(new Error('not signed'), { code: 'ERR_UPDATER_INVALID_SIGNATURE' });
  download.reject(failure);
  await vi.advanceTimersByTimeAsync(0);
  expect(onFailed.mock.calls).toEqual([[failure]]);
  updater.findVersion().resolve([]);
  await vi.advanceTimersByTimeAsync(6 * hours);
  expect(updater.checkForUpdates).toHaveBeenCalledTimes(2);
  expect(onFailed).toHaveBeenCalledOnce();
});

test('switched off, nothing is looked for, and what was fetched is not installed', async () => {
  const { updater, setting, load, updates } = givenUpdates();
  setting.may = false;
  await vi.advanceTimersByTimeAsync(7 * hours);
  expect(load).not.toHaveBeenCalled();
  setting.may = true;
  await vi.advanceTimersByTimeAsync(6 * hours);
  expect(updater.autoInstallOnAppQuit).toBe(true);
  setting.may = false;
  await updates.applySetting();
  expect(updater.autoInstallOnAppQuit).toBe(false);
});

test('when switched off, a download in progress is canceled, which is not a failure', async () => {
  const { updater, setting, onFailed, updates } = givenUpdates();
  const { cancellationToken } = updater.findVersion();
  await vi.advanceTimersByTimeAsync(7 * hours);
  expect(updater.checkForUpdates).toHaveBeenCalledOnce();
  setting.may = false;
  await updates.applySetting();
  await vi.advanceTimersByTimeAsync(0);
  expect(cancellationToken.cancelled).toBe(true);
  expect(onFailed).not.toHaveBeenCalled();
});

test('if it is switched off while the address is requested, the download ends as it begins', async () => {
  const { updater, setting, onFailed } = givenUpdates();
  const { cancellationToken } = updater.findVersion();
  updater.checkForUpdates.mockImplementationOnce(async () => {
    setting.may = false;
    return updater.found;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(cancellationToken.cancelled).toBe(true);
  expect(onFailed).not.toHaveBeenCalled();
});

describe('on macOS', () => {
  async function givenFetched() {
    const given = givenUpdates('darwin');
    given.updater.findVersion().resolve([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(given.updater).toMatchObject({ installsWhenFetched: false, autoInstallOnAppQuit: false });
    return given;
  }

  test('the system gets the download at quit, which waits for it', async () => {
    const { updater, system, updates, onFailed } = await givenFetched();
    await updates.applySetting();
    expect(updater.autoInstallOnAppQuit).toBe(false);
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
    updater.quitAndInstall.mockImplementation(
      () => void setImmediate(() => system.emit('update-downloaded')),
    );
    const ended = updates.end();
    await vi.advanceTimersByTimeAsync(0);
    await ended;
    expect(updater.quitAndInstall).toHaveBeenCalledOnce();
    expect(updater.autoRunAppAfterInstall).toBe(false);
    expect(onFailed).not.toHaveBeenCalled();
  });

  test('if it is switched off after that, the system gets nothing', async () => {
    const { updater, setting, updates } = await givenFetched();
    setting.may = false;
    await updates.end();
    expect(updater.quitAndInstall).not.toHaveBeenCalled();
  });

  test('a system that refuses it or never answers does not keep the app from quitting', async () => {
    const { updater, updates, onFailed } = await givenFetched();
    updater.quitAndInstall.mockImplementationOnce(() => void updater.emit('error', new Error('not signed')));
    await updates.end();
    expect(onFailed).toHaveBeenCalledOnce();
    const ended = updates.end();
    await vi.advanceTimersByTimeAsync(20_000);
    await ended;
    expect(onFailed).toHaveBeenCalledOnce();
  });
});
