import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const make = (): string => mkdtempSync(join(tmpdir(), 'claimdesk-'));
const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

/** A new folder, removed when the test ends. */
export function makeTempFolder(): string {
  const folder = make();
  onTestFinished(() => remove(folder));
  return folder;
}

/** The same, removed after all tests of the file. */
export function makeSharedFolder(): string {
  const folder = make();
  afterAll(() => remove(folder));
  return folder;
}
