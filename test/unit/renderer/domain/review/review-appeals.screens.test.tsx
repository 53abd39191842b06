import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { beforeAll, expect, test } from 'vitest';
import type { Input } from '../../../../../src/contract/procedures.ts';
import {
  type Answers,
  noRecords,
  press,
  renderScreen,
  whenReady,
  workspace,
} from '../../../../support/render-screen.tsx';

// Text areas that grow listen for fonts, which this document lacks.
beforeAll(() => void Object.assign(document, { fonts: new EventTarget() }));

const acts: unknown[] = [];
const appeal = {
  ...{ id: 'a1', direction: 'received', asker: 'member', level: 1, day: '2026-10-02', due: '2026-12-01' },
  ...{ reason: 'It was preventive.', author: 'ben@example.com', at: '2026-10-02T12:00:00.000Z' },
  ...{ deciders: [workspace.email], answered: null },
} as const;
const answersFor = (appeals: readonly object[], more: Answers = {}): Answers => ({
  ...noRecords,
  'reviews:get': { claimId: 7, state: 'done', outcome: 'notEligible', appeals: appeals as never },
  'reviews:act': ({ act }: Input<'reviews:act'>) => {
    acts.push(act);
    return { leftOut: [] };
  },
  ...more,
});
const ofTeam: Answers = {
  'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reviewer' },
};
const findDialog = async () => within(await screen.findByRole('dialog'));
const pressReady = async (name: string) => {
  await screen.findByRole('button', { name });
  await whenReady();
  await press(name);
};

test('a press on a claim that is being left opens neither an appeal nor a letter', async () => {
  renderScreen('/claims/7', answersFor([]));
  await screen.findByRole('button', { name: 'Add appeal…' });
  await whenReady();
  window.history.pushState({}, '', '#/claims/8');
  // The address has changed, and the page has not yet.
  fireEvent.click(screen.getByRole('button', { name: 'Add appeal…' }));
  fireEvent.click(screen.getByRole('button', { name: 'Letter…' }));
  await screen.findByRole('heading', { level: 1, name: /Claim/ });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an appeal is added to a declined claim; its day is set, and its answer is due by the employer’s rules', async () => {
  renderScreen('/claims/7', answersFor([]));
  await pressReady('Add appeal…');
  const dialog = await findDialog();
  fireEvent.change(dialog.getByLabelText('Received on'), { target: { value: '2026-10-02' } });
  fireEvent.change(dialog.getByLabelText('Reason (optional)'), { target: { value: 'It was preventive.' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Add appeal' }));
  await waitFor(() => expect(acts).toHaveLength(1));
  expect(acts.pop()).toEqual({
    ...{ kind: 'appeal', direction: 'received', asker: 'member', level: 1 },
    ...{ day: '2026-10-02', due: null, reason: 'It was preventive.' },
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('alone you answer an appeal against your own decision, and the page says that no one else examined it', async () => {
  renderScreen('/claims/7', answersFor([appeal]));
  await screen.findByText('Appeal received on 10/02/2026 · Member');
  screen.getByText(/There is no team, so the appeal is answered without a second reviewer\./);
  await pressReady('Answer…');
  const dialog = await findDialog();
  fireEvent.change(dialog.getByLabelText('Answer'), { target: { value: 'overturned' } });
  dialog.getByText('You then decide the claim again.');
  const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save answer' });
  expect(save.disabled).toBe(true);
  fireEvent.change(dialog.getByLabelText('Answered on'), { target: { value: '2026-11-02' } });
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Preventive by its code.' } });
  fireEvent.click(save);
  await waitFor(() => expect(acts).toHaveLength(1));
  expect(acts.pop()).toEqual({
    ...{ kind: 'answerAppeal', appealId: 'a1', answer: 'overturned', day: '2026-11-02' },
    ...{ letterDay: null, reason: 'Preventive by its code.' },
  });
});

test('in a team, whoever decided the claim can’t answer its appeal', async () => {
  renderScreen('/claims/7', answersFor([appeal], ofTeam));
  await screen.findByText(/a colleague has to answer the appeal\./);
  expect(screen.queryByRole('button', { name: 'Answer…' })).toBeNull();
});

test('an answered appeal is shown with its answer, and the next one has the next level', async () => {
  const answered = {
    ...{ answer: 'upheld', day: '2026-11-02', letterDay: '2026-11-03', reason: 'The plan excludes it.' },
    ...{ author: 'ben@example.com', at: '2026-11-02T12:00:00.000Z' },
  };
  renderScreen('/claims/7', answersFor([{ ...appeal, answered }]));
  await screen.findByText('Upheld on 11/02/2026 by ben@example.com, letter of 11/03/2026');
  screen.getByText('The plan excludes it.');
  await pressReady('Add appeal…');
  fireEvent.click((await findDialog()).getByRole('button', { name: 'Add appeal' }));
  await waitFor(() => expect(acts).toHaveLength(1));
  expect(acts.pop()).toMatchObject({ kind: 'appeal', level: 2 });
});
