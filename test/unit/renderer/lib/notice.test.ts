import { notificationsStore } from '@mantine/notifications';
import { expect, test } from 'vitest';
import { showNotice } from '../../../../src/renderer/lib/notice.ts';

test('of several notices about one subject the newest is shown, next to those about others', () => {
  for (const message of ['Eligible, claim 3', 'Eligible, claim 2', 'Eligible, claim 1'])
    showNotice('undo', { title: 'Undone', message });
  showNotice('sync', { title: 'Sync complete', message: 'All records are on this computer.' });
  const shown = notificationsStore.getState().notifications.map(({ message }) => message);
  expect(shown).toEqual(['Eligible, claim 1', 'All records are on this computer.']);
});
