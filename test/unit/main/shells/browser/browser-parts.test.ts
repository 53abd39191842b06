import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { isSecureAddress } from '../../../../../src/contract/service-address.ts';
import {
  chooseSavePath,
  parseXdgDownloads,
} from '../../../../../src/main/shells/browser/choose-save-path.ts';
import { findOpener, openInSystem } from '../../../../../src/main/shells/browser/open-in-system.ts';
import { createRedirectFiles, redirectPage } from '../../../../../src/main/shells/browser/redirect-file.ts';
import { createWindowPasses } from '../../../../../src/main/shells/browser/window-passes.ts';
import { createWindows } from '../../../../../src/main/shells/browser/windows.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

const folder = givenTempProfile();

describe('the pass of an address', () => {
  const open = () => {
    let nowMs = 1_000_000;
    const onUsed = vi.fn();
    const passes = createWindowPasses({ clock: { now: () => nowMs }, origin: 'http://localhost:1', onUsed });
    const makePass = (): string => new URL(passes.makeAddress()).hash.slice('#pass='.length);
    return { passes, makePass, onUsed, move: (ms: number) => (nowMs += ms) };
  };

  test('is valid once', () => {
    const { passes, makePass, onUsed } = open();
    for (const pass of ['', 'undefined', 'null']) expect(passes.redeem(pass)).toBe(false);
    const pass = makePass();
    expect(pass).toMatch(/^[\w-]{43}$/);
    expect(passes.redeem('')).toBe(false);
    expect(passes.redeem(`${pass}x`)).toBe(false);
    expect(onUsed).not.toHaveBeenCalled();
    expect(passes.redeem(pass)).toBe(true);
    expect(onUsed).toHaveBeenCalledOnce();
    expect(passes.redeem(pass)).toBe(false);
  });

  test.each([
    [60_000, true],
    [60_001, false],
    [-1, false],
  ])('after %i ms it is valid: %s', (ms, isGood) => {
    const { passes, makePass, move } = open();
    const pass = makePass();
    move(ms);
    expect(passes.redeem(pass)).toBe(isGood);
  });
});

describe('windows', () => {
  const stream = () => ({ send: vi.fn(), end: async () => undefined });
  const open = (options: Partial<Parameters<typeof createWindows>[0]> = {}) =>
    createWindows({ closedAfterMs: 1, onAllClosed: () => undefined, onRemoved: () => undefined, ...options });

  test('each has a token, valid for the engine that its page got', () => {
    const windows = open();
    expect(windows.isEmpty).toBe(true);
    const [a, b, c] = [windows.open(), windows.open(), windows.open()];
    expect(new Set([a, b, c]).size).toBe(3);
    expect(windows.tokens).toEqual([a, b, c]);
    expect(windows.tokensFor('http://localhost:1')).toEqual([]);
    for (const token of [a, b]) windows.setEngine(token, 'http://localhost:1');
    expect(windows.tokensFor('http://localhost:1')).toEqual([a, b]);
    expect(windows.tokensFor('http://localhost:2')).toEqual([]);
    expect(windows.has(c)).toBe(true);
    expect(windows.has('')).toBe(false);
    windows.close();
    expect(windows.has(a)).toBe(false);
  });

  test('a stream that closes after the shell ended starts no timer, which would keep the process alive', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const onAllClosed = vi.fn();
    const windows = open({ onAllClosed });
    const detach = windows.attach(windows.open(), stream());
    windows.close();
    detach();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1_000);
    expect(onAllClosed).not.toHaveBeenCalled();
  });

  test('a token whose page opens no stream of events expires; that of an active page does not', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const onRemoved = vi.fn();
    const windows = open({ onRemoved });
    const [silent, alive] = [windows.open(), windows.open()];
    windows.attach(alive, stream());
    vi.advanceTimersByTime(59_999);
    expect([windows.has(silent), windows.has(alive)]).toEqual([true, true]);
    expect(onRemoved).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect([windows.has(silent), windows.has(alive)]).toEqual([false, true]);
    expect(windows.tokens).toEqual([alive]);
    expect(onRemoved).toHaveBeenCalledOnce();
    windows.close();
  });

  test('beyond the limit, those that ended silently are forgotten first', () => {
    const windows = open();
    const alive = windows.open();
    windows.attach(alive, stream());
    const silent = windows.open();
    for (let count = 0; count < 63; count += 1) windows.open();
    expect(windows.has(alive)).toBe(true);
    expect(windows.has(silent)).toBe(false);
  });

  test('events go to every stream; the last one to close starts the countdown, a new one stops it', () => {
    vi.useFakeTimers();
    const onAllClosed = vi.fn();
    const windows = open({ closedAfterMs: 1000, onAllClosed });
    const token = windows.open();
    const [first, second] = [stream(), stream()];
    const closeFirst = windows.attach(token, first);
    const closeSecond = windows.attach(token, second);
    const event = { name: 'keys:changed', payload: {} } as const;
    windows.send(event);
    expect(first.send).toHaveBeenCalledExactlyOnceWith(event);
    expect(second.send).toHaveBeenCalledExactlyOnceWith(event);
    closeFirst();
    vi.advanceTimersByTime(5000);
    closeSecond();
    vi.advanceTimersByTime(900);
    const closeThird = windows.attach(token, stream());
    vi.advanceTimersByTime(5000);
    expect(onAllClosed).not.toHaveBeenCalled();
    closeThird();
    vi.advanceTimersByTime(1000);
    expect(onAllClosed).toHaveBeenCalledOnce();
    vi.useRealTimers();
  });
});

