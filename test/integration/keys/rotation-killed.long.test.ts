import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSampleService } from '../../../src/main/lib/sample-service.ts';
import { runInSecretService } from '../../support/secret-service.ts';
import type { KillOutcome } from './rotation-kills.ts';

const program = fileURLToPath(new URL('rotation-kills.ts', import.meta.url));
let cacheDir = '';
const services: Awaited<ReturnType<typeof startSampleService>>[] = [];
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'claimdesk-compiled-'));
  for (let count = 0; count < 2; count += 1)
    services.push(await startSampleService({ members: 5, claims: 5 }));
});
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await rm(cacheDir, { recursive: true, force: true });
});

test('killed at every act and resumed, it always has a working key and leaves none behind', async () => {
  const known = services.map(({ baseUrl, email }) => ({ baseUrl, email }));
  const command = [process.execPath, program, JSON.stringify(known)];
  // Code is compiled once, and each of the processes reads it from the cache.
  const environment = { NODE_COMPILE_CACHE: cacheDir };
  const { exitCode, stdout, stderr } = await runInSecretService(command, { environment, timeoutMs: 280_000 });
  expect(exitCode, stderr).toBe(0);
  const outcomes = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as KillOutcome);
  expect(outcomes.length).toBeGreaterThanOrEqual(17);

  for (const { killPoint, killedBy, between, run, end } of outcomes) {
    expect(killedBy, killPoint).toBe('SIGKILL');
    // The workspace's key is there and the service accepts it, before the rotation continues and at the end.
    expect(between.keyIds, killPoint).toContain(between.workspaceKeyId);
    expect(run, killPoint).toEqual({ before: 'accepted', after: 'accepted' });
    expect(end.keyIds, killPoint).toEqual([end.workspaceKeyId]);
    expect(end.workspaceKeyId, killPoint).not.toBe(between.oldKeyId);
    // The keychain has the one entry that opens the profile, however often it was killed.
    expect(end.accounts, killPoint).toEqual([expect.stringMatching(/^profile-key\/[0-9a-f]{16}$/)]);
    expect(end.rotations, killPoint).toEqual([]);
    expect(end.tempFiles, killPoint).toEqual([]);
  }
});
