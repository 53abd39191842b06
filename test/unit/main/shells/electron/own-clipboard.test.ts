import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { app, clipboard } from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { digestForClipboard } from '../../../../../src/main/lib/clipboard-digest.ts';
import { clearInChild, runClearClipboard } from '../../../../../src/main/shells/electron/clear-clipboard.ts';
import { createOwnClipboard } from '../../../../../src/main/shells/electron/own-clipboard.ts';
import type { FakeApp, FakeClipboard } from '../../../../support/fake-electron/fake-app.ts';
import { givenTempProfile } from '../../../../support/temp-profile.ts';

vi.mock('electron', () => import('../../../../support/fake-electron/electron-module.ts'));
const board = clipboard as unknown as FakeClipboard;
const electron = app as unknown as FakeApp;
const folder = givenTempProfile();
const rows = 'Ana García\t***-**-6789\r\n';

describe('what was copied goes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const open = () => {
    const compared: string[] = [];
    return { own: createOwnClipboard(async (digest) => void compared.push(digest)), compared };
  };

  test('after a minute: text of main here, rows of a page elsewhere', async () => {
    const { own, compared } = open();
    await own.write('ssh-ed25519 AAAA');
    await vi.advanceTimersByTimeAsync(59_999);
    expect(board.text).toBe('ssh-ed25519 AAAA');
    await vi.advanceTimersByTimeAsync(1);
    expect([board.text, compared]).toEqual(['', []]);
    board.text = rows;
    own.expectFromPage(digestForClipboard(rows));
    const read = vi.spyOn(board, 'readText');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(compared).toEqual([digestForClipboard(rows)]);
    // The rows did not come here.
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });

  test('at lock and at quit, once; the last copy counts', async () => {
    const { own, compared } = open();
    own.expectFromPage('first');
    own.expectFromPage('second');
    await own.clear();
    await own.clear();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(compared).toEqual(['second']);
  });

  test('what another program copied stays', async () => {
    const { own } = open();
    await own.write('ssh-ed25519 AAAA');
    board.text = 'shopping list';
    await own.clear();
    expect(board.text).toBe('shopping list');
  });
});

describe('the child that compares', () => {
  const run = async (digest: string): Promise<void> =>
    runClearClipboard(Readable.from([Buffer.from(digest)]));

  test('empties a clipboard that contains the text, whatever its line ends, and ends', async () => {
    board.text = rows.replaceAll('\r\n', '\n');
    await run(digestForClipboard(rows));
    expect(board.text).toBe('');
    expect(electron.exitCode).toBe(0);
  });

  test.each(['', 'another digest'])('leaves it alone for %j', async (digest) => {
    board.text = rows;
    await run(digest);
    expect(board.text).toBe(rows);
  });

  test('gets the digest on stdin and nothing in its arguments', async () => {
    const { execPath } = process;
    const program = join(folder(), 'program');
    await writeFile(program, '#!/bin/sh\n{ echo "$@"; cat; } > "$(dirname "$0")/seen"\n');
    await chmod(program, 0o755);
    try {
      process.execPath = program;
      await clearInChild('the digest');
      expect(await readFile(join(folder(), 'seen'), 'utf8')).toBe('--clear-clipboard\nthe digest');
      process.execPath = join(folder(), 'none');
      await clearInChild('the digest');
    } finally {
      process.execPath = execPath;
    }
  });
});
