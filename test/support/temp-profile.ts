import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, onTestFinished } from 'vitest';

/** Gives each test of a file a new profile folder; returns a function, because the path differs in each test. */
export function givenTempProfile(): () => string {
  let profileDir = '';
  beforeEach(async () => {
    profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-profile-'));
  });
  afterEach(() => rm(profileDir, { recursive: true, force: true, maxRetries: 3 }));
  return () => profileDir;
}

/** A folder that is removed after the test that made it. */
export function makeTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'claimdesk-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
