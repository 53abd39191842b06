import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ReviewHistory } from '../../../../../src/renderer/domain/review/review-history.tsx';
import { renderPart } from '../../../../support/render-screen.tsx';

const signedBy = 'SHA256:oB3qTtqvZ7XBAsTN6DTOZ9HeX66ra8Hw6Kmhf18CU';

test.each([
  ['own', {}, 'by ana@example.com'],
  [
    'a colleague’s',
    { isImported: true, signedBy, computer: 'Jq3c0mputer' },
    'by ana@example.com, signed with SHA256:oB3qTtqvZ7XB… on computer Jq3c0m',
  ],
  ['not signed', { isImported: true }, 'by ana@example.com, imported, not signed'],
])('the history shows whose an entry is that is %s, and the evidence for it', async (_whose, event, said) => {
  const entry = { id: 'e', at: '2026-11-20T09:00:00.000Z', author: 'ana@example.com', claims: 1, ...event };
  renderPart(<ReviewHistory claimId={7} />, {
    'reviews:listEvents': { total: 1, events: [{ ...entry, fact: { kind: 'reminder', day: null } }] },
  });
  const line = await screen.findByText(/by ana@example\.com/);
  expect(line.textContent?.replace(/^.* by/, 'by')).toBe(said);
});

test('for an entry by a newer version, the history says that decisions wait for an update', async () => {
  const event = { id: 'e', at: '2026-11-20T09:00:00.000Z', author: 'ana@example.com', claims: 1 };
  renderPart(<ReviewHistory claimId={7} />, {
    'reviews:listEvents': { total: 1, events: [{ ...event, fact: { kind: 'newer' } }] },
  });
  await screen.findByText('By a newer version of Claimdesk');
  screen.getByText('Update Claimdesk to decide this claim. Notes, tags, and flags still work.');
});
