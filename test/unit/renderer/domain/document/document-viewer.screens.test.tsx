import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { DocumentViewer } from '../../../../../src/renderer/domain/document/document-viewer.tsx';
import { failed, renderPart } from '../../../../support/render-screen.tsx';

const attached = {
  ...{
    id: 'd',
    earlierIds: [],
    at: '2026-11-01T09:00:00.000Z',
    author: 'desk@example.com',
    day: '2026-11-01',
  },
  ...{ document: 'receipt' as const, name: 'note.txt', type: 'text' as const, bytes: 12, sufficient: null },
  sha256: 'a'.repeat(64),
};
const of = { workspaceId: 'w', claimId: 7, document: attached, isOfTeam: false };
const read = { file: btoa('Paid in cash'), type: 'text' as const };

async function askToPrint() {
  fireEvent.click(await screen.findByRole('button', { name: 'Print…' }));
  fireEvent.click(await screen.findByText('Audit'));
  fireEvent.click(await screen.findByRole('button', { name: 'Print' }));
}

test('a document is printed alone, once the audit log has recorded it, and the focus stays here', async () => {
  const printed: (string | null | undefined)[] = [];
  vi.stubGlobal('print', () =>
    printed.push(document.body.dataset.printing, document.querySelector('[data-print-sheet]')?.textContent),
  );
  const { calls } = renderPart(<DocumentViewer {...of} />, {
    'documents:read': read,
    'documents:auditPrinted': {},
  });
  await askToPrint();
  await waitFor(() => expect(printed).toEqual(['list', 'Paid in cash']));
  expect(calls.indexOf('documents:auditPrinted')).toBeGreaterThan(0);
  window.dispatchEvent(new Event('afterprint'));
  const button = await screen.findByRole('button', { name: 'Print…' });
  expect(document.activeElement).toBe(button);
  await waitFor(() => expect(document.body.dataset.printing).toBeUndefined());
});

test('a document is not printed if the audit log can’t record it', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  renderPart(<DocumentViewer {...of} />, {
    'documents:read': read,
    'documents:auditPrinted': failed('disk.full'),
  });
  await askToPrint();
  await screen.findByText('Couldn’t print');
  expect(print).not.toHaveBeenCalled();
});

test('as much of a long text is printed as is shown', async () => {
  const printed: number[] = [];
  vi.stubGlobal('print', () =>
    printed.push(document.querySelector('[data-print-sheet]')?.textContent?.length ?? 0),
  );
  renderPart(<DocumentViewer {...of} />, {
    'documents:read': { ...read, file: btoa('x'.repeat(1_200_000)) },
    'documents:auditPrinted': {},
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Print…' }));
  await screen.findByText('Only the first megabyte is printed.');
  fireEvent.click(await screen.findByText('Audit'));
  fireEvent.click(await screen.findByRole('button', { name: 'Print' }));
  await waitFor(() => expect(printed).toEqual([1_000_000]));
});

test('a document that a colleague’s computer has not sent yet is shown once it has arrived', async () => {
  let isSent = false;
  const { calls, tell } = renderPart(<DocumentViewer {...of} isOfTeam />, {
    'documents:read': () => (isSent ? read : failed('document.notArrived')),
  });
  await screen.findByText('On desk@example.com’s computer, not sent yet');
  isSent = true;
  tell('team:changed', { workspaceId: 'w' });
  await screen.findByText('Paid in cash');
  tell('team:changed', { workspaceId: 'w' });
  expect(calls.filter((name) => name === 'documents:read')).toHaveLength(2);
});
