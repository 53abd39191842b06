import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Removal, RemovalCounts, RetentionRules } from '../../../contract/store.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { formatDay } from '../../../rules/days.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useHasTeam } from '../../domain/team/use-has-team.ts';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { LiveStoreProgress } from './store-progress.tsx';

/** Removes claims before a date, or one member: counted first, then removed once the date or ID is typed again. */
export function RetentionSettings({ rules }: { rules: RetentionRules }) {
  const [date, setDate] = useState('');
  const [memberId, setMemberId] = useState('');
  const plan = useWorkspaceMutation('data:planRemoval');
  const lift = useWorkspaceMutation('data:liftRetention');
  const hasTeam = useHasTeam();
  const asked = plan.variables?.removal;
  const isWhole = /^\d{1,15}$/.test(memberId);
  return (
    <Stack gap="md">
      <Text size="sm">
        Permanently deletes records from this computer and its backups. The service is not affected. Later
        syncs skip these records.
        {hasTeam && (
          <>
            {' '}
            An admin can also{' '}
            <AnchorLink to="/settings/$section" params={{ section: 'team' }}>
              remove for the team
            </AnchorLink>
            .
          </>
        )}
      </Text>
      <Group align="flex-end" gap="xs">
        <TextField type="date" label="Claims with service ending before" value={date} onChange={setDate} />
        <Button
          variant="default"
          disabled={date === '' || plan.isPending}
          onClick={() => plan.mutate({ removal: { kind: 'claimsBefore', date } })}
        >
          Preview claims
        </Button>
      </Group>
      <Group align="flex-end" gap="xs">
        <TextField
          label="Member record no."
          inputMode="numeric"
          value={memberId}
          onChange={(typed) => setMemberId(typed.trim())}
        />
        <Button
          variant="default"
          disabled={!isWhole || plan.isPending}
          onClick={() => plan.mutate({ removal: { kind: 'member', memberId: Number(memberId) } })}
        >
          Preview member
        </Button>
      </Group>
      {plan.isPending && <LiveStoreProgress work="check" />}
      <ErrorNotice error={plan.error} />
      {plan.data !== undefined && asked !== undefined && (
        <ConfirmRemoval key={JSON.stringify(asked)} removal={asked} counts={plan.data} onDone={plan.reset} />
      )}
      {(rules.claimsBefore !== null || rules.memberIds.length > 0) && (
        <Group justify="space-between">
          <Text size="sm">{describeRules(rules)}</Text>
          <SmallButton loading={lift.isPending} onClick={() => lift.mutate({})}>
            Allow these to sync again
          </SmallButton>
        </Group>
      )}
      <ErrorNotice error={lift.error} />
    </Stack>
  );
}

function describeRules({ claimsBefore, memberIds }: RetentionRules): string {
  const parts = [
    ...(claimsBefore === null ? [] : [`claims before ${formatDay(claimsBefore)}`]),
    ...(memberIds.length === 0 ? [] : [formatCountOf(memberIds.length, 'removed member')]),
  ];
  return `Syncs skip ${parts.join(' and ')}.`;
}

function ConfirmRemoval(props: { removal: Removal; counts: RemovalCounts; onDone: () => void }) {
  const { removal, counts } = props;
  const [typed, setTyped] = useState('');
  const remove = useWorkspaceMutation('data:remove');
  const expectedText = removal.kind === 'member' ? String(removal.memberId) : removal.date;
  const parts = [
    ...(removal.kind === 'member' ? [formatCountOf(counts.members, 'member')] : []),
    formatCountOf(counts.claims, 'claim'),
    formatCountOf(counts.reviews, 'review entry', 'review entries'),
  ];
  return (
    <Notice tone="bad" title={`This removes ${parts.join(', ')}`}>
      <Stack gap="xs">
        {counts.sharedClaims > 0 && (
          <Text size="sm">
            {formatCountOf(counts.sharedClaims, 'claim')} of this member will be kept because they also belong
            to someone else.
          </Text>
        )}
        <Group align="flex-end" gap="xs">
          <TextField label={`Type ${expectedText} to confirm`} value={typed} onChange={setTyped} />
          <Button
            color="red.9"
            disabled={typed.trim() !== expectedText}
            loading={remove.isPending}
            onClick={() => remove.mutate({ removal, typed }, { onSuccess: props.onDone })}
          >
            Remove permanently
          </Button>
          <Button variant="default" onClick={props.onDone}>
            Cancel
          </Button>
        </Group>
        {remove.isPending && <LiveStoreProgress work="rewrite" />}
        <ErrorNotice error={remove.error} />
      </Stack>
    </Notice>
  );
}
