import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { toStoredSpellings } from '../../../../../src/contract/stored-spellings.ts';
import { renderScreen } from '../../../../support/render-screen.tsx';

const sums = { count: 1, billed: 0, allowed: 0, paid: 0, patientResponsibility: 0 };
const groupOf = (value: string, count: number) => ({ value, totals: { ...sums, count }, conditions: [] });

test('a pair of spellings is proposed, combined by a press, and listed', async () => {
  const saved: { name: string; query: string }[] = [];
  Object.assign(document, { fonts: new EventTarget() });
  renderScreen('/settings/reviews', {
    'records:group': {
      groups: [groupOf('Carrier', 4), groupOf('carier', 2), groupOf('Member', 1)],
      total: 3,
    },
    'records:listEmployers': { employers: [] },
    'records:listValues': { values: [], total: 0 },
    'views:list': () => ({
      views: saved.map((one) => ({ ...one, id: 'v', createdAt: '', updatedAt: '' })),
    }),
    'views:save': (input: { name: string; query: string }) => {
      saved.push(input);
      return { id: 'v', createdAt: '', updatedAt: '', ...input };
    },
  });
  const proposed = await screen.findByRole('table', { name: 'Proposed spellings' });
  expect(within(proposed).getAllByRole('row')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Show carier as Carrier' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toMatchObject(toStoredSpellings(new Map([['carier', 'Carrier']])));
});
