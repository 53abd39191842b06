import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
