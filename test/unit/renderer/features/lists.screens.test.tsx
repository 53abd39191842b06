import { fireEvent, screen } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { type Answers, failed, noRecords, renderScreen, requestId } from '../../../support/render-screen.tsx';

const others: Answers = { ...noRecords };

describe.each([
  ['/claims', 'claims'],
  ['/lines', 'claim lines'],
  ['/members', 'members'],
  ['/dependents', 'dependents'],
  ['/worklists/ready', 'claims'],
])('%s', (at, many) => {
  test('says why the list could not be made, and tries again', async () => {
    let isWell = false;
    renderScreen(at, {
      ...others,
      'records:begin': () => (isWell ? { total: 0 } : failed('disk.fault')),
    });
    const notice = (await screen.findByText(`Couldn’t load the ${many}`)).closest('[role="alert"]');
    for (const told of ['disk.fault', requestId]) expect(notice?.textContent).toContain(told);
    isWell = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('heading', { level: 2, name: /^No/ });
    expect(screen.queryByText(`Couldn’t load the ${many}`)).toBeNull();
  });
});
