import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/audit', 'audit:list', ['the audit log', 'Couldn’t load the audit log'], {
  filled: {
    entries: [
      { action: 'record.opened', workspaceId: 'w', actor: 'ada', details: { list: 'members', recordId: 7 } },
    ],
    total: 1,
  },
  empty: [{}, 'No entries'],
  others: { 'records:getMember': { member: { id: 7, first_name: 'Ada', last_name: longName } } },
});
