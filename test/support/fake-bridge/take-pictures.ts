import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from '@playwright/test';
import { type Scenario, scenarios } from './scenarios.ts';
import { serveFakeWindow } from './serve.ts';

/**
 * Looks at every screen: `node test/support/fake-bridge/take-pictures.ts [part of a name]`, after building with the
 * config beside it. Writes pictures to `screenshots/`, and fails on any policy violation, page error,
 * finding of axe, or page that is wider than its window.
 */
const folder = fileURLToPath(new URL('../../../screenshots/', import.meta.url));
const sizes = {
  normal: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
  zoomed: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
} as const;
const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      problems.push(`${message.type()}: ${message.text().slice(0, 400)}`);
    }
  });
}

async function findWithAxe(page: Page, ignores: readonly string[]): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .disableRules([...ignores])
    .analyze();
  return violations.flatMap((violation) =>
    violation.nodes
      .slice(0, 3)
      .map(
        (node) =>
          `axe ${violation.id}: ${String(node.target)} ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`,
      ),
  );
}

async function lookAt(
  browser: Browser,
  url: string,
  look: Scenario,
  theme: 'light' | 'dark',
  size: keyof typeof sizes,
): Promise<string[]> {
  const problems: string[] = [];
  const context = await browser.newContext({ ...sizes[size], colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  watch(page, problems);
  page.setDefaultTimeout(8000);
  try {
    const query = new URLSearchParams({ scene: look.scene, theme, claims: String(look.claims ?? 2000) });
    await page.goto(`${url}?${query}#${look.route}`);
    await look.arrange?.(page);
    await page.waitForTimeout(350);
    problems.push(...(await findWithAxe(page, look.ignores ?? [])));
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) problems.push(`the page is ${overflow} px wider than the window`);
  } catch (error) {
    problems.push(`failed: ${String(error).slice(0, 600)}`);
  }
  await page.screenshot({ path: `${folder}${look.name}-${theme}-${size}.png` });
  await context.close();
  return problems;
}

const wanted = process.argv[2] ?? '';
const { server, url } = await serveFakeWindow();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: chromiumArgs,
  ignoreDefaultArgs: ['--hide-scrollbars'],
});
await mkdir(folder, { recursive: true });
let problemCount = 0;
for (const look of scenarios.filter((candidate) => candidate.name.includes(wanted))) {
  for (const theme of ['light', 'dark'] as const) {
    for (const size of ['normal', 'zoomed'] as const) {
      if (process.argv[3] !== undefined && !`${theme}-${size}`.includes(process.argv[3])) continue;
      const problems = await lookAt(browser, url, look, theme, size);
      problemCount += problems.length;
      process.stdout.write(`${problems.length === 0 ? 'ok  ' : 'BAD '} ${look.name} ${theme} ${size}\n`);
      for (const problem of problems) process.stdout.write(`      ${problem}\n`);
    }
  }
}
await browser.close();
server.close();
process.exitCode = problemCount === 0 ? 0 : 1;
