import { Stack } from '@mantine/core';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { emptyMember, prefillMember } from './member-prefill.ts';
import { MemberSearch } from './member-search.tsx';
import { MemberStep } from './member-step.tsx';
import type { WizardStep } from './wizard-step.ts';

/** The member's data: searched on this computer, filled in from a record, or entered by hand. */
export function WhoseData(props: {
  workspace: Workspace;
  step: WizardStep;
  onFound: (memberId: number) => void;
  onMember: (broughtIn: string) => void;
}) {
  const { workspace, step } = props;
  const { memberId } = step;
  const record = useDeskQuery(
    'records:getMember',
    { workspaceId: workspace.id, id: memberId ?? 0 },
    { enabled: memberId !== undefined },
  );
  const employers = useDeskQuery('connect:listEmployers', { workspaceId: workspace.id });
  if (employers.error !== null || employers.data === undefined)
    return <NotLoaded query={employers} what="the employers" />;
  const known = employers.data.employers;
  const isWaiting = memberId !== undefined && record.data === undefined && record.error === null;
  return (
    <Section title="Member">
      <Stack gap="md">
        <MemberSearch workspaceId={workspace.id} onChoose={props.onFound} />
        {record.error !== null && memberId !== undefined && (
          <ErrorNotice error={record.error} title="Couldn’t read the member’s record" />
        )}
        {isWaiting ? (
          <LoadingState what="the member’s record" />
        ) : (
          <MemberStep
            key={`${memberId} ${record.data === undefined}`}
            workspace={workspace}
            employers={known}
            initial={
              record.data === undefined || memberId === undefined
                ? emptyMember
                : prefillMember(record.data.member, known)
            }
            isFromStore={record.data !== undefined && memberId !== undefined}
            onMember={({ bootstrappedAt }) => props.onMember(bootstrappedAt)}
          />
        )}
      </Stack>
    </Section>
  );
}
