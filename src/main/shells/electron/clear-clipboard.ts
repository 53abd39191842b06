import { spawn } from 'node:child_process';
import { app, clipboard } from 'electron';
import { childEnvironment } from '../../lib/child-environment.ts';
import { digestForClipboard } from '../../lib/clipboard-digest.ts';

/** The argument that starts the app as a child process that examines the clipboard. */
export const clearArgument = '--clear-clipboard';
/** After this time the child is killed. */
const limitMs = 10_000;

/**
 * Empties the clipboard if it holds the text of this digest. A child process reads it, so that rows that a page copied
 * never get into main's memory. Never rejects.
 */
export function clearInChild(digest: string): Promise<void> {
  const entry = app.isPackaged ? [] : process.argv.slice(1, 2);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...entry, clearArgument], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: childEnvironment(process.env),
      timeout: limitMs,
    });
    child.once('error', () => resolve());
    child.once('close', () => resolve());
    child.stdin.on('error', () => undefined);
    child.stdin.end(digest);
  });
}

/** Runs in the child: reads a digest from stdin and empties the clipboard if it holds that text. */
export async function runClearClipboard(stdin: AsyncIterable<Uint8Array> = process.stdin): Promise<void> {
  app.disableHardwareAcceleration();
  await app.whenReady();
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  const digest = Buffer.concat(chunks).toString('utf8');
  if (digest !== '' && digestForClipboard(await clipboard.readText()) === digest) clipboard.clear();
  app.exit(0);
}
