import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noRecords, press, renderScreen, workspace } from '../../../support/render-screen.tsx';

const namesIn = (within_: Element) => [...within_.querySelectorAll('a')].map((link) => link.textContent);

test('work is first, then records and insight; the bottom has what is seldom needed', async () => {
  window.localStorage.clear();
  renderScreen('/start', {
    ...noRecords,
    'worklists:counts': {
      isCurrent: true,
      hasReadAll: true,
      connections: 5,
      worklists: [{ id: 'toDecide', claims: 111 }],
    },
    'records:getSummary': { claims: 400, members: 60, archivedMembers: 2 },
  });
  const main = await screen.findByRole('navigation', { name: 'Main' });
  await within(main).findByText('400');
  const worklists = within(main).getByRole('navigation', { name: 'Worklists' });
  expect(namesIn(worklists)).toHaveLength(7);
  expect(namesIn(worklists)[0]).toBe('To decide111');
  const names = namesIn(main);
  expect(names[0]).toBe('Start');
  expect(names.slice(8)).toEqual([
    ...['Claims400', 'Members58', 'Employers'],
    ...['Reports', 'Connections5'],
    ...['Sync', 'Settings', 'Help'],
  ]);
  within(main).getByRole('button', { name: 'Lock' });
});

test.each([
  ['/claims', ['Claims', 'Claim lines'], /^Claims/],
  ['/dependents', ['Members', 'Dependents'], /^Members/],
  ['/tenants', ['Employers', 'Tenants'], /^Employers/],
  ['/insights', ['Reports', 'Insights'], /^Reports/],
  ['/changes', ['Sync', 'What changed'], /^Sync/],
] as const)('%s is a tab of a page of the sidebar, which is marked', async (path, tabs, marked) => {
  renderScreen(path, { ...noRecords, 'records:listTenants': {}, 'sync:listChanges': {} });
  const nav = await screen.findByRole('navigation', { name: 'Tabs' });
  expect(namesIn(nav)).toEqual(tabs);
  expect(nav.querySelectorAll('[aria-current="page"]')).toHaveLength(1);
  const main = within(screen.getByRole('navigation', { name: 'Main' }));
  const link = main.getByRole('link', { name: marked });
  expect(link.matches('[data-status="active"], [data-open]')).toBe(true);
});

test('during a first sync nothing shows 0, and numbers that still grow are marked', async () => {
  window.localStorage.clear();
  renderScreen('/worklists/toDecide', {
    ...noRecords,
    'worklists:counts': { isCurrent: true, hasReadAll: false, worklists: [{ id: 'toDecide', claims: 0 }] },
    'records:getSummary': { claims: 400 },
    'sync:getStatus': { running: { phase: 'claims', pass: 1 } },
  });
  const main = await screen.findByRole('navigation', { name: 'Main' });
  await within(main).findByText('400…');
  const names = namesIn(main);
  expect(names.filter((name) => /\d/.test(name ?? ''))).toEqual(['Claims400…']);
  expect(names).toContain('Members…');
  expect(names).toContain('To decide…');
  const page = within(screen.getByRole('main'));
  await page.findByText('… claims: still counting');
  await page.findByText('… claims');
  expect(page.queryByText(/\b0 claims/)).toBeNull();
});

test('before the first sync the navigation shows no counts except those of claims read alone', async () => {
  window.localStorage.clear();
  renderScreen('/start', {
    ...noRecords,
    'worklists:counts': { isCurrent: true, hasReadAll: false, worklists: [{ id: 'toPay', claims: 1 }] },
    'records:getSummary': { claims: 3 },
    'sync:getStatus': {},
  });
  const main = await screen.findByRole('navigation', { name: 'Main' });
  await within(main).findByText('3');
  await within(main).findByText('1…');
  expect(namesIn(main).filter((name) => /…|\d/.test(name ?? ''))).toEqual(['To pay1…', 'Claims3']);
});

