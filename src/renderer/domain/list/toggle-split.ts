import { notifications } from '@mantine/notifications';
import { formatCount } from '../../../rules/count.ts';
import { splitMinWidthPx, toggleSplit } from './split-view.ts';

const noSpaceId = 'split-view';

/** The notice is about a list, and closes with it. */
export const hideNoSpace = (): void => void notifications.hide(noSpaceId);

/** Toggles the split view of a list, or says why the window has no space for it. */
export function toggleSplitOrSay(listId: string): void {
  if (toggleSplit(window, listId)) return;
  notifications.show({
    id: noSpaceId,
    title: 'Not enough space for split view',
    message: `Make the window at least ${formatCount(splitMinWidthPx)} pixels wide, or zoom out.`,
  });
}
