import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { SyncStatus } from '../../src/contract/sync.ts';
import { callAs, type OpenPage, type ShellUnderTest, startShellUnderTest } from './browser-shell.ts';

/** The value of a procedure that has to succeed. */
export async function valueAs<T>(...call: Parameters<typeof callAs>): Promise<T> {
  const result = await callAs(...call);
  expect(result).toMatchObject({ ok: true });
  return (result.ok ? result.value : {}) as T;
}

/** Syncs a workspace to the end. */
export async function syncAs(under: ShellUnderTest, page: OpenPage, workspaceId: string): Promise<void> {
  await valueAs(under, page, 'engine', 'sync:start', { workspaceId });
  for (;;) {
    const { running } = await valueAs<SyncStatus>(under, page, 'engine', 'sync:getStatus', { workspaceId });
    if (running === null) return;
    await sleep(50);
  }
}

/** The same shell, closed after the test. */
export async function givenShell(
  options: Parameters<typeof startShellUnderTest>[0] = {},
): Promise<ShellUnderTest> {
  const under = await startShellUnderTest(options);
  onTestFinished(() => under.close());
  return under;
}
