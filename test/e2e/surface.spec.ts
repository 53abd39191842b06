import { procedures } from '../../src/contract/procedures.ts';
import { expect, takeFaults, test } from './app.ts';

test('the page has what the contract says of the backend, and nothing of the shell', async ({
  app,
  page,
}) => {
  const surface = await page.evaluate(() => {
    const { claimdesk } = window as unknown as { claimdesk?: { call: object } };
    return {
      bridge: claimdesk === undefined ? null : Object.keys(claimdesk),
      calls: claimdesk === undefined ? null : Object.keys(claimdesk.call).sort(),
      node: ['process', 'require', 'module', 'Buffer', '__dirname', 'ipcRenderer', 'electron'].filter(
        (name) => name in window,
      ),
      token: document.querySelector('meta[name="claimdesk-window"]') !== null,
      kept: [...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie].filter(
        (name) => name !== '' && name !== 'claimdesk-theme',
      ),
    };
  });
  expect(surface).toEqual({
    bridge: app.isElectron ? ['shell', 'call', 'subscribe'] : null,
    calls: app.isElectron ? Object.keys(procedures).sort() : null,
    node: [],
    token: false,
    kept: [],
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
