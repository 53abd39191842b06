import type { TeamComputer } from '../../../contract/team.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { SmallPrint } from '../../components/text.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** Why counts can differ between this computer and another one of the team; null: their records have the same employers. */
function describeDifference(thisComputer: TeamComputer | undefined, other: TeamComputer): string | null {
  if (
    thisComputer === undefined ||
    thisComputer.employers === null ||
    other.employers === null ||
    other.hasSameEmployers
  )
    return null;
  const otherText = `${other.email}’s computer has ${formatCountOf(other.employers, 'employer')}`;
  return thisComputer.employers === other.employers
    ? `${otherText}, and this one has others: counts can differ.`
    : `${otherText}, this one ${thisComputer.employers}: counts can differ.`;
}

/** A line for each computer of the team whose records have other employers than those here; nothing without a team. */
export function CountsDiffer() {
  const { team } = useWorkspace();
  const { data } = useWorkspaceQuery('team:getSettings', {}, { enabled: team !== undefined });
  const computers = data?.computers ?? [];
  const thisComputer = computers.find(({ isThis }) => isThis);
  return computers
    .flatMap((other) => (other.isThis ? [] : (describeDifference(thisComputer, other) ?? [])))
    .map((line) => <SmallPrint key={line}>{line}</SmallPrint>);
}
