import { notifications } from '@mantine/notifications';
import { formatCount } from '../../lib/format-value.ts';
import { splitMinWidthPx, toggleSplit } from './split-view.ts';

/** Toggles the split view of a list, or says why the window has no space for it. */
export function toggleSplitOrSay(listId: string): void {
  if (toggleSplit(window, listId)) return;
  notifications.show({
    id: 'split-view',
    title: 'Not enough space for split view',
    message: `Make the window at least ${formatCount(splitMinWidthPx)} pixels wide, or zoom out.`,
    closeButtonProps: { 'aria-label': 'Dismiss' },
  });
}
