import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { Validation } from '../../../contract/carrier-connections.ts';
import { errorTable } from '../../../contract/error-codes.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { CodeForm, MethodForm } from './answer-forms.tsx';
import { CarrierSays } from './carrier-says.tsx';
import { describeTurn } from './connect-labels.ts';
import { StateMark } from './state-mark.tsx';

const watchLabels = {
  stream: 'Updating live.',
  polling: 'Checking every few seconds.',
} as const;

/** A running validation: its state, the carrier's questions, its result. The engine watches it, not this page. */
export function ValidationPanel({
  workspaceId,
  validation,
}: {
  workspaceId: string;
  validation: Validation;
}) {
  const now = useNow();
  const carrierName = validation.payerName ?? 'The carrier';
  const answer = { workspaceId, validation, carrierName };
  const hasEnded = validation.phase === 'ended';
  return (
    <Section title="Sign-in check">
      <Stack gap="sm">
        <div role="status" aria-label="State of the sign-in check">
          <StateMark {...describeTurn(validation)} />
          <Text size="sm">{validation.sentence}</Text>
        </div>
        {validation.phase === 'working' && (
          <>
            <Progress.Root size="sm">
              <Progress.Section value={100} animated aria-label="The carrier is at work" />
            </Progress.Root>
            <SmallPrint>This usually takes up to 5 minutes.</SmallPrint>
          </>
        )}
        {validation.phase === 'chooseMethod' && <MethodForm {...answer} />}
        {validation.phase === 'enterCode' && <CodeForm {...answer} />}
        {validation.phase !== 'enterCode' && validation.message !== null && (
          <CarrierSays carrierName={validation.payerName} message={validation.message} />
        )}
        {validation.nextStep !== null && (
          <Text size="sm">
            <b>Next: </b>
            {validation.nextStep}
          </Text>
        )}
        {validation.interruption !== null && (
          <Status>{errorTable[validation.interruption].message} Claimdesk keeps trying.</Status>
        )}
        {validation.outcome === 'unknown' && (
          <CheckAgain workspaceId={workspaceId} policyHolderId={validation.policyHolderId} />
        )}
        <Group gap="md">
          <SmallPrint>
            {validation.isStartedHere ? 'Submitted' : 'Started elsewhere, found'}{' '}
            {formatWhen(validation.startedAt, now)}.{' '}
            {validation.watchedBy !== null && !hasEnded && watchLabels[validation.watchedBy]}
          </SmallPrint>
        </Group>
      </Stack>
    </Section>
  );
}

/** Watches a validation again that reached its time limit without a result. */
function CheckAgain(props: { workspaceId: string; policyHolderId: number }) {
  const check = useDeskMutation('connect:checkAgain');
  return (
    <Stack gap="sm" align="flex-start">
      <Button loading={check.isPending} onClick={() => check.mutate(props)}>
        Check again
      </Button>
      <ErrorNotice error={check.error} title="The result could not be checked" />
    </Stack>
  );
}
