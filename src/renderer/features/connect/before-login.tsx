import { Text } from '@mantine/core';
import type { PayerForm } from '../../../contract/connect-views.ts';
import { needForLogin } from './connection-facts.ts';

/** What has to be at hand before a login is submitted, and how long it takes. */
export function BeforeLogin({ payer }: { payer: Pick<PayerForm, 'name' | 'hasSecurityQuestions'> }) {
  return (
    <Text size="sm">
      {needForLogin(payer)} The carrier may send the member a code, so keep them on the phone. A sign-in check
      usually takes up to 5 minutes.
    </Text>
  );
}
