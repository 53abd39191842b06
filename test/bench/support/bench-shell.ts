import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProcedureName } from '../../../src/contract/procedures.ts';
import { callAs, enterAt, loadPageAt } from '../../support/browser-shell.ts';
import { openStream } from '../../support/loopback-client.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Starts the browser shell as built; `url` opens its first window, and is refused where the shell ends before it
 * tells one. With `probePath`, its processes write there how late their event loops are.
 */
export function startBenchShell(options: { profileDir: string; probePath?: string }): {
  child: ChildProcess;
  url: Promise<string>;
} {
  const { profileDir, probePath } = options;
  const probe = probePath === undefined ? [] : ['--import', join(root, 'test/support/loop-probe.mjs')];
  const child = spawn(
    process.execPath,
    [...probe, join(root, 'out/main/browser.js'), '--profile', profileDir, '--no-open'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...(probePath === undefined ? {} : { CLAIMDESK_LOOP_PROBE: probePath }) },
    },
  );
  const url = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const found = /http:\/\/\S+/.exec(text);
      if (found !== null) resolve(found[0]);
    });
    child.once('exit', () => reject(new Error(`the shell ended before it told its address: ${text}`)));
  });
  return { child, url };
}

export async function endBenchShell(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

/** Does what a window does at the shell's address, without one: it calls main and engine, and hears the engine's events. */
export async function openWindow(address: string) {
  const { origin } = new URL(address);
  const page = await loadPageAt(origin, await enterAt(address));
  const headers = { origin, 'x-claimdesk-window': page.token };
  // Without a stream of events, the token expires after a minute.
  await openStream(origin, headers);
  const events = await openStream(page.engineUrl, headers);
  const call = async <T>(to: 'main' | 'engine', name: ProcedureName, input: unknown): Promise<T> => {
    const result = await callAs({ shell: { origin } }, page, to, name, input);
    if (!result.ok) throw new Error(`${name}: ${result.error.code}`);
    return result.value as T;
  };
  return { call, events };
}
