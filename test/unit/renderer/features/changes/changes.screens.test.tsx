import { noRecords } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/changes', 'sync:listChanges', ['the changes', 'Couldn’t load the changes'], {
  filled: {
    syncId: 'r',
    syncs: [{ syncId: 'r', at: '2026-11-20T12:00:00.000Z' }],
    total: 1,
    changes: [{ list: 'members', id: 7, fields: [{ path: 'last_name', before: 'Ada', after: longName }] }],
  },
  empty: [{}, 'No changes yet'],
  others: noRecords,
});
