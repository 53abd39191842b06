import { spawnSync } from 'node:child_process';

/** Runs a program to its end and gives its output; throws with what it said if it fails or is not there. */
export function runTool(file: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    input,
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${file} ${args[0] ?? ''} ended with ${status}: ${stderr}`);
  return stdout;
}

/**
 * A Python with what these programs and the benches import: the system's, or another one on the path. Throws if none
 * has it.
 */
export function findPython(): string {
  for (const python of ['/usr/bin/python3', 'python3']) {
    const { status } = spawnSync(python, ['-c', 'import requests, jwt, cryptography'], { timeout: 30_000 });
    if (status === 0) return python;
  }
  throw new Error(
    'No python3 can import requests, jwt and cryptography: install python3-requests, python3-jwt, python3-cryptography.',
  );
}
