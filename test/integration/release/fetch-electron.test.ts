import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../../../scripts/fetch-electron.mjs', import.meta.url));
const bytes = 20_000_000;
const script: string = new URL('../../../scripts/find-electron.mjs', import.meta.url).href;
const { findElectron } = (await import(script)) as { findElectron(): string | null };

/** Runs it against this mirror; what it said. An empty cache, so that it has to download. */
async function fetchFrom(mirror: string, seconds: number): Promise<{ code: number; said: string }> {
  const cache = mkdtempSync(join(tmpdir(), 'claimdesk-electron-cache-'));
  const child = spawn(process.execPath, [program, String(seconds)], {
    env: { ...process.env, ELECTRON_MIRROR: mirror, electron_config_cache: cache },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { said, code: code as number };
}

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': bytes });
    answer(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

// Where the runtime is here, nothing is fetched.
test.skipIf(findElectron() !== null)(
  'a download tells how far it is; a wrong one is not unpacked',
  async () => {
    const mirror = await serve((response) => response.end(Buffer.alloc(bytes)));
    const { said, code } = await fetchFrom(mirror, 20);
    expect(said).toMatch(
      /^Fetching Electron \d+\.\d+\.\d+, 20 MB: (\d+ % … )*100 %\nElectron could not be fetched: /,
    );
    expect(said).toMatch(/checksum/i);
    expect(code).toBe(1);
    expect(findElectron()).toBeNull();
  },
);

test.skipIf(findElectron() !== null)('a download that stands still is given up', async () => {
  const mirror = await serve((response) => void response.write(Buffer.alloc(bytes / 2)));
  // Long enough for a busy computer to read what arrives.
  const { said, code } = await fetchFrom(mirror, 3);
  expect(said).toContain('40 %');
  expect(said).toContain('Electron could not be fetched: nothing arrived for 3 seconds.');
  expect(code).toBe(1);
});

test.skipIf(findElectron() !== null)('where nobody answers, it says who', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  await once(server, 'close');
  const { said, code } = await fetchFrom(`http://${host}/`, 20);
  expect(said).toBe(`Electron could not be fetched: ${host} could not be reached (ECONNREFUSED).\n`);
  expect(code).toBe(1);
});