describe('addresses for the system’s browser', () => {
  const files = () => createRedirectFiles(join(folder(), 'redirects'), 60_000);
  test.each(['https://a.example/', 'http://127.0.0.1:1/', 'http://localhost/', 'http://[::1]:1/'])(
    '%s',
    (url) => {
      expect(isSecureAddress(new URL(url))).toBe(true);
    },
  );
  test.each([
    'http://a.example/',
    'file:///etc/passwd',
    'javascript:1',
    'mailto:a@b.example',
    'smb://a/b',
    'app://x/',
  ])('not %s', async (url) => {
    expect(isSecureAddress(new URL(url))).toBe(false);
    expect(await openInSystem(new URL(url), files(), { DISPLAY: ':0' }, 'linux')).toBe(false);
  });

  test('each system has its own program, Linux only with a desktop', () => {
    expect(findOpener('darwin', {})).toEqual(['open']);
    expect(findOpener('win32', {})).toEqual(['rundll32', 'url.dll,FileProtocolHandler']);
    expect(findOpener('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
    expect(findOpener('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
    expect(findOpener('linux', { DISPLAY: '' })).toBeNull();
  });

  const withOpener = async (script: string) => {
    const bin = join(folder(), 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'xdg-open'), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, 'xdg-open'), 0o755);
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
    const environment = { ...process.env, DISPLAY: ':0', CLAIMDESK_VAULT_PASSPHRASE: 'secret' };
    const isOpened = await openInSystem(
      new URL('https://a.example/;$(x)?k=v&l'),
      files(),
      environment,
      'linux',
    );
    vi.unstubAllEnvs();
    return isOpened;
  };

  test('the program gets a file that leads there, for this user alone, and nothing of ours', async () => {
    const out = join(folder(), 'out');
    const script = `{ echo "$*"; stat -c %a "$1"; stat -c %a "$(dirname "$1")"; cat "$1"; env; } > ${out}`;
    expect(await withOpener(script)).toBe(true);
    const [argument = '', fileMode, folderMode, ...rest] = (await readFile(out, 'utf8')).split('\n');
    expect(argument).toMatch(new RegExp(`^${folder()}/redirects/[0-9a-f-]{36}\\.html$`));
    expect([fileMode, folderMode]).toEqual(['600', '700']);
    const text = rest.join('\n');
    expect(text).toContain('content="0; url=&quot;https://a.example/;$(x)?k=v&amp;l&quot;"');
    expect(text).not.toContain('secret');
  });

  test('a program that finds no browser, or does not exist, opens nothing and leaves nothing', async () => {
    expect(await withOpener('exit 3')).toBe(false);
    const environment = { DISPLAY: ':0', PATH: folder() };
    expect(await openInSystem(new URL('https://a.example/'), files(), environment, 'linux')).toBe(false);
    expect(await readdir(join(folder(), 'redirects'))).toEqual([]);
  });

  test('a file is removed after its time, and all of them at the end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opened = createRedirectFiles(join(folder(), 'redirects'), 60_000);
    const [first, second] = [
      await opened.write(new URL('https://a.example/')),
      await opened.write(new URL('https://a.example/')),
    ];
    vi.advanceTimersByTime(59_999);
    expect(existsSync(first)).toBe(true);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await expect.poll(() => existsSync(first) || existsSync(second)).toBe(false);
    const third = await opened.write(new URL('https://a.example/'));
    await opened.clear();
    expect(existsSync(third)).toBe(false);
  });

  test('no address ends an attribute of the file', () => {
    const page = redirectPage(new URL(`https://a.example/?"'<>&#"'<script>`));
    expect(page.match(/https:[^>]*/g)).toHaveLength(2);
    expect(page).not.toMatch(/<script|\?"|'/);
  });
});

describe('where a file is saved', () => {
  const choose = chooseSavePath;
  const ownFolder = () => join(folder(), 'Claimdesk files');
  const givenHome = (): void => {
    vi.stubEnv('HOME', folder());
    onTestFinished(() => void vi.unstubAllEnvs());
  };
  const givenXdg = async (value: string): Promise<Record<string, string>> => {
    await mkdir(join(folder(), 'config'));
    await writeFile(join(folder(), 'config', 'user-dirs.dirs'), `# x\nXDG_DOWNLOAD_DIR="${value}"\n`);
    return { XDG_CONFIG_HOME: join(folder(), 'config') };
  };

  test('a free name; one that a broken link has is not free', async () => {
    const environment = { CLAIMDESK_DOWNLOADS: folder() };
    expect(await choose('claims.csv', environment)).toBe(join(folder(), 'claims.csv'));
    await writeFile(join(folder(), 'claims.csv'), '');
    await symlink(join(folder(), 'nowhere'), join(folder(), 'claims (2).csv'));
    expect(await choose('claims.csv', environment)).toBe(join(folder(), 'claims (3).csv'));
  });

  test('a free name in the folder of the policy comes before the download folder', async () => {
    await mkdir(join(folder(), 'claims'));
    await writeFile(join(folder(), 'claims', 'a.csv'), '');
    const environment = { CLAIMDESK_DOWNLOADS: folder() };
    expect(await choose('a.csv', environment, join(folder(), 'claims'))).toBe(
      join(folder(), 'claims', 'a (2).csv'),
    );
  });

  test('the download folder of XDG’s configuration comes before ~/Downloads', async () => {
    givenHome();
    await mkdir(join(folder(), 'Downloads'));
    await mkdir(join(folder(), 'Hämtningar'));
    const environment = await givenXdg('$HOME/Hämtningar');
    expect(await choose('a.csv', environment)).toBe(join(folder(), 'Hämtningar', 'a.csv'));
    await rm(join(folder(), 'Hämtningar'), { recursive: true });
    expect(await choose('a.csv', environment)).toBe(join(folder(), 'Downloads', 'a.csv'));
  });

  test('never the home folder or the profile: without a download folder it is a separate one, for this user alone', async () => {
    givenHome();
    const environment = await givenXdg('$HOME/');
    expect(await choose('a.csv', environment)).toBe(join(ownFolder(), 'a.csv'));
    expect((await stat(ownFolder())).mode & 0o777).toBe(0o700);
    await symlink(folder(), join(folder(), 'Downloads'));
    expect(await choose('a.csv', {})).toBe(join(ownFolder(), 'a.csv'));
  });

  test.each([
    ['XDG_DOWNLOAD_DIR="$HOME/Down loads"', '/h/Down loads'],
    ['  XDG_DOWNLOAD_DIR = "/data/$x"', '/data/$x'],
    ['XDG_DOWNLOAD_DIR="/a\\"b"', '/a"b'],
    ['XDG_DOWNLOAD_DIR="$HOME"', '/h'],
    ['XDG_DOWNLOAD_DIR="$HOMEPAGE/x"', undefined],
    ['XDG_DOWNLOAD_DIR="relative"', undefined],
    ['#XDG_DOWNLOAD_DIR="/data"', undefined],
    ['XDG_DOWNLOAD_DIR=/data', undefined],
    ['', undefined],
  ])('%j names %j', (text, path) => {
    expect(parseXdgDownloads(`XDG_MUSIC_DIR="/m"\n${text}\n`, '/h')).toBe(path);
  });
});
