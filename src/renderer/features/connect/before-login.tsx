import { Text } from '@mantine/core';
import type { PayerForm } from '../../../contract/connect-members.ts';
import { needForLogin } from './connection-facts.ts';

/** What a person needs before submitting a login, and how long it takes. */
export function BeforeLogin({ payer }: { payer: Pick<PayerForm, 'name' | 'hasSecurityQuestions'> }) {
  return (
    <Text size="sm">
      {needForLogin(payer)} The carrier may send the member a code, so keep them on the phone. A sign-in check
      usually takes up to 5 minutes.
    </Text>
  );
}
