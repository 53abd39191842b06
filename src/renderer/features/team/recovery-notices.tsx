import { Text } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import type { OwnTeam } from './describe-team.ts';

/** Shows all members what the recovery key did, and admins that it has to be replaced. */
export function RecoveryNotices({ team }: { team: OwnTeam }) {
  const { role, recovered, formerAdmins, isRecoveryUnsealed } = team;
  const now = useNow();
  const revoke = useWorkspaceMutation('team:revoke');
  const isAdmin = role === 'admin';
  return (
    <>
      {recovered.map(({ computer, email, from }) => (
        <Notice
          key={computer}
          tone="caution"
          title={`Someone used the recovery key for a computer of ${email}`}
        >
          <Text size="sm">
            Computer {computer.slice(0, 6)} can act in the team from {formatWhen(from, now)}. If{' '}
            {isAdmin ? 'you don’t know of this, refuse it' : 'this is wrong, tell an admin'} before then.
          </Text>
          {isAdmin && (
            <SmallButton
              aria-label={`Refuse computer ${computer.slice(0, 6)} of ${email}`}
              loading={revoke.isPending}
              onClick={() => revoke.mutate({ computer })}
            >
              Refuse computer
            </SmallButton>
          )}
          <ErrorNotice error={revoke.error} title="Couldn’t refuse the computer" />
        </Notice>
      ))}
      {isAdmin && formerAdmins.length > 0 && (
        <Notice tone="caution" title="Replace the recovery key to finish the removal">
          {formerAdmins.join(' and ')} may have a copy of the recovery key, and is no longer an admin. Choose
          Replace recovery key below.
        </Notice>
      )}
      {isAdmin && isRecoveryUnsealed && (
        <Notice tone="caution" title="The recovery key can’t open what is written now">
          The team’s newest key couldn’t be sealed for it. Choose Replace recovery key below.
        </Notice>
      )}
    </>
  );
}
