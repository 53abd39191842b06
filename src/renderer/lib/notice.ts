import { type NotificationData, notifications } from '@mantine/notifications';

const shown = new Map<string, string>();

/**
 * Shows a notification and removes the last one about the same thing; with the same ID, the second would not be shown.
 */
export function showNotice(about: string, notice: NotificationData): void {
  const before = shown.get(about);
  if (before !== undefined) notifications.hide(before);
  shown.set(about, notifications.show(notice));
}
