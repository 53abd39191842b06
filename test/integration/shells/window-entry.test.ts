import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isProvenServer } from '../../../src/renderer/lib/check-server-proof.ts';
import { type EntryPorts, enterWindow } from '../../../src/renderer/lib/enter-window.ts';
import { createLoopbackBridge } from '../../../src/renderer/lib/loopback-bridge.ts';
import { redeemPass } from '../../support/browser-shell.ts';
import { givenShell } from '../../support/shell-calls.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const folder = givenTempProfile();

/** `fetch` as a page of this origin has it. */
const fetchAs = (origin: string): typeof fetch =>
  ((input: string, init: RequestInit = {}) =>
    fetch(new URL(input, origin), { ...init, headers: { ...init.headers, origin } })) as typeof fetch;

/** A tab: what it keeps, and the address it shows. */
function openTab(origin: string, hash: string, kept = new Map<string, string>()) {
  const shown: string[] = [];
  const ports: EntryPorts = {
    location: { hash, origin },
    history: { replaceState: (_data, _unused, url) => void shown.push(String(url)) },
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
    },
    fetch: fetchAs(origin),
  };
  return { ports, kept, shown };
}

/** Takes an address that is free now, as another program could, and answers by `answer`. */
async function takeAddress(
  { hostname, port }: { hostname: string; port: string },
  answer: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push([request.url, JSON.stringify(request.headers), Buffer.concat(chunks)].join(' '));
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(Number(port), hostname, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return { heard, port: (server.address() as AddressInfo).port };
}

test('a tab is admitted by the pass in its address, again by what it stores, and no other tab is', async () => {
  const { shell } = await givenShell();
  const { hash } = new URL(shell.makeAddress());
  const first = openTab(shell.origin, hash);
  const entry = await enterWindow(first.ports);
  expect(entry).toMatchObject({ engineUrl: expect.stringMatching(/^http:\/\/127(\.\d+){3}:\d+$/) });
  expect(first.shown).toEqual(['/']);
  expect([...first.kept]).toEqual([['claimdesk-window', entry?.token]]);

  expect(await enterWindow(openTab(shell.origin, '#/claims', first.kept).ports)).toEqual(entry);
  expect(await enterWindow(openTab(shell.origin, hash).ports)).toBeNull();
  expect(await enterWindow(openTab(shell.origin, '').ports)).toBeNull();
  const stale = new Map([['claimdesk-window', `${'a'.repeat(12)}.${'b'.repeat(43)}`]]);
  expect(await enterWindow(openTab(shell.origin, '', stale).ports)).toBeNull();
});

test('a tab that is loaded again before its pass was exchanged is admitted by the pass', async () => {
  const { shell } = await givenShell();
  const tab = openTab(shell.origin, new URL(shell.makeAddress()).hash);
  const isLoadedAgain = new Error('the page is loaded again');
  const cutOff = { ...tab.ports, fetch: () => Promise.reject(isLoadedAgain) };
  await expect(enterWindow(cutOff)).rejects.toBe(isLoadedAgain);
  expect(tab.shown).toEqual([]);
  expect(await enterWindow(tab.ports)).not.toBeNull();
  expect(tab.shown).toEqual(['/']);
});

test('host and engine prove that they know a window, and the proof is not valid for another port', async () => {
  const under = await givenShell();
  const { origin } = under.shell;
  const token = await under.enter();
  const { engineUrl } = await under.loadPage(token);
  const ask = fetchAs(origin);
  expect(await isProvenServer(origin, token, ask)).toBe(true);
  expect(await isProvenServer(engineUrl, token, ask)).toBe(true);
  const [windowId = '', secret = ''] = token.split('.');
  expect(await isProvenServer(origin, `${windowId}.${'x'.repeat(43)}`, ask)).toBe(false);

  const relay = await takeAddress({ hostname: '127.0.0.1', port: '0' }, async (request, response) => {
    const reply = await fetch(`${origin}${request.url}`);
    response.writeHead(reply.status).end(await reply.text());
  });
  expect(await isProvenServer(`http://localhost:${relay.port}`, token, ask)).toBe(false);
  expect(relay.heard).toHaveLength(1);
  expect(relay.heard[0]).not.toContain(secret);
});

test('a process that takes the port of a shell that ended gets no token and no passphrase', async () => {
  const under = await givenShell();
  const { origin } = under.shell;
  const token = await under.enter();
  const bridge = createLoopbackBridge({
    windowToken: token,
    hostUrl: origin,
    engineUrl: '',
    fetch: fetchAs(origin),
    prove: (url) => isProvenServer(url, token, fetchAs(origin)),
    wait: () => new Promise((resolve) => setTimeout(resolve, 20)),
    onEngineMoved: () => undefined,
  });
  expect(await bridge.call['lock:lock']({})).toMatchObject({ ok: true });
  await under.shell.close();

  const other = await takeAddress(new URL(origin), (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: true, value: { isDone: true }, proof: 'A'.repeat(43), engineUrl: '' })),
  );
  const unlocked = await bridge.call['lock:unlock']({ passphrase: 'correct horse battery' });
  expect(unlocked).toMatchObject({ ok: false, error: { code: 'engine.stopped' } });
  // The stream of events is tried again and again.
  await expect.poll(() => other.heard.length).toBeGreaterThan(2);
  for (const heard of other.heard) {
    expect(heard).toMatch(/^\/prove\?/);
    for (const secret of ['correct horse', token.split('.')[1] ?? '']) expect(heard).not.toContain(secret);
  }
});

test('the system’s browser is opened with a private file, which is deleted when its pass is used', async () => {
  const seen = join(folder(), 'seen');
  const lines = [
    `tr '\\0' ' ' < /proc/$$/cmdline > ${seen}`,
    `stat -c ' %a' "$1" >> ${seen}`,
    `cp "$1" ${seen}.html`,
  ];
  await writeFile(join(folder(), 'xdg-open'), `#!/bin/sh\n${lines.join('\n')}\n`);
  await chmod(join(folder(), 'xdg-open'), 0o755);
  const environment = { PATH: `${folder()}:${process.env.PATH}`, DISPLAY: ':0' };
  const { shell } = await givenShell({ environment });
  expect(await shell.openWindow()).toBe(true);

  const [, path = '', mode] = / (\S+\.html)\s+(\d+)/.exec(await readFile(seen, 'utf8')) ?? [];
  expect(mode).toBe('600');
  const pass = /#pass=([\w-]{43})&quot;/.exec(await readFile(`${seen}.html`, 'utf8'))?.[1] ?? '';
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).not.toContain(pass);
  expect(await readFile(seen, 'utf8')).not.toContain(pass);
  expect(existsSync(path)).toBe(true);
  expect((await redeemPass(shell.origin, pass)).status).toBe(200);
  await expect.poll(() => existsSync(path)).toBe(false);
});
