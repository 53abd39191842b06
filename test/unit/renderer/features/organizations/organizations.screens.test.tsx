import { fireEvent, screen } from '@testing-library/dom';
import { test } from 'vitest';
import { noRecords, renderScreen } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/employers', 'records:listEmployers', ['employers', 'Couldn’t load employers'], {
  filled: { employers: [{ id: 3, name: longName }] },
  empty: [{}, 'No employers'],
});
testStates('/tenants', 'records:listTenants', ['tenants', 'Couldn’t load tenants'], {
  filled: { tenants: [{ id: 3, name: longName }] },
  empty: [{}, 'No tenants'],
});
testStates('/employers/3', 'records:getEmployer', ['the employer', 'Couldn’t load this employer'], {
  filled: { employer: { id: 3, name: longName } },
  empty: [{ employer: { id: 3 } }, 'No claims for this employer.'],
  others: noRecords,
});
testStates('/tenants/3', 'records:getTenant', ['the tenant', 'Couldn’t load this tenant'], {
  filled: { tenant: { id: 3, name: longName } },
  empty: [{ tenant: { id: 3 } }, 'No claims for this tenant.'],
  others: noRecords,
});

test.each(['employers', 'tenants'])('%s that no search matches, and the way back', async (many) => {
  const found = { [many]: [{ id: 3, name: longName }] };
  renderScreen(`/${many}`, { 'records:listEmployers': found, 'records:listTenants': found });
  fireEvent.change(await screen.findByRole('textbox', { name: `Search ${many}` }), {
    target: { value: 'zzzz' },
  });
  await screen.findByText(`No ${many} match`);
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear search' }).at(-1) as Element);
  await screen.findByRole('table', { name: many });
});
