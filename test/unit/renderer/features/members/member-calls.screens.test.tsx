import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { subjectOfMember } from '../../../../../src/rules/review/member-subject.ts';
import type { ReviewNote } from '../../../../../src/rules/review/review-parts.ts';
import {
  type Answers,
  noRecords,
  press,
  pressKey,
  renderScreen,
  whenReady,
} from '../../../../support/render-screen.tsx';

const callAt = (hour: number, more: Partial<ReviewNote> = {}): ReviewNote => ({
  ...{ id: `c${hour}`, text: `At ${hour}`, at: `2026-11-20T${10 + hour}:00:00.000Z` },
  ...{ author: 'ann@acme.example', editedAt: null, claimIds: [], ...more },
});

function openMember(notes: ReviewNote[], sent: object[] = [], answers: Answers = {}) {
  renderScreen('/members/7', {
    ...noRecords,
    'records:getMember': { member: { id: 7, first_name: 'Ana', last_name: 'Diaz' } },
    'reviews:get': ({ claimId }) => ({ claimId, notes: claimId === subjectOfMember(7) ? [...notes] : [] }),
    'reviews:act': (called) => {
      sent.push(called);
      notes.push(callAt(9, { text: 'Asked about a denial' }));
      return { eventId: 'c9', claims: 1, leftOut: [], notKnown: [], needsSecond: [], unchanged: 0 };
    },
    ...answers,
  });
}

test('a member’s calls are shown newest first with links to their claims, three if there are many', async () => {
  const linked = Array.from({ length: 10 }, (_none, at) => 40_000 + at);
  openMember([callAt(1), callAt(2), callAt(3), callAt(4, { claimIds: linked })]);
  const calls = within(await screen.findByRole('region', { name: 'Calls (4)' }));
  const texts = () => calls.getAllByText(/^At /).map(({ textContent }) => textContent);
  expect(texts()).toEqual(['At 4', 'At 3', 'At 2']);
  expect(calls.getAllByRole('link')).toHaveLength(4);
  expect(calls.getByRole('link', { name: '40000' }).getAttribute('href')).toContain('/claims/40000');
  await whenReady();
  await press('6 more');
  expect(calls.getAllByRole('link')).toHaveLength(10);
  await press('Show all 4 calls');
  expect(texts()).toEqual(['At 4', 'At 3', 'At 2', 'At 1']);
  // Somebody else wrote them.
  expect(calls.queryByRole('button', { name: 'Edit call' })).toBeNull();
});

test('the key of a call asks for its text, which Esc keeps and Ctrl Enter saves', async () => {
  const sent: object[] = [];
  const complain = vi.spyOn(console, 'error');
  onTestFinished(() => complain.mockRestore());
  openMember([], sent);
  await screen.findByRole('button', { name: 'Log this call' });
  expect(screen.queryByRole('region', { name: /Calls/ })).toBeNull();
  await whenReady();
  await pressKey('l');
  const dialog = await screen.findByRole('dialog', { name: 'Call with Ana Diaz' });
  const field = within(dialog).getByRole('textbox', { name: 'What the call was about' });
  fireEvent.change(field, { target: { value: 'Asked about a denial ' } });
  fireEvent.keyDown(field, { key: 'Escape', code: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await pressKey('l');
  const again = await screen.findByRole('textbox', { name: 'What the call was about' });
  expect((again as HTMLTextAreaElement).value).toBe('Asked about a denial ');
  await whenReady();
  fireEvent.keyDown(again, { key: 'Enter', code: 'Enter', ctrlKey: true });
  await screen.findByRole('region', { name: 'Calls (1)' });
  expect(sent).toEqual([
    {
      ...{ workspaceId: 'w', target: { claimIds: [subjectOfMember(7)] } },
      act: { kind: 'note', text: 'Asked about a denial' },
      acceptsEarly: false,
    },
  ]);
  // React complains where a part is updated while another one is rendered.
  expect(complain).not.toHaveBeenCalled();
});

test('while earlier reviews of the team are read, no call is logged, and the page says why', async () => {
  const sent: object[] = [];
  openMember([], sent, {
    'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reviewer', earlier: 'reading' },
  });
  await screen.findByText(/^This computer is still reading what your team has done/);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Log this call' }).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Attach file…' })).toBeNull();
  fireEvent.keyDown(document.body, { key: 'l' });
  expect(screen.queryByRole('dialog')).toBeNull();
});
