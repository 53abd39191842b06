import { notifications } from '@mantine/notifications';
import { formatCountOf } from '../../../rules/count.ts';
import { fullNameOf } from '../../../rules/worklists/worklist-table.ts';
import { AnchorLink } from '../../components/links.tsx';
import { worklistOf } from './list-ref.ts';

const noticeId = 'end-of-list';

/** `list`: the ID of the list that ended; `open`: how many claims after it were skipped because others have them open. */
export function sayEndOfList(noun: 'claim' | 'pair', list: string | undefined, open = 0): void {
  const worklist = worklistOf(list);
  notifications.show({
    id: noticeId,
    title: 'End of the list',
    message: (
      <>
        {open === 0
          ? `That was the last ${noun} in ${worklist === undefined ? 'this list' : fullNameOf(worklist)}.`
          : `Of what comes after it, others have ${formatCountOf(open, 'claim')} open.`}{' '}
        <AnchorLink to="/start" onClick={() => notifications.hide(noticeId)}>
          Start
        </AnchorLink>{' '}
        (g s) has what comes next.
      </>
    ),
  });
}
