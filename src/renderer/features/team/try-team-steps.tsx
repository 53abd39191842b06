import { List } from '@mantine/core';
import { formatCount } from '../../../rules/count.ts';
import type { WorklistId } from '../../../rules/worklists/worklist-table.ts';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { claimsIn, useWorklistCounts } from '../../domain/worklist/use-worklist-counts.ts';

/** What to do after *Try it as a team*, in the order in which it happens. */
export function TryTeamSteps({ workspaceId }: { workspaceId: string }) {
  const counts = useWorklistCounts(workspaceId);
  const listLink = (worklistId: WorklistId, name: string) => {
    const claims = claimsIn(counts, worklistId);
    return (
      <AnchorLink to="/worklists/$worklistId" params={{ worklistId }}>
        {claims === 0 ? name : `${name} (${formatCount(claims)})`}
      </AnchorLink>
    );
  };
  return (
    <Notice tone="open" title="Next: work beside your colleague">
      <List type="ordered" size="sm" spacing={4}>
        <List.Item>
          Open {listLink('toDecide', 'To decide')} and press <kbd>1</kbd> on a claim. Your colleague answers
          with a note.
        </List.Item>
        <List.Item>
          Within two minutes your colleague decides one of your claims differently. It is in{' '}
          {listLink('decidedTwice', 'Decided twice')}: choose which decision counts.
        </List.Item>
        <List.Item>
          Your colleague also records one of your payments again. It is in{' '}
          {listLink('paidTwice', 'Paid twice')}: say which payment counts.
        </List.Item>
      </List>
      After 20 claims your colleague stops.{' '}
      <AnchorLink to="/help" search={{ topic: 'ten-minutes-with-the-sample' }}>
        Ten minutes with the sample
      </AnchorLink>{' '}
      shows the rest.
    </Notice>
  );
}
