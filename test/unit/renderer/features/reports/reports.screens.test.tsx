import { noRecords } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/reports', 'worklists:report', ['the reports', 'Couldn’t load the reports'], {
  filled: { reimbursed: [{ employerId: 3, planYear: '2026', claims: 1 }] },
  empty: [{}, /^Nothing/],
  others: { ...noRecords, 'records:listEmployers': { employers: [{ id: 3, name: longName }] } },
});
