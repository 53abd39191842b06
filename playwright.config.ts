import { defineConfig } from '@playwright/test';

/** The built app as a person uses it. `CLAIMDESK_E2E_SHELL=electron` runs the same specs in Electron. */
export default defineConfig({
  testDir: 'test/e2e',
  // What only Electron or the packaged program can show, and what needs neither.
  testIgnore: [
    ...(process.env.CLAIMDESK_PACKAGED === undefined ? ['packaged.spec.ts'] : []),
    ...(process.env.CLAIMDESK_E2E_SHELL === 'electron'
      ? // `paper.spec.ts`: Playwright prints only in Chromium without a window.
        [
          'electron-stand-in.spec.ts',
          'package.spec.ts',
          'paper.spec.ts',
          'pictures.spec.ts',
          'sandbox-page.spec.ts',
        ]
      : ['electron.spec.ts']),
  ],
  ...(process.env.CLAIMDESK_E2E_SHELL === 'electron' ? { grepInvert: /@node/ } : {}),
  outputDir: 'test-results/e2e',
  // Every test has a profile, ports and a browser of its own. A third one at a time is not faster on two cores.
  workers: 2,
  fullyParallel: true,
  // The longest walks through two minutes of steps where two cores are shared.
  timeout: 300_000,
  expect: { timeout: 15_000 },
  use: { actionTimeout: 20_000, screenshot: 'only-on-failure' },
  forbidOnly: true,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.CLAIMDESK_PLAYWRIGHT_JSON ?? 'test-results/playwright.json' }],
  ],
});
