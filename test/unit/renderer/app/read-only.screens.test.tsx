import { fireEvent, screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ExportReviews, ImportReviews } from '../../../../src/renderer/features/reviews/hand-over.tsx';
import {
  failed,
  noRecords,
  press,
  renderPart,
  renderScreen,
  whenReady,
} from '../../../support/render-screen.tsx';

test('a second window says that it is read-only, and why an act was not saved', async () => {
  const { calls } = renderScreen('/claims/7', {
    ...noRecords,
    'app:getInfo': { isReadOnly: true },
    'reviews:get': { claimId: 7 },
    'reviews:act': failed('profile.busy'),
  });
  await screen.findByText(/This window is read-only\./);
  await screen.findByRole('button', { name: 'Flag' });
  await whenReady();
  await press('Flag');
  await screen.findByText('Couldn’t save the review of claim 7');
  expect(calls).toContain('reviews:act');
});

const inTeam = { 'team:listMembers': {}, 'leases:list': {}, 'leases:show': {} } as const;
const reader = {
  ...inTeam,
  'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reader' },
} as const;
const reading = {
  ...inTeam,
  'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reviewer', earlier: 'reading' },
} as const;
const readers = [
  {
    who: 'who can only read in the team',
    answers: reader,
    reason: /^Your role in the team is reader, so you/,
  },
  {
    who: 'who has not read all that the team did',
    answers: reading,
    reason: /^This computer is still reading what your team has done/,
  },
];

test.each(readers)(
  '$who sees the controls of a review disabled, with the reason, and its keys do nothing',
  async ({ answers, reason }) => {
    const { calls } = renderScreen('/claims/7', {
      ...noRecords,
      ...answers,
      'reviews:get': { claimId: 7, state: 'todo' },
    });
    await screen.findByText(reason);
    const flag = await screen.findByRole<HTMLButtonElement>('button', { name: 'Flag' });
    expect(flag.disabled).toBe(true);
    const eligible = await screen.findByRole('button', { name: /^Eligible/ });
    expect(eligible.closest('fieldset[disabled]')).not.toBeNull();
    const letter = await screen.findByRole('button', { name: 'Letter…' });
    expect(letter.closest<HTMLElement>('fieldset[disabled]')?.title).toMatch(reason);
    expect(screen.queryByRole('button', { name: 'Attach file…' })).toBeNull();
    fireEvent.keyDown(document.body, { key: 'm' });
    fireEvent.keyDown(document.body, { key: 'e' });
    expect(calls).not.toContain('reviews:act');
  },
);

test.each(readers)(
  '$who can compare duplicates without judging them, by button or key',
  async ({ answers, reason }) => {
    const { calls } = renderScreen('/claims/7/duplicates', {
      ...noRecords,
      ...answers,
      'duplicates:of': { pairs: [{ left: 7, right: 8, kind: 'exact', isOpen: true }] },
    });
    await screen.findByText(reason);
    for (const name of [/^Mark 7 as duplicate/, /^Not a duplicate/]) {
      const judge = await screen.findByRole('button', { name });
      expect(judge.closest('fieldset[disabled]')).not.toBeNull();
    }
    for (const key of ['5', 'u']) fireEvent.keyDown(document.body, { key });
    expect(calls).not.toContain('reviews:act');
  },
);

test('a reader exports reviews, and imports none', async () => {
  renderPart(
    <>
      <ExportReviews />
      <ImportReviews />
    </>,
    reader,
  );
  const load = await screen.findByRole('button', { name: 'Import reviews…' });
  await screen.findByText(/^Your role in the team is reader, so you can’t change reviews\./);
  expect(load.closest('fieldset[disabled]')).not.toBeNull();
  const save = screen.getByRole('button', { name: /^Export reviews/ });
  expect(save.closest('fieldset[disabled]')).toBeNull();
});
