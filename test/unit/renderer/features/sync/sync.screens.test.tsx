import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates({
  at: '/sync',
  asks: 'sync:getStatus',
  loading: 'the sync status',
  failure: 'Couldn’t read the sync status',
  filled: { lastReceipt: { outcome: 'notProven', reason: longName } },
  empty: [{}, /^No sync/],
  others: { 'records:listSetAside': {} },
  canRetry: false,
});
