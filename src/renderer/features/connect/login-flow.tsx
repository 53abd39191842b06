import { Button, Code, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Validation } from '../../../contract/carrier-connections.ts';
import type { ConnectMember, PayerForm } from '../../../contract/connect-members.ts';
import { ErrorNotice, NotLoaded } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint } from '../../components/text.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useWorkspaceMutation, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { useWorkspaceSecret } from '../../lib/use-secret-call.ts';
import { type CarrierFields, CarrierForm } from './carrier-form.tsx';
import { CarrierSignIn } from './carrier-sign-in.tsx';
import { needForLogin } from './connection-facts.ts';
import { type Consents, TermsStep } from './terms-step.tsx';
import { UntrustedFrame } from './untrusted-frame.tsx';

type SignInMethod = 'login' | 'page';

/**
 * From a carrier to a submitted login, or to the carrier's own page. The terms come first, so that a password is sent
 * as soon as it is typed.
 */
export function LoginFlow(props: {
  member: ConnectMember;
  payerId: number;
  policyHolderId: number | null;
  /** The current username of a connection, for its correction. */
  username?: string | null;
  consents: Consents | null;
  onConsent: (consents: Consents | null) => void;
  onSubmitted: (validation: Validation) => void;
}) {
  const { member, consents } = props;
  const [chosenMethod, setChosenMethod] = useState<SignInMethod | null>(null);
  const payer = useWorkspaceQuery('connect:getPayer', {
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
  const method = methods.find((candidate) => candidate === chosenMethod) ?? methods[0];
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
        <TermsStep member={member} onConsent={props.onConsent} />
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
          <CarrierPageStep member={member} payer={payer.data} consents={consents} />
        ) : (
          <LoginStep
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

/** Shows what is needed before a login is submitted, and how long it takes. */
const BeforeLogin = ({ payer }: { payer: Pick<PayerForm, 'name' | 'hasSecurityQuestions'> }) => (
  <Text size="sm">
    {needForLogin(payer)} The carrier may send the member a code, so keep them on the phone. A sign-in check
    usually takes up to 5 minutes.
  </Text>
);

/** Shows the service's help for a carrier: where the member can register, and help articles. */
function CarrierHelp({ payer }: { payer: PayerForm }) {
  const [openTitle, setOpenTitle] = useState<string | null>(null);
  const open = payer.articles.find(({ title }) => title === openTitle);
  if (payer.registerUrl === null && payer.website === null && payer.articles.length === 0) return null;
  return (
    <Stack gap={6} align="flex-start" mt="sm">
      {payer.website !== null && (
        <Hint>
          The carrier’s site: <Code>{payer.website}</Code>
        </Hint>
      )}
      {payer.registerUrl !== null && (
        <Hint>
          A member without a login registers at <Code>{payer.registerUrl}</Code>
        </Hint>
      )}
      {payer.articles.map(({ title }) => (
        <SmallButton
          key={title}
          aria-expanded={title === openTitle}
          onClick={() => setOpenTitle(title === openTitle ? null : title)}
        >
          {title}
        </SmallButton>
      ))}
      {open !== undefined && <UntrustedFrame untrustedHtml={open.untrustedHtml} title={open.title} />}
    </Stack>
  );
}

/** The carrier's login form, submitted for a new connection or to correct one. */
function LoginStep(props: {
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
  const submit = useWorkspaceSecret('connect:submit');
  const correct = useWorkspaceSecret('connect:correct');
  const error = submit.error ?? correct.error;
  const send = async (fields: CarrierFields) => {
    const login = {
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
        Claimdesk sends it to the service and doesn’t store it.
      </Text>
      <ErrorNotice
        error={error}
        title={policyHolderId === null ? 'The login was not submitted' : 'The login was not corrected'}
      />
      <CarrierForm
        form={payer.form}
        known={props.username === null ? payer.known : { ...payer.known, username: props.username }}
        uiSchema={payer.uiSchema}
        action={policyHolderId === null ? 'Submit the login' : 'Submit the corrected login'}
        isPending={submit.isPending || correct.isPending}
        details={error === null ? undefined : reportOf(error).details}
        hasFocus={policyHolderId !== null}
        onSubmit={(fields) => void send(fields)}
      />
    </Stack>
  );
}

/** Patient Access: the member signs in at the carrier's page, and the login never reaches this computer. */
function CarrierPageStep(props: { member: ConnectMember; payer: PayerForm; consents: Consents }) {
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
