import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { PatientAccess } from '../../../contract/carrier-connections.ts';
import { errorTable } from '../../../contract/error-codes.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { CarrierSays } from './carrier-says.tsx';
import styles from './connect.module.css';
import { signInLabels } from './connect-labels.ts';
import { StateLabel } from './state-label.tsx';

/** A sign-in at the carrier's own page: names the carrier, opens the page in the browser, and shows its state. */
export function CarrierSignIn(props: {
  signIn: PatientAccess;
  carrierName: string;
  /** Goes to the step where it can be started again. */
  onAgain?: () => void;
}) {
  const { signIn } = props;
  const open = useWorkspaceMutation('connect:openPatientAccess');
  const mark = signInLabels[signIn.phase];
  const isOpen = signIn.phase === 'ready' || signIn.phase === 'waiting';
  const isEndedBadly = signIn.phase === 'failed' || signIn.phase === 'abandoned';
  return (
    <Stack gap="xs">
      <div role="status">
        <StateLabel {...mark} />
        <Text size="sm">{signIn.sentence}</Text>
      </div>
      {signIn.message !== null && <CarrierSays carrierName={props.carrierName} message={signIn.message} />}
      {signIn.nextStep !== null && <Text size="sm">{signIn.nextStep}</Text>}
      {signIn.interruption !== null && isOpen && (
        <Hint>{errorTable[signIn.interruption].message} Claimdesk keeps asking.</Hint>
      )}
      {isOpen && (
        <>
          <Text size="sm">
            The member signs in on a page of <span className={styles.host}>{signIn.host}</span>. Continue only
            if that is the carrier’s address.
          </Text>
          <Group gap="sm">
            <Button
              variant={signIn.phase === 'ready' ? 'filled' : 'default'}
              loading={open.isPending}
              onClick={() => open.mutate({ email: signIn.email })}
            >
              {signIn.phase === 'ready' ? `Open ${signIn.host}` : 'Open the page again'}
            </Button>
          </Group>
          {open.data !== undefined && (
            <Status>
              {open.data.isOpened ? (
                'The page was opened in your browser.'
              ) : (
                <>
                  Open the page yourself:{' '}
                  <Anchor href={open.data.url} target="_blank" rel="noopener noreferrer" size="sm">
                    the carrier’s page at {signIn.host}
                  </Anchor>
                </>
              )}
            </Status>
          )}
          <ErrorNotice error={open.error} title="The page was not opened" />
        </>
      )}
      {signIn.phase === 'connected' && signIn.policyHolderId !== null && (
        <Group>
          <ButtonLink
            to="/connections/$policyHolderId"
            params={{ policyHolderId: signIn.policyHolderId }}
            size="compact-sm"
          >
            See the connection
          </ButtonLink>
        </Group>
      )}
      {isEndedBadly && props.onAgain !== undefined && (
        <Group>
          <Button size="compact-sm" onClick={props.onAgain}>
            Begin again
          </Button>
        </Group>
      )}
    </Stack>
  );
}
