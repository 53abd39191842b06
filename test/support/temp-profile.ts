import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** Gives each test of a file a profile folder of its own: a function, because the folder is new each time. */
export function givenTempProfile(): () => string {
  let profileDir = '';
  beforeEach(async () => {
    profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-profile-'));
  });
  afterEach(() => rm(profileDir, { recursive: true, force: true, maxRetries: 3 }));
  return () => profileDir;
}
