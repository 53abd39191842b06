import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Policy } from '../../src/contract/policy.ts';

/** Writes a policy file for a session or a shell of a test, and returns its path. */
export async function givenPolicyFile(folder: string, policy: Policy): Promise<string> {
  const path = join(folder, 'policy.json');
  await writeFile(path, JSON.stringify(policy));
  return path;
}
