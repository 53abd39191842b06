import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Sandbox, startSandbox } from '../integration/sandbox/start-sandbox.ts';
import { expect, test } from './app.ts';
import { judge as checkPage } from './axe.ts';
import { chooseByTyping, goByName, pressOn, tabTo, typeInto } from './keyboard.ts';
import { nav, ownWorkspace, passphrase } from './steps.ts';

/** Typed as a password, and to be found nowhere afterwards. */
const canary = 'Zaunkoenig-7351-im-Kirschbaum';

test.use(ownWorkspace);

let sandbox: Sandbox;
test.beforeEach(async () => {
  sandbox = await startSandbox('--members', '20', '--claims', '60', '--seed', '7');
  await sandbox.control('PUT', '/connect/settings', { stepMs: 250 });
});
test.afterEach(() => sandbox.stop());

/** Lists every file below a folder that still exists. */
function listFiles(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
  return found?.isFile() ? [path] : [];
}

/** Returns a file's content; empty where the file is gone since it was listed. */
function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw thrown;
  }
}

/** Whether a text lies in some bytes, plain or in base64 at any place. */
function isIn(bytes: Buffer, text: string): boolean {
  const inside = ['', 'x', 'xx'].map((before) =>
    Buffer.from(before + text)
      .toString('base64')
      .slice(4, -6),
  );
  return [Buffer.from(text), Buffer.from(text, 'utf16le'), ...inside.map((part) => Buffer.from(part))].some(
    (form) => bytes.includes(form),
  );
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const field = (page: Page, name: string | RegExp) => page.getByRole('textbox', { name });
const validation = (page: Page) => page.getByRole('status', { name: 'State of the sign-in check' });

const judge = (page: Page, name: string) => checkPage(page, name, { within: '#content' });

/** A workspace of the service, without a key: Connect needs none. */
async function addWorkspace(page: Page): Promise<void> {
  await pressOn(page, page.getByRole('link', { name: 'Connect to your service' }));
  await typeInto(page, field(page, 'Service URL'), sandbox.baseUrl);
  await typeInto(page, field(page, 'Account email'), sandbox.account.email);
  await page.keyboard.press('Enter');
  await expect(button(page, 'Make key')).toBeVisible();
}

async function setUp(page: Page): Promise<void> {
  await goByName(page, 'Settings: Connect');
  await typeInto(page, field(page, 'Public token'), sandbox.connect.publicToken);
  await typeInto(page, field(page, 'Secret key'), sandbox.connect.secretKey);
  await page.keyboard.press('Enter');
  await expect(page.getByText('The service accepts the public token and the secret key.')).toBeVisible();
  await expect(field(page, 'Secret key')).toHaveValue('');
}

/** Adds a member under an employer that is created with the first of them, and chosen for those after. */
async function addMember(page: Page, email: string, [first, last]: readonly [string, string]): Promise<void> {
  const employer = 'Newly Founded, Inc.';
  await goByName(page, 'Add member');
  await typeInto(page, field(page, 'Email'), email);
  await typeInto(page, field(page, 'First name'), first);
  await typeInto(page, field(page, 'Last name'), last);
  if (await page.getByText('No employers on this computer yet.').isVisible()) {
    await pressOn(page, button(page, 'Create a new employer'));
    await typeInto(page, field(page, 'New employer name'), employer);
    await typeInto(page, field(page, 'Employer ID in your benefits system'), 'NEWCO-1');
    await typeInto(page, field(page, 'Vendor'), 'northwind-benefits');
  } else {
    await chooseByTyping(page, page.getByRole('combobox', { name: 'Employer' }), employer);
    await expect(page.getByText('Employer ID in your benefits system: NEWCO-1')).toBeVisible();
  }
  await pressOn(page, button(page, 'Continue'));
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText(employer);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('list', { name: 'Carriers' })).toBeVisible();
}

async function chooseCarrier(page: Page, name: string): Promise<void> {
  await typeInto(page, field(page, 'Carrier'), name);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Terms of use' })).toBeVisible();
}

