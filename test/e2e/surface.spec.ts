import { procedures } from '../../src/contract/procedures.ts';
import { expect, takeFaults, test } from './app.ts';

test('the page has what the contract says of the backend, and nothing of the shell', async ({
  app,
  page,
}) => {
  // By then the tab has exchanged its pass.
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const surface = await page.evaluate(() => {
    const { claimdesk } = window as unknown as { claimdesk?: { call: object } };
    return {
      bridge: claimdesk === undefined ? null : Object.keys(claimdesk),
      calls: claimdesk === undefined ? null : Object.keys(claimdesk.call).sort(),
      node: ['process', 'require', 'module', 'Buffer', '__dirname', 'ipcRenderer', 'electron'].filter(
        (name) => name in window,
      ),
      cookie: document.cookie,
      address: location.href.replace(/^http:\/\/localhost:\d+|^app:\/\/claimdesk/, ''),
      kept: [
        Object.keys(localStorage).filter((name) => name !== 'claimdesk-theme'),
        Object.keys(sessionStorage),
      ],
    };
  });
  expect(surface).toEqual({
    bridge: app.isElectron ? ['shell', 'call', 'subscribe'] : null,
    calls: app.isElectron ? Object.keys(procedures).sort() : null,
    node: [],
    cookie: '',
    address: expect.not.stringContaining('pass'),
    kept: [[], app.isElectron ? [] : ['claimdesk-window']],
  });
});

test('the policy holds: no script of its own text, no eval, no other address', async ({ page }) => {
  const attempts = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.head.append(script);
    // By a timer, because what a test evaluates itself is exempt from the policy.
    Reflect.apply(window.setTimeout, window, ['window.wasEvaluated = true', 0]);
    const reached = await fetch('https://example.com/').then(
      () => 'done',
      () => 'refused',
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    return {
      inline: 'wasRun' in window ? 'done' : 'refused',
      eval: 'wasEvaluated' in window ? 'done' : 'refused',
      elsewhere: reached,
    };
  });
  expect(attempts).toEqual({ inline: 'refused', eval: 'refused', elsewhere: 'refused' });
  // And every other spec would have failed of it.
  const faults = takeFaults(page).join('\n');
  for (const directive of ['script-src', 'connect-src']) expect(faults).toContain(directive);
});

test('a reload stays in; a tab that Claimdesk did not open says how to get one', async ({ app, page }) => {
  const welcome = page.getByRole('button', { name: 'Explore sample data' });
  await expect(welcome).toBeVisible();
  await page.reload();
  await expect(welcome).toBeVisible();
  if (app.isElectron) return;
  const tab = await page.context().newPage();
  await tab.goto(new URL('/', page.url()).href);
  await expect(tab.getByRole('heading', { name: 'This tab can’t open Claimdesk' })).toBeVisible();
});
