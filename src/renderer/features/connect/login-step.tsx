import { Stack, Text } from '@mantine/core';
import type { Validation } from '../../../contract/carrier-connections.ts';
import type { ConnectMember, PayerForm } from '../../../contract/connect-members.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useSecretCall } from '../../lib/use-secret-call.ts';
import { type CarrierFields, CarrierForm } from './carrier-form.tsx';
import type { Consents } from './terms-step.tsx';

/** The carrier's login form, submitted for a new connection or to correct one. */
export function LoginStep(props: {
  workspace: Workspace;
  member: ConnectMember;
  payer: PayerForm;
  consents: Consents;
  /** The connection to correct. */
  policyHolderId: number | null;
  /** The initial username, where the carrier's form has one. */
  username: string | null;
  onSubmitted: (validation: Validation) => void;
}) {
  const { member, payer, policyHolderId } = props;
  const submit = useSecretCall('connect:submit');
  const correct = useSecretCall('connect:correct');
  const error = submit.error ?? correct.error;
  const send = async (fields: CarrierFields) => {
    const login = {
      workspaceId: props.workspace.id,
      email: member.email,
      employerId: member.employer.id,
      payerId: payer.id,
      fields,
      consents: props.consents,
    };
    const validation = await (policyHolderId === null
      ? submit.call(login)
      : correct.call({ ...login, policyHolderId }));
    if (validation !== null) props.onSubmitted(validation);
  };
  if (payer.form === null) return null;
  return (
    <Stack gap="sm">
      <Text size="sm">
        The login that the member has at <b>{payer.name}</b>
        {payer.redirectVendorName !== null && `, which signs in through ${payer.redirectVendorName}`}.
        Claimdesk hands it to the service and keeps none of it.
      </Text>
      <ErrorNotice
        error={error}
        title={policyHolderId === null ? 'The login was not submitted' : 'The login was not corrected'}
      />
      <CarrierForm
        form={payer.form}
        uiSchema={payer.uiSchema}
        username={props.username}
        action={policyHolderId === null ? 'Submit the login' : 'Submit the corrected login'}
        isPending={submit.isPending || correct.isPending}
        details={error === null ? undefined : reportOf(error).details}
        onSubmit={(fields) => void send(fields)}
      />
    </Stack>
  );
}