async function consent(page: Page): Promise<void> {
  await expect(button(page, 'Continue')).toBeDisabled();
  await pressOn(page, page.getByRole('checkbox', { name: 'The member accepts the terms of use' }), 'Space');
  await expect(button(page, 'Continue')).toBeDisabled();
  await pressOn(page, page.getByRole('checkbox', { name: /receives their claims/ }), 'Space');
  await pressOn(page, button(page, 'Continue'));
}

async function logIn(page: Page, username: string): Promise<void> {
  await typeInto(page, field(page, 'Username'), username);
  await typeInto(page, field(page, 'Password'), canary);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Carrier connection' })).toBeVisible();
}

/** Everything that a page keeps beside its scripts. */
const keptByPage = (page: Page): Promise<string> =>
  page.evaluate(() =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      location.href,
      history.state,
      document.documentElement.outerHTML,
      [...document.querySelectorAll('input')].map(({ value }) => value),
    ]),
  );

test('by keyboard: a member is added and connected through two factors, a refused code and a lost stream', {
  tag: '@long',
}, async ({ app, page }) => {
  const startedMs = Date.now();
  await addWorkspace(page);
  await test.step('before it is set up, the way to set it up', async () => {
    await pressOn(page, page.getByRole('link', { name: 'Finish later' }));
    await pressOn(page, nav(page, 'Connections'));
    await expect(page.getByText('Connect isn’t set up in this workspace')).toBeVisible();
    await judge(page, 'not set up');
  });
  await test.step('the integration: a wrong secret key is said so, the right one is never shown', async () => {
    await setUp(page);
    await typeInto(page, field(page, 'Secret key'), 'sk_wrong');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'connect.secretRefused' }).first()).toBeVisible();
    await pressOn(page, button(page, 'Test token and key'));
    await expect(page.getByRole('alert').filter({ hasText: 'connect.secretRefused' }).first()).toBeVisible();
    await typeInto(page, field(page, 'Secret key'), sandbox.connect.secretKey);
    await expect(page.getByRole('alert').filter({ hasText: 'connect.secretRefused' })).toHaveCount(0);
    await page.keyboard.press('Enter');
    await expect(page.getByText('The service accepts the public token and the secret key.')).toBeVisible();
    expect(await keptByPage(page)).not.toContain(sandbox.connect.secretKey);
    await page.getByText('Other settings', { exact: true }).press('Enter');
    await pressOn(page, button(page, 'Names of headers…'));
    await judge(page, 'integration settings');
  });
  await test.step('demo data cannot be missed on any screen', async () => {
    const demo = page.getByRole('switch', { name: 'Demo data' });
    await pressOn(page, demo, 'Space');
    await pressOn(page, button(page, 'Save other settings'));
    for (const screen of ['Claims', 'Sync', 'Connections']) {
      await pressOn(page, nav(page, screen));
      await expect(page.getByRole('region', { name: 'Demo data' })).toBeVisible();
    }
    await judge(page, 'demo data');
    await goByName(page, 'Settings: Connect');
    await page.getByText('Other settings', { exact: true }).press('Enter');
    await pressOn(page, demo, 'Space');
    await pressOn(page, button(page, 'Save other settings'));
    await expect(page.getByRole('region', { name: 'Demo data' })).toHaveCount(0);
  });
  await test.step('the member: what is missing is said at the field, then it is added, twice', async () => {
    await goByName(page, 'Add member');
    await pressOn(page, button(page, 'Continue'));
    await expect(page.getByText('Enter the member’s email.')).toBeVisible();
    await expect(page.getByText('Choose an employer, or create a new one.')).toBeVisible();
    await expect(field(page, 'Email')).toBeFocused();
    await judge(page, 'member step');
    await addMember(page, 'dana.reyes@example.com', ['Dana', 'Reyes']);
    await addMember(page, 'dana.reyes@example.com', ['Dana', 'Reyes']);
    await judge(page, 'carrier step');
  });
  await test.step('the terms are text alone, and nothing of them runs', async () => {
    await chooseCarrier(page, 'two factor');
    const terms = page.frameLocator('iframe[title="Terms of use of the service"]');
    await expect(terms.getByText('By connecting your health plan')).toBeVisible();
    await expect(
      terms.locator('script, img, iframe, form, input, a, svg, base, link, [onclick], [style]'),
    ).toHaveCount(0);
    for (const frame of page.frames()) {
      expect(await frame.evaluate(() => 'termsHaveRun' in globalThis).catch(() => false)).toBe(false);
    }
    await expect(page.locator('iframe')).toHaveAttribute('sandbox', '');
    await judge(page, 'terms step');
    await consent(page);
  });
  await test.step('the login, in the carrier’s own form; a lock clears it', async () => {
    await pressOn(page, button(page, 'Submit the login'));
    await expect(page.getByText('Fill this in.').first()).toBeVisible();
    await judge(page, 'login step');
    await expect(field(page, 'Password')).toHaveAttribute('autocomplete', 'off');
    await logIn(page, 'dana.reyes');
  });
  await test.step('the carrier asks how, the stream is lost, and the choice still arrives', async () => {
    await expect(validation(page)).toContainText('Choose how to get the code', { timeout: 20_000 });
    expect(await keptByPage(page)).not.toContain(canary);
    await judge(page, 'method choice');
    await sandbox.control('POST', '/connect/drop-streams', { how: 'reset' });
    await page.reload();
    await tabTo(page, page.getByRole('radio', { name: 'Text to (***) ***-1234' }));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('radio', { name: 'Email to d***@example.com' })).toBeChecked();
    await pressOn(page, button(page, 'Send the code this way'));
    await expect(validation(page)).toContainText('Enter verification code', { timeout: 20_000 });
    await expect(page.getByText('Updating live.')).toBeVisible({ timeout: 20_000 });
  });
  await test.step('a second member beside it; the first waits, told on every screen', async () => {
    await addMember(page, 'sam.okafor@example.com', ['Sam', 'Okafor']);
    await chooseCarrier(page, 'test carrier');
    await consent(page);
    await logIn(page, 'sam.fast');
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
    await pressOn(page, nav(page, 'Claims'));
    await expect(page.getByText('Test Two Factor Carrier waits for an answer.')).toBeVisible();
    await pressOn(page, page.getByRole('link', { name: 'Answer' }));
  });
  await test.step('a refused code is asked for again, without the login', async () => {
    const submits = async (): Promise<number> => {
      const { data: requests } = await sandbox.control<{ data: { path: string; method: string }[] }>(
        'GET',
        '/requests',
      );
      return requests.filter(({ method, path }) => method === 'POST' && path.includes('/policy_holder'))
        .length;
    };
    const before = await submits();
    await typeInto(page, field(page, 'Code from the carrier'), '000000');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Wrong code. Ask for a new one.')).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText('The code you entered is not correct. Please try again.')).toBeVisible();
    await expect(field(page, 'Code from the carrier')).toHaveValue('');
    await judge(page, 'refused code');
    await typeInto(page, field(page, 'Code from the carrier'), '123456');
    await page.keyboard.press('Enter');
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
    expect(await submits()).toBe(before);
    await judge(page, 'connected');
  });
  await test.step('the password is nowhere: not in the profile, its logs, the downloads, or a temporary file', async () => {
    const ownTemporary = readdirSync(tmpdir())
      .filter((name) => /claimdesk|playwright/i.test(name))
      .filter(
        (name) => (statSync(join(tmpdir(), name), { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedMs,
      )
      .map((name) => join(tmpdir(), name));
    const files = [dirname(app.downloadsDir), ...ownTemporary].flatMap(listFiles);
    expect(files.length).toBeGreaterThan(5);
    expect(isIn(Buffer.from(`x${canary}`), canary)).toBe(true);
    for (const path of files) expect(isIn(readIfThere(path), canary), path).toBe(false);
  });
});

test('a wrapped form is filled and connected; a validation begun elsewhere is answered from the window', {
  tag: '@long',
}, async ({ page }) => {
  /** Has the connection's existing login checked again, as the portal or another computer would. */
  const beginElsewhere = async (): Promise<string> => {
    const id = /\/connections\/(\d+)/.exec(page.url())?.[1] ?? '';
    await sandbox.control('POST', `/connect/policy-holders/${id}/validations`, { username: 'dana' });
    return id;
  };
  await addWorkspace(page);
  await setUp(page);
  await test.step('the form has every field of the carrier, and an empty submit asks for these alone', async () => {
    await addMember(page, 'dana.reyes@example.com', ['Dana', 'Reyes']);
    await chooseCarrier(page, 'lakeshore');
    await consent(page);
    await pressOn(page, button(page, 'Submit the login'));
    await expect(page.getByText('Fill this in.').filter({ visible: true })).toHaveCount(4);
    await expect(field(page, 'Password')).toHaveAttribute('type', 'password');
    await judge(page, 'wrapped form');
  });
  await test.step('filled in, it is submitted, and the carrier takes it', async () => {
    await page.getByRole('combobox', { name: 'Security question' }).click();
    await page.getByRole('option', { name: 'City you were born in?' }).click();
    await typeInto(page, field(page, 'Answer'), 'Cleveland');
    await logIn(page, 'dana.fast');
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
  });
  await test.step('a connection with two factors, and its validation begun elsewhere', async () => {
    await goByName(page, 'Add member');
    await pressOn(page, button(page, 'Connect a carrier for Dana Reyes'));
    await chooseCarrier(page, 'two factor');
    await consent(page);
    await logIn(page, 'dana.fast');
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
    const id = await beginElsewhere();
    await pressOn(page, nav(page, 'Connections'));
    await pressOn(page, page.getByRole('link', { name: /^View Test Two Factor Carrier/ }));
    await expect(page).toHaveURL(new RegExp(`/connections/${id}`));
  });
  await test.step('its question is asked here, and answered', async () => {
    await expect(validation(page)).toContainText('Choose how to get the code', { timeout: 20_000 });
    await expect(page.getByText(/^Started elsewhere, found/)).toBeVisible();
    await judge(page, 'validation begun elsewhere');
    await pressOn(page, page.getByRole('radio', { name: 'Text to (***) ***-1234' }), 'Space');
    await pressOn(page, button(page, 'Send the code this way'));
    await typeInto(page, field(page, 'Code from the carrier'), '123456');
    await page.keyboard.press('Enter');
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
  });
  await test.step('a result that stays unknown after the code is checked again by a button', async () => {
    await goByName(page, 'Add member');
    await pressOn(page, button(page, 'Connect a carrier for Dana Reyes'));
    await chooseCarrier(page, 'resting');
    await consent(page);
    await logIn(page, 'dana.single.undecided');
    await typeInto(page, field(page, 'Code from the carrier'), '123456');
    await page.keyboard.press('Enter');
    await expect(validation(page)).toContainText('Result unknown', { timeout: 20_000 });
    await judge(page, 'result unknown');
    const id = /\/connections\/(\d+)/.exec(page.url())?.[1] ?? '';
    await sandbox.control('PUT', `/connect/policy-holders/${id}`, { loginProblem: 'valid' });
    await pressOn(page, button(page, 'Check again'));
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
  });
});

test('a form asks for what its conditions want, masks its secret, and leaves a consent to the person', {
  tag: '@long',
}, async ({ page }) => {
  const shown = (text: string) => page.getByText(text).filter({ visible: true });
  const fault = shown('Fill this in.');
  const choose = (box: string, option: string) =>
    chooseByTyping(page, page.getByRole('combobox', { name: box }), option);
  const agree = page.getByRole('checkbox', { name: 'The member allows the carrier to share their claims' });
  const submits = async (): Promise<number> => {
    const { data } = await sandbox.control<{ data: { path: string; method: string }[] }>('GET', '/requests');
    return data.filter(({ method, path }) => method === 'POST' && path.endsWith('/policy_holder')).length;
  };
  await addWorkspace(page);
  await setUp(page);
  await addMember(page, 'dana.reyes@example.com', ['Dana', 'Reyes']);
  await chooseCarrier(page, 'form carrier');
  await consent(page);
  await test.step('before anything is chosen neither secret is there, and nobody has agreed', async () => {
    await expect(agree).not.toBeChecked();
    await expect(field(page, 'PIN')).toHaveCount(0);
    await expect(field(page, 'Password')).toHaveCount(0);
    await pressOn(page, button(page, 'Submit the login'));
    await expect(fault).toHaveCount(3);
    await expect(shown('The carrier requires this box to be checked.')).toHaveCount(1);
    await judge(page, 'form with conditions');
  });
  await test.step('each way of signing in asks for its own secret, masked', async () => {
    await choose('Signs in with', 'A password');
    await expect(field(page, 'Password')).toHaveAttribute('type', 'password');
    await typeInto(page, field(page, 'Password'), canary);
    await choose('Signs in with', 'A PIN');
    await expect(field(page, 'Password')).toHaveCount(0);
    await expect(field(page, 'PIN')).toHaveAttribute('type', 'password');
  });
  await test.step('a field asks for another, and what is not shown is not sent', async () => {
    await choose('Plan', 'Not sure');
    await typeInto(page, field(page, 'Payer ID on the card'), 'P-7');
    await typeInto(page, field(page, 'Email at the carrier'), 'dana@at-the-carrier.example');
    await pressOn(page, agree, 'Space');
    await typeInto(page, field(page, 'Username'), 'dana.fast');
    await typeInto(page, field(page, 'PIN'), '47');
    await pressOn(page, button(page, 'Submit the login'));
    await expect(shown('The carrier expects this in another form.')).toHaveCount(1);
    await expect(page.getByLabel('Date on the card')).toBeVisible();
    await expect(fault).toHaveCount(1);
    expect(await submits()).toBe(0);
    await judge(page, 'form with what its conditions want');
    await page.getByLabel('Date on the card').fill('2024-02-29');
    await typeInto(page, field(page, 'PIN'), '4711');
    await page.keyboard.press('Enter');
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
    expect(await submits()).toBe(1);
    expect(await keptByPage(page)).not.toContain(canary);
  });
});

test('a broken login is fixed, and a member signs in at the carrier’s own page', { tag: '@long' }, async ({
  page,
  app,
}) => {
  await addWorkspace(page);
  await setUp(page);
  await test.step('a login that the carrier refuses is told with the next step', async () => {
    await addMember(page, 'dana.reyes@example.com', ['Dana', 'Reyes']);
    await chooseCarrier(page, 'test carrier');
    await consent(page);
    await logIn(page, 'dana.invalid');
    await expect(validation(page)).toContainText('Not connected', { timeout: 20_000 });
    await expect(page.getByText('The carrier did not accept this username and password.')).toBeVisible();
    await judge(page, 'failed');
  });
  await test.step('it comes first among the connections, and leads to where it is corrected', async () => {
    await pressOn(page, nav(page, 'Connections'));
    await pressOn(page, button(page, 'Refresh all'));
    const first = page.getByRole('list', { name: 'Connections' }).getByRole('listitem').first();
    await expect(first).toContainText('Action required');
    await expect(first).toContainText('Your carrier no longer accepts this username and password.');
    await judge(page, 'connections');
    await pressOn(page, first.getByRole('link', { name: /^Update login/ }));
  });
  await test.step('the carrier’s reason stands above the form, which has the username already', async () => {
    const reason = page.getByRole('blockquote');
    await expect(reason).toHaveText(/Your carrier no longer accepts this username and password/);
    await expect(
      page.getByText('The member accepted the terms of use before, and they haven’t changed since.'),
    ).toBeVisible();
    await expect(field(page, 'Username')).toHaveValue('dana.invalid');
    await expect(field(page, 'Password')).toHaveValue('');
    await judge(page, 'correction');
  });
  await test.step('a lock clears the form; then the corrected login works', async () => {
    await sandbox.control('PUT', '/connect/settings', { crawlMs: 3_600_000 });
    await typeInto(page, field(page, 'Password'), canary);
    await page.keyboard.press('ControlOrMeta+Shift+L');
    await typeInto(page, field(page, 'Unlock passphrase'), passphrase);
    await page.keyboard.press('Enter');
    await pressOn(page, nav(page, 'Connections'));
    const connection = page.getByRole('list', { name: 'Connections' }).getByRole('listitem').first();
    await expect(connection).toBeVisible();
    expect(await keptByPage(page)).not.toContain(canary);
    expect(await keptByPage(page)).not.toContain('dana.invalid');
    await pressOn(page, connection.getByRole('link', { name: /^Update login/ }));
    await logIn(page, 'dana.fast');
    await expect(validation(page)).toContainText('Connected', { timeout: 20_000 });
  });
  await test.step('connected before its first claims; then these are counted', async () => {
    const status = page.getByRole('region', { name: 'Connection status' });
    await expect(status).toContainText('Connected. Claims haven’t arrived yet.', { timeout: 20_000 });
    await expect(status).not.toContainText('update the login');
    await sandbox.control('PUT', '/connect/settings', { crawlMs: 0 });
    await pressOn(page, button(page, 'Refresh status'));
    await expect(status).toContainText('New claims arrive with each update.');
    await expect(status).toContainText(/Claims synced\s*5/);
    await expect(status).toContainText(/Newest claim\s*\d\d\/\d\d\/\d{4}/);
    await judge(page, 'connection');
  });
  await test.step('a dependent’s login at a carrier in use; a migrating carrier that leads nowhere is said so', async () => {
    const { connections } = await sandbox.control<{ connections: { id: number }[] }>('GET', '/connect');
    const id = connections[0]?.id;
    await sandbox.control('PUT', `/connect/policy-holders/${id}`, {
      loginProblem: 'migrating',
      lastCrawlEnd: null,
    });
    await pressOn(page, button(page, 'Refresh status'));
    await pressOn(page, button(page, 'Connect new carrier'));
    await expect(
      page.getByRole('alert').filter({ hasText: 'connect.newCarrierUnknown' }).first(),
    ).toBeVisible();
    await judge(page, 'migrating');
    await pressOn(page, page.getByRole('link', { name: 'Add dependent’s login' }));
    await expect(page.getByRole('heading', { name: 'Terms of use' })).toBeVisible();
    await expect(page.getByText('Dana Reyes · Newly Founded, Inc.')).toBeVisible();
  });
  await test.step('Patient Access: the host first, then the page outside; a refusal is told', async () => {
    await goByName(page, 'Add member');
    await pressOn(page, button(page, 'Connect a carrier for Dana Reyes'));
    await chooseCarrier(page, 'patient access');
    await consent(page);
    await walkCarrierPage(page, 'Do not allow');
    await expect(page.getByText('Not connected').first()).toBeVisible({ timeout: 30_000 });
    await judge(page, 'sign-in refused');
    await pressOn(page, button(page, 'Begin again'));
  });
  await test.step('begun again and allowed, found anew after a reload', async () => {
    await walkCarrierPage(page, 'Allow', async () => {
      await pressOn(page, nav(page, 'Connections'));
      await page.reload();
      await expect(page.getByRole('region', { name: 'Sign-in of Dana Reyes' })).toBeVisible();
      await judge(page, 'sign-in found again');
    });
    await expect(page.getByRole('link', { name: 'See the connection' })).toBeVisible({ timeout: 30_000 });
    expect(app.isElectron).toBeDefined();
  });

  /** Asks for the carrier’s page, and does there what a member would, in a window of its own. */
  async function walkCarrierPage(
    desk: Page,
    decision: 'Allow' | 'Do not allow',
    meanwhile?: () => Promise<void>,
  ): Promise<void> {
    const url = await openCarrierPage(desk);
    await meanwhile?.();
    await signInAtCarrier(await desk.context().newPage(), url, decision);
  }
});

/** Asks for the carrier’s page and opens it; resolves to its address. */
async function openCarrierPage(desk: Page): Promise<string> {
  await pressOn(desk, button(desk, 'Ask for the carrier’s page'));
  const { host } = new URL(sandbox.baseUrl);
  await expect(desk.getByText(host).first()).toBeVisible();
  await judge(desk, 'sign-in ready');
  await pressOn(desk, button(desk, `Open ${host}`));
  const link = desk.getByRole('link', { name: /^the carrier’s page at/ });
  await expect(link).toBeVisible();
  return (await link.getAttribute('href')) ?? '';
}

async function signInAtCarrier(member: Page, url: string, decision: 'Allow' | 'Do not allow'): Promise<void> {
  await member.goto(url);
  await member.getByLabel('Username').fill('dana');
  await member.getByLabel('Password').fill(canary);
  await member.getByRole('button', { name: 'Sign in' }).click();
  await member.getByRole('button', { name: decision, exact: true }).click();
  await expect(member.getByText('You can close this window.')).toBeVisible();
  // A page closed while it still loads may never tell that it is closed.
  await member.waitForLoadState('networkidle');
  await member.close();
}

test('a sign-in at a carrier’s page that the member leaves, and one that outlives a restart of the app', {
  tag: '@long',
}, async ({ page, app }) => {
  await addWorkspace(page);
  await setUp(page);
  await addMember(page, 'dana.reyes@example.com', ['Dana', 'Reyes']);
  await chooseCarrier(page, 'patient access');
  await consent(page);
  await test.step('a member who leaves the page is waited for, and can open it again', async () => {
    const url = await openCarrierPage(page);
    const member = await page.context().newPage();
    await member.goto(url);
    await expect(member.getByLabel('Username')).toBeVisible();
    await member.waitForLoadState('networkidle');
    await member.close();
    await expect(button(page, 'Open the page again')).toBeVisible();
    await expect(page.getByText('The member signs in at the carrier’s page.')).toBeVisible();
  });
  await test.step('when the carrier waits no longer, it is said in its words, and begins again', async () => {
    // The carrier's clock is set an hour ahead.
    await sandbox.control('POST', '/clock', { skewSeconds: 3600 });
    await expect(page.getByText('Not connected').first()).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('The carrier closed the sign-in page because nobody came.')).toBeVisible();
    await sandbox.control('POST', '/clock', { skewSeconds: 0 });
    await judge(page, 'sign-in left');
    await pressOn(page, button(page, 'Begin again'));
  });
  await test.step('one that the service knows no longer counts as left, and begins again too', async () => {
    await openCarrierPage(page);
    await sandbox.control('PUT', '/faults', [{ kind: 'status', status: 404, route: 'connect-interop' }]);
    await expect(page.getByText('The sign-in at the carrier’s page wasn’t finished.')).toBeVisible({
      timeout: 30_000,
    });
    await sandbox.control('DELETE', '/faults');
    await pressOn(page, button(page, 'Begin again'));
  });
  const url = await openCarrierPage(page);
  const restarted = await app.restart();
  const signIn = restarted.getByRole('region', { name: 'Sign-in of Dana Reyes' });
  await test.step('the sign-in is there after a restart, and what the member then does is heard', async () => {
    await pressOn(restarted, nav(restarted, 'Connections'));
    await expect(signIn).toContainText('The member signs in at the carrier’s page.');
    await expect(button(restarted, 'Open the page again')).toBeVisible();
    await signInAtCarrier(await restarted.context().newPage(), url, 'Allow');
    await expect(signIn).toContainText('The member has agreed; the carrier is connected.', {
      timeout: 30_000,
    });
    await pressOn(restarted, signIn.getByRole('link', { name: 'See the connection' }));
    await expect(restarted.getByRole('region', { name: 'Connection status' })).toContainText('Connected');
  });
  await test.step('one that is over is not found after the next restart', async () => {
    const last = await app.restart();
    await pressOn(last, nav(last, 'Connections'));
    await expect(last.getByRole('list', { name: 'Connections' })).toContainText('Patient Access');
    await expect(last.getByRole('region', { name: 'Sign-in of Dana Reyes' })).toHaveCount(0);
  });
});
