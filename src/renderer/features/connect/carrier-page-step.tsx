import { Button, Group, Stack, Text } from '@mantine/core';
import type { ConnectMember, PayerForm } from '../../../contract/connect-members.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { CarrierSignIn } from './carrier-sign-in.tsx';
import type { Consents } from './terms-step.tsx';

/** Patient Access: the member signs in at the carrier's page, and the login never reaches this computer. */
export function CarrierPageStep(props: { member: ConnectMember; payer: PayerForm; consents: Consents }) {
  const { member, payer } = props;
  const begin = useWorkspaceMutation('connect:startPatientAccess');
  const current = useWorkspaceQuery('connect:getPatientAccess', { email: member.email });
  const start = () =>
    begin.mutate({
      email: member.email,
      employerId: member.employer.id,
      payerId: payer.id,
      consents: props.consents,
    });
  const signIn = begin.isSuccess ? (current.data ?? begin.data) : null;
  if (signIn === null) {
    return (
      <Stack gap="sm">
        <Text size="sm">
          {payer.name} lets members sign in at its own page. Claimdesk asks for the page, shows you its
          address, and opens it in your browser.
        </Text>
        <ErrorNotice error={begin.error} title="Couldn’t open the carrier’s sign-in page" />
        <Group justify="flex-end">
          <Button onClick={start} loading={begin.isPending}>
            Ask for the carrier’s page
          </Button>
        </Group>
      </Stack>
    );
  }
  return <CarrierSignIn signIn={signIn} carrierName={payer.name} onAgain={() => begin.reset()} />;
}
