import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('the page of export columns is what the code says', () => {
  const script = fileURLToPath(new URL('../../scripts/write-export-docs.ts', import.meta.url));
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
});
