import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ConnectMember, MemberPlan } from '../../../contract/connect-members.ts';
import type { Input } from '../../../contract/procedures.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

/** What will be created or matched, before anything is sent. */
export function MemberSummary(props: {
  plan: MemberPlan;
  input: Input<'connect:bootstrap'>;
  onBack: () => void;
  onMember: (member: ConnectMember) => void;
}) {
  const { plan } = props;
  const bootstrap = useDeskMutation('connect:bootstrap');
  const go = useRef<HTMLButtonElement>(null);
  useEffect(() => go.current?.focus(), []);
  const submit = () => bootstrap.mutate(props.input, { onSuccess: ({ member }) => props.onMember(member) });
  return (
    <section aria-label="Summary">
      <Stack gap="sm">
        <Text fw={600} size="sm">
          {plan.sentence}
        </Text>
        <Text size="sm">
          {props.input.email} · Employer ID in your benefits system: {plan.systemKey} · Vendor: {plan.vendor}
        </Text>
        {plan.warning !== null && (
          <Text size="sm">
            <b>Check first: </b>
            {plan.warning}
          </Text>
        )}
        <ErrorNotice error={bootstrap.error} title="Member not added" />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onBack}>
            Back
          </Button>
          <Button ref={go} loading={bootstrap.isPending} onClick={submit}>
            {plan.isMemberKnown ? 'Use existing member' : 'Add member'}
          </Button>
        </Group>
      </Stack>
    </section>
  );
}
