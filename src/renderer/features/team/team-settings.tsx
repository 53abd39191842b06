import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../rules/count.ts';
import { ConfirmButton } from '../../components/dialog.tsx';
import { ErrorNotice, NotLoaded, ReportNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { FieldList } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { WaitingForApproval } from '../../domain/team/waiting-for-approval.tsx';
import { OfActiveWorkspace } from '../../domain/workspace/of-active-workspace.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { describeTeam, type OwnTeam, roleLabels } from './describe-team.ts';
import { FollowLog } from './follow-log.tsx';
import { HeldActs } from './held-acts.tsx';
import { InviteButton } from './invitation.tsx';
import { JoinRequests } from './join-requests.tsx';
import { JoinTeam } from './join-team.tsx';
import { MakeTeam } from './make-team.tsx';
import { RecoverTeam } from './recover-team.tsx';
import { RecoveryNotices } from './recovery-notices.tsx';
import { Removals } from './removals.tsx';
import { ReplaceRecoveryKey } from './replace-recovery-key.tsx';
import { SharedSettings } from './shared-settings.tsx';
import { TeamDocuments } from './team-documents.tsx';
import { TeamMembers } from './team-members.tsx';
import { TryTeam } from './try-team.tsx';
import { TryTeamSteps } from './try-team-steps.tsx';

/** The team of the open workspace: to make or join one, its members, and its state. */
export const TeamSettings = () => (
  <OfActiveWorkspace none="No workspaces yet, so there is nothing to share.">
    {(active) => <TeamOf key={active.id} />}
  </OfActiveWorkspace>
);

function TeamOf() {
  const workspace = useWorkspace();
  const { isSample } = workspace;
  const status = useWorkspaceQuery('team:getStatus');
  // Kept here, because the dialog stays open to show the recovery key when the workspace already has a team.
  const [asked, setAsked] = useState<'make' | 'join' | 'recover' | null>(null);
  const close = () => setAsked(null);
  const start = (
    <Group gap="xs">
      <Button variant="default" onClick={() => setAsked('make')}>
        Make team…
      </Button>
      <Button variant="default" onClick={() => setAsked('join')}>
        Join team…
      </Button>
      <Button variant="subtle" onClick={() => setAsked('recover')}>
        Use recovery key…
      </Button>
    </Group>
  );
  return (
    <Stack gap="md">
      {status.data === undefined ? (
        <NotLoaded query={status} what="the team" />
      ) : status.data === null ? (
        <>
          <Hint>
            With a team, several people share the decisions, notes, and payments of this workspace, over a
            server of your organization that can’t read them.
          </Hint>
          {isSample && <TryTeam />}
          {start}
        </>
      ) : (
        <Team team={status.data} />
      )}
      <MakeTeam isOpen={asked === 'make'} onClose={close} />
      <JoinTeam isOpen={asked === 'join'} onClose={close} />
      <RecoverTeam isOpen={asked === 'recover'} onClose={close} />
    </Stack>
  );
}

function Team({ team }: { team: OwnTeam }) {
  const workspace = useWorkspace();
  const { state, problem, role, code } = team;
  const isAdmin = role === 'admin';
  return (
    <>
      {state === 'waiting' && problem === null && <WaitingForApproval code={code} />}
      {problem !== null && state !== 'offline' && <ReportNotice report={problem} />}
      {isAdmin && problem?.code === 'team.logContradicts' && <FollowLog />}
      {team.otherLog !== null && <OtherLogNotice otherLog={team.otherLog} />}
      {problem !== null && state === 'offline' && (
        <Notice tone="caution" title={problem.message}>
          {problem.nextStep}
        </Notice>
      )}
      {workspace.isSample && role !== null && <TryTeamSteps />}
      <RecoveryNotices team={team} />
      {team.held > 0 && <HeldActs held={team.held} />}
      <TeamFacts team={team} />
      {role !== null && <TeamDocuments team={team} />}
      {isAdmin && state === 'live' && <JoinRequests />}
      {role !== null && <TeamMembers isAdmin={isAdmin} />}
      {role !== null && <SharedSettings isAdmin={isAdmin} />}
      {role !== null && <Removals isAdmin={isAdmin} />}
      <Group gap="xs">
        {isAdmin && <InviteButton />}
        {isAdmin && <ReplaceRecoveryKey />}
        <LeaveTeam />
      </Group>
    </>
  );
}

function OtherLogNotice({ otherLog }: { otherLog: NonNullable<OwnTeam['otherLog']> }) {
  const dismiss = useWorkspaceMutation('team:dismissLogs');
  return (
    <Notice tone="caution" title="The server has shown another history of the team">
      <Text size="sm">
        {otherLog.email}’s computer read a different entry {formatCount(otherLog.number)} than this one. The
        server was restored from a backup, or it shows members different entries. Tell your IT. Dismiss this
        on your computer once you know why.
      </Text>
      <SmallButton loading={dismiss.isPending} onClick={() => dismiss.mutate({})}>
        Dismiss
      </SmallButton>
      <ErrorNotice error={dismiss.error} title="Couldn’t dismiss this" />
    </Notice>
  );
}

const updateLabels: Readonly<Record<OwnTeam['updatesBy'], string>> = {
  stream: 'Over an open connection',
  requests: 'By polling: a proxy or firewall blocks the live connection',
};

const describeRefused = ({ refused, refusedOf }: OwnTeam): string | undefined => {
  if (refused === 0) return undefined;
  return refusedOf.length === 0
    ? formatCount(refused)
    : `${formatCount(refused)}, by ${refusedOf.join(' and ')}`;
};

const describeWentBack = ({ wentBack }: OwnTeam, now: Date): string | undefined =>
  wentBack === null
    ? undefined
    : `From entry ${formatCount(wentBack.from)} to ${formatCount(wentBack.to)}, found on ${formatWhen(wentBack.at, now)} by ${wentBack.email}’s computer. What the server had lost was sent again.`;

const TeamFacts = ({ team }: { team: OwnTeam }) => (
  <FieldList
    fields={[
      ['Server', team.server],
      ['State', describeTeam(team).replace(/^./, (letter) => letter.toUpperCase())],
      ['Updates', team.state === 'live' ? updateLabels[team.updatesBy] : undefined],
      ['Your role', team.role === null ? undefined : roleLabels[team.role]],
      ['Refused entries', describeRefused(team)],
      ['Server went back', describeWentBack(team, useNow())],
    ]}
  />
);

function LeaveTeam() {
  const leave = useWorkspaceMutation('team:leave');
  return (
    <ConfirmButton
      label="Leave team…"
      title="Leave the team?"
      action="Leave team"
      isDestructive
      errorTitle="Couldn’t leave the team"
      onConfirm={() => leave.mutateAsync({})}
    >
      <Text size="sm">
        The reviews stay on this computer and in the team. From now on they are no longer exchanged. To come
        back, this computer needs a new invitation.
      </Text>
    </ConfirmButton>
  );
}
