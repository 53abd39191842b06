import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import type { Input } from '../../../contract/procedures.ts';
import { NotLoaded } from '../../components/error-notice.tsx';
import { Form } from '../../components/form.tsx';
import { useWorkspaceQuery } from '../../lib/desk-query.ts';
import { UntrustedFrame } from './untrusted-frame.tsx';

export type Consents = Input<'connect:submit'>['consents'];

/** The service's terms, and the member's two consents, each with its own checkbox. */
export function TermsStep(props: { member: ConnectMember; onConsent: (consents: Consents) => void }) {
  const { member } = props;
  const [hasTerms, setHasTerms] = useState(false);
  const [hasTenant, setHasTenant] = useState(false);
  const terms = useWorkspaceQuery('connect:getTerms', {
    email: member.email,
    employerId: member.employer.id,
  });
  if (terms.error !== null || terms.data === undefined) return <NotLoaded query={terms} what="the terms" />;
  return (
    <Form
      onSubmit={() =>
        hasTerms && hasTenant && props.onConsent({ terms: true, tenantIds: [member.tenant.id] })
      }
    >
      <Text size="sm">
        Read the terms with the member, or send them to the member. Tick only what the member agrees to.
      </Text>
      <UntrustedFrame untrustedHtml={terms.data.untrustedHtml} title="Terms of use of the service" />
      <Checkbox
        label="The member accepts the terms of use"
        checked={hasTerms}
        onChange={(event) => setHasTerms(event.currentTarget.checked)}
      />
      <Checkbox
        label={`The member agrees that ${member.tenant.name} receives their claims`}
        checked={hasTenant}
        onChange={(event) => setHasTenant(event.currentTarget.checked)}
      />
      <Group justify="flex-end">
        <Button type="submit" disabled={!hasTerms || !hasTenant}>
          Continue
        </Button>
      </Group>
    </Form>
  );
}
