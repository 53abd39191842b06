/** The Chromium of this computer, and how it is started for tests. */
export const chromiumPath = process.env.CLAIMDESK_CHROMIUM ?? '/usr/bin/chromium';

export const chromiumArgs: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
