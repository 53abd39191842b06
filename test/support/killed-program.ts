import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';

/**
 * Runs a program that prints "begun" before it changes anything and "done" at the end, and kills it `killAfterMs` after
 * "begun"; null does not kill it. Returns whether it was done, and how long it ran.
 */
export async function runUntilKilled(
  args: readonly string[],
  killAfterMs: number | null,
): Promise<{ isDone: boolean; ms: number }> {
  const child = spawn(process.execPath, [...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let said = '';
  child.stdout.on('data', (text) => {
    said += String(text);
  });
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  expect(said).toContain('begun');
  const begunMs = performance.now();
  if (killAfterMs !== null) {
    await Promise.race([wait(killAfterMs), closed]);
    child.kill('SIGKILL');
  }
  await closed;
  return { isDone: said.includes('done'), ms: performance.now() - begunMs };
}
