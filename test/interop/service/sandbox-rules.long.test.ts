import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { givenSandbox } from '../../integration/sandbox/given-sandbox.ts';

/** Signing in and reading, by a program that shares no code with the product: its keys, its JWTs, its JSON. */

type Result = { case: string; ok: boolean; detail?: string };

const MAIN = fileURLToPath(new URL('main.py', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'claimdesk-interop-'));
const sandbox = givenSandbox('--members', '250', '--claims', '2500', '--seed', '11');

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** A python3 that has what the program imports; the system's own first. */
function findPython(): string {
  const wanted = ['-c', 'import requests, jwt, cryptography'];
  const found = ['/usr/bin/python3', 'python3'].find((python) => spawnSync(python, wanted).status === 0);
  if (found === undefined) throw new Error('No python3 here has requests, jwt and cryptography.');
  return found;
}

async function runProgram(): Promise<{ code: number | null; results: Result[]; complaint: string }> {
  const child = spawn(findPython(), ['-B', MAIN, folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  const { baseUrl, account, controlUrl, controlToken } = sandbox;
  child.stdin.end(`${JSON.stringify({ baseUrl, account, controlUrl, controlToken })}\n`);
  let [out, complaint] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const results = out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Result);
  return { code, results, complaint };
}

it('a Python program finds every rule kept', async () => {
  const { code, results, complaint } = await runProgram();
  const failed = results.filter((result) => !result.ok);
  expect(failed.map((result) => `${result.case} — ${result.detail}`)).toEqual([]);
  expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  expect(results.length).toBe(28);
});
