import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliResult, codeOf, makeFolder, readLines, runCli, runCommand } from '../../support/cli-run.ts';

// A service of which only the headers of requests are of interest.
const heard: Record<string, string | string[] | undefined>[] = [];
const server = createServer((request, response) => {
  heard.push(request.headers);
  response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
});
let folder: { path: string; remove: () => Promise<void> };
const run = (...args: string[]): Promise<CliResult> => runCli(args, { profile: folder.path });

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = await makeFolder();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await folder.remove();
});

test('the header and the scheme of the token can be set, and requests are signed accordingly', {
  timeout: 60_000,
}, async () => {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const profile = folder.path;
  await runCommand(['workspace', 'add', '--base-url', baseUrl, '--email', 'a@b.example', '--name', 'Desk'], {
    profile,
  });
  const [key] = readLines(await runCommand(['key', 'generate'], { profile })) as { id: string }[];
  const set = ['workspace', 'set', 'Desk', '--header', 'X-Desk-Token', '--scheme', 'Token'];
  const [told] = readLines(await runCommand([...set, '--json'], { profile }));
  expect(told).toMatchObject({ name: 'Desk', header: 'X-Desk-Token', scheme: 'Token' });

  const check = await run('key', 'check', key?.id ?? '', '--yes');
  expect([check.code, codeOf(check)]).toEqual([1, 'service.unauthorized']);
  expect(heard.at(-1)?.['x-desk-token']).toMatch(/^Token ey/);
  expect(heard.at(-1)?.authorization).toBeUndefined();

  // Setting one of the two leaves the other unchanged.
  const [again] = readLines(
    await runCommand(['workspace', 'set', 'Desk', '--scheme', 'SSH-JWT', '--json'], { profile }),
  );
  expect(again).toMatchObject({ header: 'X-Desk-Token', scheme: 'SSH-JWT' });
});

test('nothing to set, a header that others use, two words, and an unknown workspace are refused', {
  timeout: 60_000,
}, async () => {
  const refused = async (...args: string[]) => {
    const result = await run('workspace', 'set', ...args);
    return [result.code, codeOf(result)];
  };
  expect(await refused('Desk')).toEqual([2, 'usage.invalid']);
  expect(await refused('Desk', '--header', 'Cookie')).toEqual([2, 'usage.invalid']);
  expect(await refused('Desk', '--scheme', 'two words')).toEqual([2, 'usage.invalid']);
  expect(await refused('Elsewhere', '--scheme', 'Token')).toEqual([1, 'workspace.unknown']);
});
