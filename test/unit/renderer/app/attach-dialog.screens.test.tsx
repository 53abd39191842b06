import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { AttachDialog } from '../../../../src/renderer/app/attach-dialog.tsx';
import { subjectOfMember } from '../../../../src/rules/review/member-subject.ts';
import { type Answers, failed, renderPart } from '../../../support/render-screen.tsx';

const row = { id: 7, patient_name: 'POWELL, ERIC', service_provider: 'Acme', date_of_service: null };
const matches = [
  { claimId: 7, isByNumber: true, says: 'Claim number agrees' },
  { claimId: 8, isByNumber: false, says: 'Patient, day agree' },
];

/** Asks where to attach a file with this text, on the page of a claim or member or elsewhere. */
function ask(text: string, subject: number | null, answers: Answers) {
  const onRequest = vi.fn();
  const files = [new File([text], 'receipt.txt')];
  const request = { workspaceId: 'w', files, subject };
  const { calls } = renderPart(<AttachDialog request={request} onRequest={onRequest} />, {
    'records:readFirst': { rows: [row] },
    'reviews:get': ({ claimId }) => ({ claimId }),
    ...answers,
  });
  const attach = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Attach' });
  return { calls, onRequest, attach };
}

test('outside of a record, matching claims are proposed and none is chosen', async () => {
  const { attach } = ask('says', null, { 'documents:match': { matches } });
  const first = await screen.findByRole<HTMLInputElement>('radio', { name: /^Claim 7/ });
  await waitFor(() => expect(first.labels?.[0]?.textContent).toContain('Eric Powell'));
  expect(screen.getByText('Patient, day agree.')).toBeDefined();
  expect((await attach()).disabled).toBe(true);
  fireEvent.click(first);
  await waitFor(async () => expect((await attach()).disabled).toBe(false));
});

test.each<[string, string, Answers]>([
  ['This file has no text. Choose the claim.', '', {}],
  ['This file has no text. Choose the claim.', '\0\0', {}],
  ['No claim matches this file. Choose the claim.', 'says', { 'documents:match': {} }],
  [
    'This file couldn’t be compared with the claims. Choose the claim.',
    'says',
    { 'documents:match': failed('store.damaged') },
  ],
])('%s', async (said, text, answers) => {
  const { attach, calls } = ask(text, null, answers);
  await screen.findByText(said);
  expect((await attach()).disabled).toBe(true);
  expect(calls).not.toContain('documents:attach');
});

test('on a record, only a claim whose number the file has is also offered', async () => {
  const { attach } = ask('says', subjectOfMember(3), { 'documents:match': { matches } });
  await screen.findByText('This file has the number of another claim. Attach to');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'This member' }).checked).toBe(true);
  expect(screen.queryByRole('radio', { name: /^Claim 8/ })).toBeNull();
  expect((await attach()).disabled).toBe(false);
});

test('a reader of the team sees why nothing can be attached', async () => {
  ask('says', 7, {
    'documents:match': {},
    'team:getStatus': { server: 'https://team.example', state: 'live', role: 'reader' },
  });
  await screen.findByText(/^Your role in the team is reader/);
  expect(screen.queryByRole('button', { name: 'Attach' })).toBeNull();
});
