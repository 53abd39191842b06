import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from '@playwright/test';
import { forkSample } from '../../src/main/lib/sample-process.ts';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { type App, test as base, expect } from './app.ts';
import { connectWorkspace, openSettings } from './steps.ts';

const entry = join(import.meta.dirname, '../../src/team-server/index.ts');
const startProgram = (...args: string[]) =>
  spawn(process.execPath, [entry, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
const readLine = async (program: ChildProcess): Promise<string> => {
  const [line] = await once(createInterface(program.stdout as NodeJS.ReadableStream), 'line');
  return String(line);
};

interface TeamServer {
  readonly origin: string;
  readonly setupCode: string;
  readonly end: () => Promise<void>;
  /** At the same address. */
  readonly startAgain: () => Promise<void>;
}

/** A team server as a process of its own, which ends with the test. */
export const test = base.extend<{ server: TeamServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures it needs from the pattern
  server: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'claimdesk-e2e-team-'));
    const run = async (...args: string[]) => {
      const program = startProgram(...args, '--data', folder);
      return { program, said: JSON.parse(await readLine(program)) as Record<string, string> };
    };
    let running = await run('--port', '0');
    const origin = String(running.said.origin);
    const end = async () => {
      const { program } = running;
      if (program.exitCode === null && program.kill('SIGTERM')) await once(program, 'exit');
    };
    const startAgain = async () => {
      running = await run('--port', new URL(origin).port);
    };
    const { said } = await run('code');
    await use({ origin, setupCode: String(said.setupCode), end, startAgain });
    await end();
    await rm(folder, { recursive: true, force: true });
  },
});

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const line = (page: Page, text: string | RegExp) => page.getByRole('link', { name: text });

/** A window makes a team; it ends where its first invitation is made. `look`: is called at what there is to look at. */
export async function startTeam(
  page: Page,
  server: Pick<TeamServer, 'origin' | 'setupCode'>,
  look: (page: Page, name: string) => Promise<void> = async () => undefined,
): Promise<void> {
  await openSettings(page, 'Team');
  await expect(line(page, /^Team:/)).toHaveCount(0);
  await button(page, 'Make team…').click();
  await page.getByRole('textbox', { name: 'Server address' }).fill(server.origin);
  await page.getByRole('textbox', { name: 'Set-up code' }).fill(server.setupCode);
  await button(page, 'Make team').click();
  await expect(page.getByRole('region', { name: 'Recovery key' })).toContainText(server.origin);
  await look(page, 'team-recovery-key');
  const recovery = await page.getByRole('region', { name: 'Recovery key' }).textContent();
  const [recoveryKey = ''] = /(?:[0-9A-Z]{4}-){13}[0-9A-Z]{4}/.exec(recovery ?? '') ?? [];
  await page.getByRole('checkbox').check();
  await button(page, 'Continue').click();
  await page.getByRole('textbox', { name: 'Recovery key' }).fill(recoveryKey);
}

/** One window makes a team and the other one joins it. */
export async function makeTeam(
  page: Page,
  other: Page,
  server: Pick<TeamServer, 'origin' | 'setupCode'>,
  look: (page: Page, name: string) => Promise<void> = async () => undefined,
): Promise<void> {
  await startTeam(page, server, look);
  await joinTeam(page, other, look);
}

/** An admin's window, in the settings of the team or at the end of making one, makes an invitation. */
export async function makeInvitation(page: Page, email: string): Promise<string> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await button(page, 'Make invitation').click();
  const invitation = await page.getByLabel('Invitation', { exact: true }).textContent();
  await button(page, 'Done').click();
  await expect(line(page, 'Team: live')).toBeVisible();
  return invitation ?? '';
}

/** The account email of a window's workspace. */
async function readEmail(page: Page): Promise<string> {
  await openSettings(page, 'Workspaces');
  const account = page.getByRole('definition').filter({ hasText: '@' }).first();
  return (await account.textContent()) ?? '';
}

/** An admin's window invites and approves another window. */
export async function joinTeam(
  page: Page,
  other: Page,
  look: (page: Page, name: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const invitation = await makeInvitation(page, await readEmail(other));
  await openSettings(other, 'Team');
  await button(other, 'Join team…').click();
  await other.getByRole('textbox', { name: 'Invitation' }).fill(invitation);
  await button(other, 'Ask to join').click();
  await expect(line(other, 'Team: waiting for approval')).toBeVisible();
  // The inviting computer answers once its page shows the request.
  await openSettings(page, 'Team');
  const code = (await other.locator('code').textContent({ timeout: 60_000 })) ?? '';
  await expect(page.getByRole('list', { name: 'Asked to join' })).toContainText(code, { timeout: 60_000 });
  await look(page, 'team-asked');
  // Where the team knows the email with another SSH key, that is asked first.
  const ofKey = page.getByRole('checkbox', { name: /that this SSH key is theirs/ });
  if (await ofKey.isVisible()) await ofKey.check();
  await button(page, /^Approve/).click();
  await expect(line(other, 'Team: live')).toBeVisible({ timeout: 90_000 });
}

/** The records that every user's sample service has. */
const records = { members: 50, claims: 300, seed: 7, corpus: 'ordinary' } as const;

type Service = Awaited<ReturnType<typeof startSampleService>>;

/** A claims service for one person after the other: that of the sample has one account, so the next takes its address. */
export async function startServices() {
  const services: Service[] = [await startSampleService(records)];
  const current = () => services.at(-1) as Service;
  return {
    current,
    async takeOver(name: string): Promise<void> {
      await current().stop();
      const { port } = new URL(current().baseUrl);
      const more = ['--port', port, '--email', `${name}@sandbox.example`];
      services.push(
        await startSampleService({
          ...records,
          launch: (program, args) => forkSample(program, [...args, ...more]),
        }),
      );
    },
    async connect(window: Page): Promise<void> {
      const service = current();
      await connectWorkspace(window, { ...service, register: (key) => service.register('Key', key) });
    },
    async close(): Promise<void> {
      for (const service of services) await service.close();
    },
  };
}

/**
 * A team of people with the same records and a window each: the admin's is `page`, the others' are returned. Its services
 * end with the test.
 */
export async function openTeamOf(
  { app, page, server }: { app: App; page: Page; server: TeamServer },
  names: readonly string[],
): Promise<{ others: Page[]; close: () => Promise<void> }> {
  const { takeOver, connect, close } = await startServices();
  try {
    await connect(page);
    const others: Page[] = [];
    for (const name of names) {
      await takeOver(name);
      const other = await app.openAnother();
      await connect(other);
      if (others.length === 0) await makeTeam(page, other, server);
      else {
        await openSettings(page, 'Team');
        await button(page, 'Invite…').click();
        await joinTeam(page, other);
      }
      others.push(other);
    }
    return { others, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}
