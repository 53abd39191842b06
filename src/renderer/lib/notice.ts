import { type NotificationData, notifications } from '@mantine/notifications';

const shown = new Map<string, string>();

/** Shows a notification in place of the last one about the same: of two under one ID, only the first would be seen. */
export function showNotice(about: string, notice: NotificationData): void {
  const before = shown.get(about);
  if (before !== undefined) notifications.hide(before);
  shown.set(about, notifications.show({ closeButtonProps: { 'aria-label': 'Dismiss' }, ...notice }));
}
