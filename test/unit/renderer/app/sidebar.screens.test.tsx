import { fireEvent, screen, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { noRecords, press, renderScreen, workspace } from '../../../support/render-screen.tsx';

const namesIn = (within_: Element) => [...within_.querySelectorAll('a')].map((link) => link.textContent);

test('work comes first, then records and insight; the foot has what is seldom needed', async () => {
  window.localStorage.clear();
  renderScreen('/start', {
    ...noRecords,
    'worklists:counts': { isCurrent: true, connections: 5, worklists: [{ id: 'ready', claims: 111 }] },
    'records:getSummary': { claims: 400, members: 60, archivedMembers: 2 },
  });
  const main = await screen.findByRole('navigation', { name: 'Main' });
  await within(main).findByText('400');
  const worklists = within(main).getByRole('navigation', { name: 'Worklists' });
  expect(namesIn(worklists)).toHaveLength(7);
  expect(namesIn(worklists)[0]).toBe('Ready to review111');
  const names = namesIn(main);
  expect(names[0]).toBe('Start');
  expect(names.slice(8)).toEqual([
    ...['Claims400', 'Members58', 'Dependents0', 'Claim lines0', 'Employers', 'Tenants'],
    ...['Insights', 'Reports', 'Runs', 'What changed', 'Connections5'],
    ...['Sync', 'Settings', 'Help'],
  ]);
  within(main).getByRole('button', { name: 'Lock' });
});

test('the other worklists are under More, and stay there for the next start', async () => {
  window.localStorage.clear();
  renderScreen('/start', noRecords);
  fireEvent.click(await screen.findByRole('button', { name: 'More' }));
  await screen.findByRole('link', { name: /^High cost/ });
  expect(screen.getByRole('button', { name: 'Less' }).getAttribute('aria-expanded')).toBe('true');
  expect(window.localStorage.getItem('claimdesk-worklists-more')).toBe('true');
  window.localStorage.clear();
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
  // Without layout the menu finds nothing to focus, and warns with 5,000 lines about its element.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  await press('Workspace: Front desk');
  fireEvent.click(await screen.findByText('Back office'));
  await expect.poll(() => window.location.hash).toBe('#/start');
});
