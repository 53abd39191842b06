import { Stack } from '@mantine/core';
import type { ConnectMember } from '../../../contract/connect-views.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { LoadingState } from '../../components/states.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { emptyMember, prefillMember } from './member-prefill.ts';
import { MemberSearch } from './member-search.tsx';
import { MemberStep } from './member-step.tsx';
import type { WizardPlace } from './wizard-place.ts';

/** The member's data: searched on this computer, filled in from a record, or by hand. */
export function WhoseData(props: {
  workspace: Workspace;
  place: WizardPlace;
  known: readonly ConnectMember[];
  onFound: (memberId: number) => void;
  onMember: (broughtIn: string) => void;
}) {
  const { workspace, place } = props;
  const { memberId } = place;
  const record = useDeskQuery(
    'records:getMember',
    { workspaceId: workspace.id, id: memberId ?? 0 },
    { enabled: memberId !== undefined },
  );
  const isWaiting = memberId !== undefined && record.data === undefined && record.error === null;
  return (
    <Section title="Member">
      <Stack gap="md">
        <MemberSearch workspaceId={workspace.id} onChoose={props.onFound} />
        {record.error !== null && memberId !== undefined && (
          <ErrorNotice error={record.error} title="The member’s record cannot be read" />
        )}
        {isWaiting ? (
          <LoadingState what="the member’s record" />
        ) : (
          <MemberStep
            key={`${memberId} ${record.data === undefined}`}
            workspace={workspace}
            initial={
              record.data === undefined || memberId === undefined
                ? emptyMember
                : prefillMember(record.data.member, props.known)
            }
            isFromStore={record.data !== undefined && memberId !== undefined}
            onMember={({ bootstrappedAt }) => props.onMember(bootstrappedAt)}
          />
        )}
      </Stack>
    </Section>
  );
}
