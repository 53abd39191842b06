import { notifications } from '@mantine/notifications';
import { formatCountOf } from '../../../rules/count.ts';

/** `open`: how many claims after it were passed over because others have them open. */
export function sayEndOfList(noun: 'claim' | 'pair', open = 0): void {
  notifications.show({
    id: 'end-of-list',
    title: 'End of the list',
    message:
      open === 0
        ? `That was the last ${noun} in this list.`
        : `Of what comes after it, others have ${formatCountOf(open, 'claim')} open.`,
  });
}
