import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const make = (): string => mkdtempSync(join(tmpdir(), 'claimdesk-'));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** A new folder that is there until the test ends. */
export function makeTempFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}

/** The same until all tests of the file have ended. */
export function makeSharedFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}
