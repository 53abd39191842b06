import { Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Validation } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { BeforeLogin } from './before-login.tsx';
import { CarrierHelp } from './carrier-help.tsx';
import { CarrierPageStep } from './carrier-page-step.tsx';
import { LoginStep } from './login-step.tsx';
import { type Consents, TermsStep } from './terms-step.tsx';

type SignInMethod = 'login' | 'page';

/**
 * From a carrier to a submitted login, or to the carrier's own page. Terms come first, so that a typed password is
 * sent at once.
 */
export function LoginFlow(props: {
  workspace: Workspace;
  member: ConnectMember;
  payerId: number;
  policyHolderId: number | null;
  /** The current username of a connection, for its correction. */
  username?: string | null;
  consents: Consents | null;
  onConsent: (consents: Consents | null) => void;
  onSubmitted: (validation: Validation) => void;
}) {
  const { workspace, member, consents } = props;
  const [chosenMethod, setChosenMethod] = useState<SignInMethod | null>(null);
  const payer = useDeskQuery('connect:getPayer', {
    workspaceId: workspace.id,
    email: member.email,
    employerId: member.employer.id,
    payerId: props.payerId,
  });
  if (payer.error !== null || payer.data === undefined) return <NotLoaded query={payer} what="the carrier" />;
  const { form, hasPatientAccess, name } = payer.data;
  const methods: SignInMethod[] = [
    ...(form === null ? [] : ['login' as const]),
    ...(hasPatientAccess ? ['page' as const] : []),
  ];
  const method = methods.find((one) => one === chosenMethod) ?? methods[0];
  if (method === undefined) {
    return (
      <Section title={name}>
        <Text size="sm">The service offers no way to connect this carrier. Choose another one.</Text>
        <CarrierHelp payer={payer.data} />
      </Section>
    );
  }
  if (consents === null) {
    return (
      <Section title="Terms of use">
        {method === 'login' && <BeforeLogin payer={payer.data} />}
        <TermsStep workspace={workspace} member={member} onConsent={props.onConsent} />
      </Section>
    );
  }
  return (
    <Section
      title={method === 'page' ? `Sign-in at ${name}` : `Login at ${name}`}
      actions={
        <SmallButton variant="subtle" onClick={() => props.onConsent(null)}>
          Back to the terms
        </SmallButton>
      }
    >
      <Stack gap="sm">
        {methods.length > 1 && (
          <Radio.Group
            label="How the member signs in"
            value={method}
            onChange={(value) => setChosenMethod(value === 'page' ? 'page' : 'login')}
          >
            <Group gap="lg" mt={4}>
              <Radio value="login" label="With username and password, here" />
              <Radio value="page" label="At the carrier’s own page" />
            </Group>
          </Radio.Group>
        )}
        {method === 'page' ? (
          <CarrierPageStep workspace={workspace} member={member} payer={payer.data} consents={consents} />
        ) : (
          <LoginStep
            workspace={workspace}
            member={member}
            payer={payer.data}
            consents={consents}
            policyHolderId={props.policyHolderId}
            username={props.username ?? null}
            onSubmitted={props.onSubmitted}
          />
        )}
        <CarrierHelp payer={payer.data} />
      </Stack>
    </Section>
  );
}
