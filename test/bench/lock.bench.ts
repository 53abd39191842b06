import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { startSampleService } from '../../src/main/lib/sample-service.ts';
import { openSession } from '../../src/main/shells/cli/session.ts';
import { listChildren } from '../support/child-processes.ts';
import { chromiumArgs, chromiumPath } from '../support/chromium.ts';
import { endBenchShell, startBenchShell } from './support/bench-shell.ts';
import { report, spread } from './support/figures.ts';
import { registerAndSync } from './support/register-and-sync.ts';

// From the keys of a lock to an engine that is gone, and from *Unlock* to painted rows, as built, in the browser shell
// with a list open.
const claims = Number(process.env.CLAIMDESK_BENCH_CLAIMS ?? 20_000);
const locks = 10;

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-bench-lock-'));
const profileDir = join(folder, 'profile');
const passphrase = 'bench passphrase';
process.env.CLAIMDESK_VAULT_PASSPHRASE = passphrase;

const service = await startSampleService({ members: Math.ceil(claims / 10), claims });
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
try {
  const session = await openSession({ options: {}, writes: true, profileDir });
  await registerAndSync(session, service);
  await session.close();

  const { child, url } = startBenchShell({ profileDir });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(await url);
  const row = page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell').filter({ hasText: /\d/ }) });
  const durations: number[] = [];
  const unlocks: number[] = [];
  let unlocked = 0;
  for (let index = 0; index < locks; index += 1) {
    if (index === 0) await page.getByRole('link', { name: /^Claims/ }).click();
    await row.first().waitFor();
    if (index > 0) unlocks.push(performance.now() - unlocked);
    // A list that is open, and everything that its first rows began.
    await wait(1_000);
    const [engine = 0] = await listChildren(child.pid as number, 'engine');
    const began = performance.now();
    const pressed = page.keyboard.press('Control+Shift+L');
    while (existsSync(`/proc/${engine}`)) await wait(1);
    durations.push(performance.now() - began);
    await pressed;
    await page.getByRole('textbox', { name: 'Unlock passphrase' }).fill(passphrase);
    unlocked = performance.now();
    await page.keyboard.press('Enter');
  }
  await endBenchShell(child);
  const reportSpread = (what: string, reach: string, values: readonly number[]): void => {
    const { how, ...figure } = spread(values);
    report({ what, ...figure, reach, how: `wall clock, ${how}` });
  };
  reportSpread('Lock: key press to an engine that is gone, a list open', '≤ 200', durations);
  reportSpread('Unlock: passphrase entered to painted rows of the same list', '≤ 2000', unlocks);
} finally {
  await browser.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}
