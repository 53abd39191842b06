import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { chromiumArgs, chromiumPath } from '../../support/chromium.ts';
import { passphrase } from './bench-profile.ts';
import { endBenchShell, startBenchShell } from './bench-shell.ts';

/**
 * Starts a first sync of this service from the empty list of claims in a window, and ends it; how long from the press
 * until the list says that it has this many claims and shows rows, in ms.
 */
export async function measureFirstClaims(baseUrl: string, claims: number): Promise<number> {
  const profileDir = mkdtempSync(join(tmpdir(), 'claimdesk-bench-first-'));
  process.env.CLAIMDESK_VAULT_PASSPHRASE = passphrase;
  const session = await openSession({ options: {}, writes: true, profileDir });
  const { id } = await session.call('workspaces:add', { baseUrl, email: 'bench@example.org' });
  await session.call('keys:generate', { type: 'ed25519', workspaceId: id });
  // The setup is finished up to the first sync.
  await session.call('keys:check', { workspaceId: id });
  await session.close();
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] });
  const { child, url } = startBenchShell({ profileDir });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(await url);
    await page.evaluate(() => {
      window.location.hash = '#/claims';
    });
    const start = page.getByRole('main').getByRole('button', { name: 'Sync now' });
    await start.waitFor();
    await page.waitForTimeout(1_000);
    return await start.evaluate(async (button, enough) => {
      const began = performance.now();
      (button as HTMLButtonElement).click();
      for (;;) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const count =
          document.querySelector('section[aria-label="Totals"] [role="status"]')?.textContent ?? '';
        const rows = [...document.querySelectorAll('.ag-row .ag-cell[col-id="id"]')];
        const isShown = rows.length > 10 && rows.every(({ textContent }) => textContent !== '');
        const tookMs = performance.now() - began;
        if (tookMs > 60_000) throw new Error(`after a minute: ${count}, ${rows.length} rows`);
        if (isShown && Number(/^[\d,]+/.exec(count)?.[0].replaceAll(',', '')) >= enough) return tookMs;
      }
    }, claims);
  } finally {
    await browser.close();
    await endBenchShell(child);
    rmSync(profileDir, { recursive: true, force: true });
  }
}
