import { Code, Text } from '@mantine/core';
import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';

/** The contact for a login that is correct and still fails: the employer's support, if it is known. */
export function SupportContact(props: {
  workspaceId: string;
  connection: Pick<CarrierConnection, 'supportEmail'>;
  owner: ConnectMember | undefined;
}) {
  const { connection, owner } = props;
  const isUnknown = connection.supportEmail === null && owner !== undefined;
  const record = useDeskQuery(
    'records:getEmployer',
    { workspaceId: props.workspaceId, id: owner?.employer.id ?? 0 },
    { enabled: isUnknown },
  );
  const address = connection.supportEmail ?? record.data?.employer.support_email_derived ?? null;
  if (address === null || address === '') return null;
  return (
    <Text size="sm">
      If the login is right and still doesn’t work, contact <Code>{address}</Code>
    </Text>
  );
}
