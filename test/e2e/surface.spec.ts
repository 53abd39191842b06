import { createServer } from 'node:http';
import { procedures } from '../../src/contract/procedures.ts';
import { expect, takeFaults, test } from './app.ts';

test('the page has what the contract says of the backend, and nothing of the shell', async ({
  app,
  page,
}) => {
  // The tab has exchanged its pass by then.
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
      address: location.href.replace(/^http:\/\/127(?:\.\d+){3}:\d+|^app:\/\/claimdesk/, ''),
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
    // A timer runs it, because the policy exempts what a test evaluates itself.
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

/** A page that registers a service worker for all of its address, and fills the cookies of its host. */
const takesOver = `<script>
  for (let at = 0; at < 20; at += 1) document.cookie = 'c' + at + '=' + 'x'.repeat(1000) + '; path=/';
  navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => {
    document.title = 'ready';
  });
</script>`;
const worker = `self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('fetch', (event) => event.respondWith(new Response('not Claimdesk')));`;

test('@node a service worker and 20 kB of cookies that another program left at localhost are never met', async ({
  page,
}) => {
  const { port } = new URL(page.url());
  const server = createServer({ maxHeaderSize: 100_000 }, (request, response) => {
    const isWorker = request.url === '/worker.js';
    response.setHeader('content-type', isWorker ? 'text/javascript' : 'text/html');
    response.end(isWorker ? worker : takesOver);
  });
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
  try {
    const other = await page.context().newPage();
    await other.goto(`http://localhost:${port}/`);
    await expect(other).toHaveTitle('ready');
    await other.goto(`http://localhost:${port}/again`);
    await expect(other.getByText('not Claimdesk')).toBeVisible();

    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await page.evaluate(() => [document.cookie, navigator.serviceWorker.controller])).toEqual([
      '',
      null,
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
