import { noRecords } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/dependents/9', 'records:getDependent', ['the dependent', 'Couldn’t load this dependent'], {
  filled: { dependent: { id: 9, first_name: 'Ada', last_name: longName }, memberId: 7 },
  others: { ...noRecords, 'records:getMember': {} },
});
