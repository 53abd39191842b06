import { Stack, Text } from '@mantine/core';
import type { ConnectionView, ConnectMember } from '../../../contract/connect-views.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FieldList, Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatDateField, formatDateTime, formatWhen } from '../../lib/format-date.ts';
import { formatCount } from '../../lib/format-value.ts';
import { useNow } from '../../lib/use-now.ts';
import { CarrierSays } from './carrier-says.tsx';
import { severityLabels, severityTones } from './connect-labels.ts';
import { isWrong } from './connection-facts.ts';
import { StateMark } from './state-mark.tsx';
import { SupportContact } from './support-contact.tsx';

/** The status of a connection, the reason, what to do about it, and its claims. */
export function ConnectionStatus(props: {
  workspaceId: string;
  connection: CarrierConnection;
  owner: ConnectMember | undefined;
}) {
  const { workspaceId, connection } = props;
  const { policyHolderId, correctionMessage, lastSuccessAt, claimsSynced, newestClaimOn } = connection;
  const now = useNow();
  const refresh = useDeskMutation('connect:readConnection');
  return (
    <Section
      title="Connection status"
      actions={
        <SmallButton
          loading={refresh.isPending}
          onClick={() => refresh.mutate({ workspaceId, policyHolderId })}
        >
          Refresh status
        </SmallButton>
      }
    >
      <Stack gap="xs">
        <StateMark label={severityLabels[connection.severity]} tone={severityTones[connection.severity]} />
        <Text size="sm">{connection.sentence}</Text>
        {correctionMessage !== null && isWrong(connection) && (
          <CarrierSays carrierName={connection.payerName} message={correctionMessage} />
        )}
        {connection.nextStep !== null && (
          <Text size="sm">
            <b>Next: </b>
            {connection.nextStep}
          </Text>
        )}
        {isWrong(connection) && <SupportContact {...props} />}
        <FieldList
          fields={[
            ['Member', connection.memberName],
            ['Email', connection.email],
            ['Employer', connection.employerName],
            ['Carrier', connection.payerName],
            ['Username', connection.usernameHint],
            ['Last successful update', lastSuccessAt === null ? 'None yet' : formatDateTime(lastSuccessAt)],
            ['Claims synced', claimsSynced === null ? null : formatCount(claimsSynced)],
            ['Newest claim', newestClaimOn === null ? null : formatDateField(newestClaimOn)],
            ['Connection ID', String(policyHolderId)],
            ['Status as of', formatWhen(connection.readAt, now)],
          ]}
        />
        <ErrorNotice error={refresh.error} title="Couldn’t refresh this connection" />
      </Stack>
    </Section>
  );
}
