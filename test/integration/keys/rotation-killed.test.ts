import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runProgram } from '../../support/secret-service.ts';

const program = fileURLToPath(new URL('rotation-steps.ts', import.meta.url));

async function withProfile<T>(use: (profileDir: string) => Promise<T>): Promise<T> {
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-rotation-'));
  try {
    return await use(profileDir);
  } finally {
    await rm(profileDir, { recursive: true, force: true });
  }
}

const run = (profileDir: string, ...args: string[]) =>
  runProgram([process.execPath, program, profileDir, ...args]);

function lookAt(profileDir: string) {
  const read = (name: string) => JSON.parse(readFileSync(join(profileDir, name), 'utf8'));
  return {
    keyIds: readdirSync(join(profileDir, 'keys'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length)),
    registered: read('service.json') as string[],
    workspaceKeyId: read('workspaces.json').workspaces[0].keyId as string,
    rotations: read('rotations.json').rotations as { oldKeyId: string }[],
  };
}

async function countActs(): Promise<number> {
  return withProfile(async (profileDir) => {
    const { stdout, stderr } = await run(profileDir);
    expect(stderr).toBe('');
    return (JSON.parse(stdout) as { acts: number }).acts;
  });
}

test('killed after every act and resumed, it always has a working key and leaves none behind', async () => {
  const acts = await countActs();
  expect(acts).toBeGreaterThanOrEqual(16);
  // After one act is before the next: nothing lies between them.
  const kills = [
    ['1', 'before'],
    ...Array.from({ length: acts }, (_, index) => [String(index + 1), 'after']),
  ];
  for (const [killAt = '', when = ''] of kills) {
    await withProfile(async (profileDir) => {
      const killed = await run(profileDir, killAt, when);
      expect(killed.stdout, `killed ${when} act ${killAt}`).toBe('');
      const between = lookAt(profileDir);
      // What the workspace signs with is there, and the service takes it.
      expect(between.keyIds).toContain(between.workspaceKeyId);
      expect(between.registered).toContain(between.workspaceKeyId);

      const resumed = await run(profileDir);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      const end = lookAt(profileDir);
      expect(end.keyIds).toEqual([end.workspaceKeyId]);
      expect(end.registered).toEqual([end.workspaceKeyId]);
      expect(end.rotations).toEqual([]);
      for (const { oldKeyId } of between.rotations) expect(end.workspaceKeyId).not.toBe(oldKeyId);
    });
  }
}, 300_000);
