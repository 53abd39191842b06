import { clipboard, dialog, powerMonitor } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseSavePath } from '../../../../../src/main/shells/electron/choose-file.ts';
import { createOwnClipboard } from '../../../../../src/main/shells/electron/own-clipboard.ts';
import { watchPower } from '../../../../../src/main/shells/electron/power-signals.ts';
import type {
  FakeClipboard,
  FakeDialog,
  FakePowerMonitor,
} from '../../../../support/fake-electron/fake-app.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));

const board = clipboard as unknown as FakeClipboard;
const power = powerMonitor as unknown as FakePowerMonitor;
const dialogs = dialog as unknown as FakeDialog;

beforeEach(() => {
  vi.useFakeTimers();
  board.text = '';
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the clipboard', () => {
  test('keeps what we copied for a minute', async () => {
    const own = createOwnClipboard(async () => undefined);
    expect(await own.write('ssh-ed25519 AAAA')).toBe(true);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(board.text).toBe('ssh-ed25519 AAAA');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(board.text).toBe('');
  });

  test('is cleared immediately on request, and then not again', async () => {
    const own = createOwnClipboard(async () => undefined);
    await own.write('one');
    await own.clear();
    expect(board.text).toBe('');
    board.text = 'one';
    await own.clear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(board.text).toBe('one');
  });

  test('keeps what another program copied in the meantime', async () => {
    const own = createOwnClipboard(async () => undefined);
    await own.write('one');
    board.text = 'of another program';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(board.text).toBe('of another program');
  });

  test('clears a text that another program copied only if it is that text', async () => {
    const own = createOwnClipboard(async () => undefined);
    board.text = '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n';
    await own.drop('of another key');
    await own.drop('');
    expect(board.text).toContain('OPENSSH');
    await own.drop('-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA');
    expect(board.text).toBe('');
  });

  test('a second copy has a minute of its own', async () => {
    const own = createOwnClipboard(async () => undefined);
    await own.write('one');
    await vi.advanceTimersByTimeAsync(40_000);
    await own.write('two');
    await vi.advanceTimersByTimeAsync(40_000);
    expect(board.text).toBe('two');
  });
});

describe('the system', () => {
  test.each(['suspend', 'lock-screen', 'shutdown', 'user-did-resign-active'])('%s means away', (name) => {
    const onAway = vi.fn();
    const stop = watchPower(onAway);
    power.emit(name);
    expect(onAway).toHaveBeenCalledOnce();
    stop();
    power.emit(name);
    expect(onAway).toHaveBeenCalledOnce();
  });

  test('a locked screen is detected if the system does not report it', async () => {
    const onAway = vi.fn();
    const stop = watchPower(onAway);
    power.idleState = 'idle';
    await vi.advanceTimersByTimeAsync(20_000);
    expect(onAway).not.toHaveBeenCalled();
    power.idleState = 'locked';
    await vi.advanceTimersByTimeAsync(5_000);
    expect(onAway).toHaveBeenCalledOnce();
    stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(onAway).toHaveBeenCalledOnce();
    power.idleState = 'active';
  });
});

describe('where to save', () => {
  test('is what the user chose, asked with the suggested name and type', async () => {
    dialogs.answer = { canceled: false, filePath: '/home/a/claims.csv' };
    expect(await chooseSavePath({} as Electron.BrowserWindow, 'claims.csv')).toBe('/home/a/claims.csv');
    expect(dialogs.asked.at(-1)).toEqual({
      defaultPath: 'claims.csv',
      filters: [{ name: 'CSV', extensions: ['csv'] }],
      properties: ['createDirectory', 'showOverwriteConfirmation', 'dontAddToRecent'],
    });
  });

  test('begins in the folder of the policy', async () => {
    dialogs.answer = { canceled: true, filePath: '' };
    await chooseSavePath(null, 'claims.csv', '/srv/claims');
    expect(dialogs.asked.at(-1)?.defaultPath).toBe('/srv/claims/claims.csv');
  });

  test('is nothing if the user canceled', async () => {
    dialogs.answer = { canceled: true, filePath: '' };
    expect(await chooseSavePath(null, 'claims')).toBeNull();
    expect(dialogs.asked.at(-1)?.filters).toEqual([]);
  });
});
