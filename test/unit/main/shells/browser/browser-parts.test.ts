import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isSecureAddress } from '../../../../../src/contract/service-address.ts';
import { chooseSavePath } from '../../../../../src/main/shells/browser/choose-save-path.ts';
import { findOpener, openInSystem } from '../../../../../src/main/shells/browser/open-in-system.ts';
import { createSessionPass } from '../../../../../src/main/shells/browser/session-pass.ts';
import { createWindows } from '../../../../../src/main/shells/browser/windows.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

const folder = givenTempProfile();

describe('the pass of a session', () => {
  test('is given once, for the token of the address', () => {
    const pass = createSessionPass();
    const token = new URL(pass.addressOf('http://localhost:1')).searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(pass.redeem('')).toBe(false);
    expect(pass.redeem(`${token}x`)).toBe(false);
    expect(pass.redeem(token)).toBe(true);
    expect(pass.redeem(token)).toBe(false);
    expect(pass.redeem('')).toBe(false);
    expect(new URL(pass.addressOf('http://localhost:1')).searchParams.get('token')).toBe('');
  });

  test('is a cookie among others, good for its port only', () => {
    const pass = createSessionPass();
    const [cookie = ''] = pass.cookie(81).split(';');
    expect(pass.isHeldBy(`other=1; ${cookie}; more=2`, 81)).toBe(true);
    expect(pass.isHeldBy(cookie, 82)).toBe(false);
    expect(pass.isHeldBy(cookie.replace('claimdesk-81', 'claimdesk-82'), 81)).toBe(false);
    for (const header of [undefined, '', 'claimdesk-81', 'claimdesk-81=', `${cookie}x`, cookie.slice(0, -1)])
      expect(pass.isHeldBy(header, 81), header).toBe(false);
  });
});

describe('windows', () => {
  const stream = () => ({ send: vi.fn(), end: async () => undefined });

  test('each has a token, good for the engine that its page was told of', () => {
    const windows = createWindows({ closedAfterMs: 1, onAllClosed: () => undefined });
    const [a, b, c] = [
      windows.open('http://localhost:1'),
      windows.open('http://localhost:1'),
      windows.open(''),
    ];
    expect(new Set([a, b, c]).size).toBe(3);
    expect(windows.tokensFor('http://localhost:1')).toEqual([a, b]);
    expect(windows.tokensFor('http://localhost:2')).toEqual([]);
    expect(windows.has(c)).toBe(true);
    expect(windows.has('')).toBe(false);
    windows.close();
    expect(windows.has(a)).toBe(false);
  });

  test('of too many, those that went without a word are forgotten first', () => {
    const windows = createWindows({ closedAfterMs: 1, onAllClosed: () => undefined });
    const alive = windows.open('');
    windows.attach(alive, stream());
    const silent = windows.open('');
    for (let count = 0; count < 63; count += 1) windows.open('');
    expect(windows.has(alive)).toBe(true);
    expect(windows.has(silent)).toBe(false);
  });

  test('events go to every stream; the last one to close starts the countdown, a new one stops it', () => {
    vi.useFakeTimers();
    const onAllClosed = vi.fn();
    const windows = createWindows({ closedAfterMs: 1000, onAllClosed });
    const token = windows.open('');
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
    expect(await openInSystem(new URL(url), { DISPLAY: ':0' }, 'linux')).toBe(false);
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
    const isOpened = await openInSystem(new URL('https://a.example/;$(x)'), environment, 'linux');
    vi.unstubAllEnvs();
    return isOpened;
  };

  test('the program gets the address as it is, and nothing of ours', async () => {
    const out = join(folder(), 'out');
    expect(await withOpener(`printf '%s' "$1" > ${out}; env >> ${out}`)).toBe(true);
    const text = await readFile(out, 'utf8');
    expect(text).toMatch(/^https:\/\/a\.example\/;\$\(x\)/);
    expect(text).not.toContain('secret');
  });

  test('a program that finds no browser, or is not there, opens nothing', async () => {
    expect(await withOpener('exit 3')).toBe(false);
    expect(
      await openInSystem(new URL('https://a.example/'), { DISPLAY: ':0', PATH: folder() }, 'linux'),
    ).toBe(false);
  });
});

describe('where an export goes', () => {
  test('is a name that is free', async () => {
    const environment = { CLAIMDESK_DOWNLOADS: folder() };
    expect(await chooseSavePath('claims.csv', environment)).toBe(join(folder(), 'claims.csv'));
    await writeFile(join(folder(), 'claims.csv'), '');
    await writeFile(join(folder(), 'claims (2).csv'), '');
    expect(await chooseSavePath('claims.csv', environment)).toBe(join(folder(), 'claims (3).csv'));
  });

  test('is the Downloads folder, or else the home folder', async () => {
    vi.stubEnv('HOME', folder());
    expect(await chooseSavePath('a.csv', { CLAIMDESK_DOWNLOADS: '' })).toBe(join(folder(), 'a.csv'));
    await mkdir(join(folder(), 'Downloads'));
    expect(await chooseSavePath('a.csv', {})).toBe(join(folder(), 'Downloads', 'a.csv'));
    vi.unstubAllEnvs();
  });
});
