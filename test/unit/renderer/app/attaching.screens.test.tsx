import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { noRecords, renderScreen, whenReady, workspace } from '../../../support/render-screen.tsx';

test('a file dropped for one workspace is not attached in another', async () => {
  let activeId = workspace.id;
  renderScreen('/members/7', {
    ...noRecords,
    'workspaces:list': () => ({
      workspaces: [workspace, { ...workspace, id: 'w2', name: 'Other' }],
      activeId,
    }),
    'workspaces:activate': ({ workspaceId }: { workspaceId: string }) => {
      activeId = workspaceId;
      return { ...workspace, id: workspaceId };
    },
    'records:getMember': { member: { id: 7, full_name_derived: 'Ann Lee' } },
    'reviews:get': ({ claimId }: { claimId: number }) => ({ claimId }),
    'documents:match': { matches: [] },
    'records:listTenants': {},
  } as never);
  await screen.findByText(/Documents \(0\)/);
  await whenReady();
  const drop = Object.assign(new Event('drop', { bubbles: true }), {
    dataTransfer: { files: [new File(['says'], 'r.txt')], types: ['Files'] },
  });
  window.dispatchEvent(drop);
  await screen.findByText('Attach file: member');
  fireEvent.keyDown(document.body, { key: 'k', code: 'KeyK', ctrlKey: true });
  fireEvent.click(await screen.findByText('Open workspace Other'));
  await waitFor(() => expect(activeId).toBe('w2'));
  await waitFor(() => expect(screen.queryByText('Attach file: member')).toBeNull());
});
