import { List } from '@mantine/core';
import { formatCount } from '../../../rules/count.ts';
import { addDays, localDayOf } from '../../../rules/days.ts';
import { decidedByCondition } from '../../../rules/review/decided-by.ts';
import type { WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { claimsIn, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';
import { claimsOfColleague, colleagueEmail } from './try-team.tsx';

/** The next steps after *Try it as a team*; nothing once the colleague has stopped and its duplicates are resolved. */
export function TryTeamSteps() {
  const counts = useWorklistCounts();
  const last = localDayOf(new Date());
  const author = { email: colleagueEmail, isVerified: true };
  const byColleague = decidedByCondition({
    kind: 'decided',
    first: addDays(last, -60) ?? last,
    last,
    author,
  });
  const totals = useTotals('colleague', [[byColleague]]);
  if (counts === undefined || totals.data === undefined) return null;
  const decided = totals.data[0]?.count ?? 0;
  const hasStopped = decided >= claimsOfColleague;
  const twice = (['decidedTwice', 'paidTwice'] as const).filter((id) => claimsIn(counts, id) > 0);
  if (hasStopped && twice.length === 0) return null;
  const listLink = (worklistId: WorklistId, name: string) => {
    const claims = claimsIn(counts, worklistId);
    return (
      <AnchorLink to="/worklists/$worklistId" params={{ worklistId }}>
        {claims === 0 ? name : `${name} (${formatCount(claims)})`}
      </AnchorLink>
    );
  };
  const isShown = (id: (typeof twice)[number]) => !hasStopped || twice.includes(id);
  return (
    <Notice
      tone="open"
      title={hasStopped ? 'Left: resolve what was done twice' : 'Next: work beside your colleague'}
    >
      <List type="ordered" size="sm" spacing={4}>
        {!hasStopped && (
          <List.Item>
            Open {listLink('toDecide', 'To decide')} and press <kbd>1</kbd> on a claim. Your colleague answers
            with a note.
          </List.Item>
        )}
        {isShown('decidedTwice') && (
          <List.Item>
            {!hasStopped &&
              'Within two minutes your colleague decides one of your claims differently. It is in '}
            {listLink('decidedTwice', 'Decided twice')}: choose which decision counts.
          </List.Item>
        )}
        {isShown('paidTwice') && (
          <List.Item>
            {!hasStopped && 'Your colleague also records one of your payments again. It is in '}
            {listLink('paidTwice', 'Paid twice')}: say which payment counts.
          </List.Item>
        )}
      </List>
      {hasStopped
        ? `Your colleague has decided its ${claimsOfColleague} claims and stopped.`
        : `Your colleague has decided ${decided} of ${claimsOfColleague} claims, then it stops.`}{' '}
      <AnchorLink to="/help" search={{ topic: 'ten-minutes-with-the-sample' }}>
        Ten minutes with the sample
      </AnchorLink>{' '}
      shows the rest.
    </Notice>
  );
}
