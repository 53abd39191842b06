import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcedureName } from '../../src/contract/procedures.ts';
import type { Result } from '../../src/contract/result.ts';
import {
  type BrowserShell,
  type BrowserShellOptions,
  startBrowserShell,
} from '../../src/main/shells/browser/start-browser-shell.ts';
import { givenCheapSecrets, vaultPassphrase } from './cheap-secrets.ts';
import { ask, type RawReply } from './loopback-client.ts';

const page = `<!doctype html><meta name="e" content="__CLAIMDESK_ENGINE__"><meta name="n" content="__CLAIMDESK_NONCE__"><meta name="t" content="__CLAIMDESK_THEME__"><p>page</p>`;

/** The data that a loaded page has: the token of its tab, and the address of the engine. */
export interface OpenPage {
  readonly token: string;
  readonly engineUrl: string;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly html: string;
}

export interface ShellUnderTest {
  readonly shell: BrowserShell;
  readonly folder: string;
  readonly profileDir: string;
  readonly rendererDir: string;
  /** Exchanges the pass of a new address for a window's token. */
  enter(): Promise<string>;
  /** Loads the page in a tab with this token. */
  loadPage(token: string): Promise<OpenPage>;
  close(): Promise<void>;
}

/** Starts the browser shell on a fresh profile and with a page of the test, without a built window. */
export async function startShellUnderTest(
  options: Partial<BrowserShellOptions> = {},
): Promise<ShellUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-shell-'));
  const rendererDir = join(folder, 'renderer');
  await mkdir(join(rendererDir, 'assets'), { recursive: true });
  await writeFile(join(rendererDir, 'index.html'), page);
  await writeFile(join(rendererDir, 'assets', 'app.js'), 'void 0;');
  await writeFile(join(rendererDir, 'assets', 'app.js.map'), '{}');
  await writeFile(join(folder, 'secret.txt'), 'outside');
  const profileDir = join(folder, 'profile');
  givenCheapSecrets(profileDir);
  const shell = await startBrowserShell({
    profileDir,
    rendererDir,
    environment: {
      CLAIMDESK_VAULT_PASSPHRASE: vaultPassphrase,
      CLAIMDESK_SAMPLE_MEMBERS: '40',
      CLAIMDESK_SAMPLE_CLAIMS: '200',
      CLAIMDESK_DOWNLOADS: folder,
      ...options.environment,
    },
    closedAfterMs: options.closedAfterMs ?? 60_000,
    // The page of most tests opens no stream of events, however long they take.
    unopenedAfterMs: options.unopenedAfterMs ?? 3_600_000,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.policyFile === undefined ? {} : { policyFile: options.policyFile }),
    ...(options.startEngineProcess === undefined ? {} : { startEngineProcess: options.startEngineProcess }),
  });
  return {
    shell,
    folder,
    profileDir,
    rendererDir,
    enter: () => enterAt(shell.makeAddress()),
    loadPage: (token) => loadPageAt(shell.origin, token),
    async close() {
      await shell.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Exchanges the pass of a shell's address for a window's token. */
export async function enterAt(address: string): Promise<string> {
  const { origin, hash } = new URL(address);
  const reply = await redeemPass(origin, hash.replace('#pass=', ''));
  return (JSON.parse(reply.text) as { token: string }).token;
}

/** Loads the page of a shell in a tab with this token. */
export async function loadPageAt(origin: string, token: string): Promise<OpenPage> {
  const reply = await ask(origin, '/');
  const session = await ask(origin, '/session', { headers: { 'x-claimdesk-window': token } });
  const { engineUrl } = JSON.parse(session.text) as { engineUrl: string };
  return { token, engineUrl, headers: reply.headers, html: reply.text };
}

/** Exchanges a pass for a token as the page does. */
export const redeemPass = (origin: string, pass: string): Promise<RawReply> =>
  ask(origin, '/enter', {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ pass }),
  });

/** Calls a procedure as the page does: main's at the shell's address, the engine's at its own. */
export async function callAs(
  under: { readonly shell: Pick<BrowserShell, 'origin'> },
  page: OpenPage,
  to: 'main' | 'engine',
  procedure: ProcedureName,
  input: unknown,
): Promise<Result<Record<string, unknown>>> {
  const origin = under.shell.origin;
  const at = to === 'main' ? origin : page.engineUrl;
  const reply = await ask(at, `/call/${procedure}`, {
    method: 'POST',
    headers: {
      origin,
      'content-type': 'application/json',
      'x-claimdesk-window': page.token,
    },
    body: JSON.stringify(input),
  });
  return JSON.parse(reply.text) as Result<Record<string, unknown>>;
}
