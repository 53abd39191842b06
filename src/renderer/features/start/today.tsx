import type { WorklistCounts } from '../../../contract/worklist-counts.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import type { Condition } from '../../../rules/query.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Section } from '../../components/page.tsx';
import { TextButton } from '../../components/text-button.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { mondayOf, reviewedSince, waitingOn } from '../../domain/figure/reviewer-filters.ts';
import { useTotals } from '../../domain/figure/use-totals.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useHasTeam } from '../../domain/team/use-has-team.ts';
import { claimsIn } from '../../domain/worklist/use-worklist-counts.ts';
import { useSettings } from '../../lib/use-settings.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './start-page.module.css';

/** Shows new claims, claims that wait for you, and your work. Zeros are left out, except for your reviews. */
export function Today(props: { counts: WorklistCounts; today: string }) {
  const { counts, today } = props;
  const changed = claimsIn(counts, 'changed');
  const { connections } = counts;
  const hasTeam = useHasTeam();
  return (
    <Section title="Today">
      <ul className={styles.today}>
        {changed > 0 && (
          <li>
            <AnchorLink size="sm" to="/worklists/$worklistId" params={{ worklistId: 'changed' }}>
              {formatCountOf(changed, 'claim')}
            </AnchorLink>{' '}
            changed since reviewed
          </li>
        )}
        {connections > 0 && (
          <li>
            <AnchorLink size="sm" to="/connections">
              Carrier logins to fix: {formatCount(connections)}
            </AnchorLink>
          </li>
        )}
        {hasTeam && <OnYou />}
        <OwnReviews today={today} />
      </ul>
    </Section>
  );
}

/** The claims that colleagues wait for, or that they assigned to this workspace's admin to decide. */
function OnYou() {
  const { email } = useWorkspace();
  const open = useOpenList();
  const list = waitingOn(email);
  const [total] = useTotals('on you', [list], { includesMissing: true }).data ?? [];
  if (total === undefined || total.count === 0) return null;
  return (
    <li>
      <TextButton onClick={() => open('claims', list, [], { includesMissing: true })}>
        {formatCountOf(total.count, 'claim')}
      </TextButton>{' '}
      {total.count === 1 ? 'is' : 'are'} waiting on you or escalated to you
    </li>
  );
}

/** How many claims you reviewed today, beside your goal where you have one, and since Monday. */
function OwnReviews(props: { today: string }) {
  const workspace = useWorkspace();
  const { email } = workspace;
  const open = useOpenList();
  const [ofToday, ofWeek] = [reviewedSince(email, props.today), reviewedSince(email, mondayOf(props.today))];
  const { reviewsADay } = useSettings();
  const [now, week] = useTotals('own reviews', [ofToday, ofWeek]).data ?? [];
  if (now === undefined || week === undefined) return null;
  const show = (count: number, list: readonly Condition[], when: string) =>
    count === 0 ? (
      `none ${when}`
    ) : (
      <TextButton onClick={() => open('claims', list)}>
        {formatCount(count)} {when}
      </TextButton>
    );
  return (
    <li title={figures.reviewedByYou.holds}>
      {figures.reviewedByYou.name}:{' '}
      {show(now.count, ofToday, reviewsADay === 0 ? 'today' : `of ${formatCount(reviewsADay)} today`)},{' '}
      {show(week.count, ofWeek, 'this week')}
    </li>
  );
}
