import { execFileSync, spawn } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { report } from './support/figures.ts';

/**
 * The sandbox's own time for a page of 1,000 claims, page 1 and page 900 of a million, and its memory afterwards.
 * A plain script: `node test/bench/sandbox-page.bench.ts`.
 */

const RUNS = 60;
const WARM_UP = 15;
const CLAIMS = 1_000_000;
const ENTRY = fileURLToPath(new URL('../../src/sandbox/index.ts', import.meta.url));

type Listening = { baseUrl: string; controlUrl: string; controlToken: string; account: { email: string } };

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-'));
const child = spawn(
  process.execPath,
  [ENTRY, '--members', '50000', '--claims', String(CLAIMS), '--seed', '1', '--end-with-stdin'],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);

try {
  const said = JSON.parse(await firstLine()) as Listening;
  const control = { authorization: `Bearer ${said.controlToken}` };
  const token = await registerAndSign(said);
  for (const page of [1, 900]) {
    await fetch(`${said.controlUrl}/requests`, { method: 'DELETE', headers: control });
    const walls: number[] = [];
    for (let run = 0; run < RUNS + WARM_UP; run += 1) {
      const started = performance.now();
      const reply = await fetch(`${said.baseUrl}/api/v2/claims?page=${page}&per_page=1000`, {
        headers: { authorization: `SSH-JWT ${token}` },
      });
      const bytes = (await reply.arrayBuffer()).byteLength;
      if (reply.status !== 200 || bytes < 1_000_000)
        throw new Error(`page ${page}: ${reply.status}, ${bytes} bytes`);
      walls.push(performance.now() - started);
    }
    const log = (await (await fetch(`${said.controlUrl}/requests`, { headers: control })).json()) as {
      data: { ownMs: number; cpuMs: number }[];
    };
    const measured = log.data.slice(WARM_UP);
    const own = median(measured.map((entry) => entry.ownMs));
    const cpu = median(measured.map((entry) => entry.cpuMs));
    const how = `median of ${measured.length}; processor time ${cpu}, wall clock ${median(walls.slice(WARM_UP))}`;
    report({ what: `Page ${page} of 1,000 claims`, figure: own, unit: 'ms', how });
  }
  const state = (await (await fetch(`${said.controlUrl}/state`, { headers: control })).json()) as {
    memoryBytes: number;
  };
  report({
    what: 'Memory of the sandbox',
    figure: Math.round(state.memoryBytes / 1e6),
    unit: 'MB',
    how: 'afterwards',
  });
} finally {
  child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

function firstLine(): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
}

/** Makes a P-256 key with ssh-keygen, registers it on the page, and signs one token. */
async function registerAndSign(said: Listening): Promise<string> {
  const file = join(folder, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ecdsa', '-b', '256', '-m', 'PEM', '-N', '', '-f', file]);
  const reply = await fetch(`${said.baseUrl}/settings/ssh`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ name: 'bench', public_key: readFileSync(`${file}.pub`, 'utf8') }),
  });
  if (reply.status !== 303) throw new Error(`registering the key: ${reply.status}`);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1000) - 1;
  const head = `${encode({ alg: 'ES256' })}.${encode({ email: said.account.email, iat, exp: iat + 900 })}`;
  const key = createPrivateKey(readFileSync(file));
  return `${head}.${sign('sha256', Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? Number.NaN).toFixed(1));
}