test('a list has its tabs, and its parts as chips; the sidebar marks the list', async () => {
  renderScreen('/worklists/pending', {
    ...noRecords,
    'worklists:counts': {
      isCurrent: true,
      hasReadAll: true,
      worklists: [
        { id: 'exceptions', claims: 30 },
        { id: 'pending', claims: 12 },
        { id: 'noSplit', claims: 18 },
        { id: 'highCost', claims: 2 },
      ],
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Exceptions' });
  const chips = screen.getByRole('navigation', { name: 'Parts of the list' });
  await within(chips).findByText('30');
  expect(namesIn(chips)).toEqual(['All30', 'Split missing18', 'Pending too long12']);
  expect(chips.querySelector('[data-open]')?.textContent).toBe('Pending too long12');
  const tabs = screen.getByRole('navigation', { name: 'Tabs' });
  await within(tabs).findByText('30');
  expect(namesIn(tabs)).toEqual([
    'Exceptions30',
    'Disagrees with the carrier0',
    'High cost2',
    'Letter no longer true0',
  ]);
  const worklists = screen.getByRole('navigation', { name: 'Worklists' });
  expect(worklists.querySelector('[data-open]')?.textContent).toBe('Exceptions30');
  fireEvent.click(within(worklists).getByRole('link', { name: /^To pay/ }));
  await screen.findByRole('heading', { level: 1, name: 'To pay' });
  await screen.findByRole('link', { name: 'Runs' });
  const ofPay = screen.getByRole('navigation', { name: 'Tabs' });
  expect(namesIn(ofPay)).toEqual(['To pay0', 'Runs', 'Rejected by the payer0', 'Owed back0']);
});

test('in a team, Second look counts the claims of its tabs together', async () => {
  renderScreen('/start', {
    ...noRecords,
    'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reviewer' },
    'worklists:counts': {
      isCurrent: true,
      hasReadAll: true,
      worklists: [
        { id: 'decidedTwice', claims: 1 },
        { id: 'paidTwice', claims: 2 },
        { id: 'qualityCheck', claims: 40 },
      ],
    },
  });
  const main = within(await screen.findByRole('navigation', { name: 'Main' }));
  await main.findByRole('link', { name: /^Second look\s*43$/ });
});

test('another workspace opens with its Start', async () => {
  let activeId = workspace.id;
  const other = { ...workspace, id: 'v', name: 'Back office' };
  renderScreen('/reports', {
    ...noRecords,
    'worklists:report': {},
    'workspaces:list': () => ({ workspaces: [workspace, other], activeId }),
    'workspaces:activate': ({ workspaceId }) => {
      activeId = workspaceId;
      return other;
    },
  });
  // The menu finds nothing to focus without layout, and warns with 5,000 lines about its element.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  await press('Workspace: Front desk');
  fireEvent.click(await screen.findByText('Back office'));
  await expect.poll(() => window.location.hash).toBe('#/start');
});

test.each([
  ['/worklists/waiting', 'Waiting'],
  ['/claims', 'Claims'],
])('the link of the list on screen makes it again: %s', async (address, name) => {
  let rows = [{ id: 7, patient_name: 'Ana 7' }];
  renderScreen(address, {
    ...noRecords,
    'records:findRanges': {},
    'records:begin': () => ({ snapshotId: `s${rows.length}`, total: rows.length, rows }),
    'records:getWindow': () => ({ rows }),
  });
  const cell = await screen.findByText('Ana 7');
  // The user works in the list, so that it stays unchanged.
  fireEvent.pointerDown(cell);
  fireEvent.keyDown(cell, { key: 'x' });
  rows = [...rows, { id: 8, patient_name: 'Ana 8' }];
  const main = screen.getByRole('navigation', { name: 'Main' });
  fireEvent.click(within(main).getByRole('link', { name: new RegExp(`^${name}`) }));
  await screen.findByText('Ana 8');
});
