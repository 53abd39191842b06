import { noRecords } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/members/7', 'records:getMember', ['the member', 'Couldn’t load this member'], {
  filled: { member: { id: 7, full_name_derived: longName } },
  empty: [{ member: { id: 7 } }, 'No carrier connections yet.'],
  others: noRecords,
});
