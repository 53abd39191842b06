import { Group, Progress, Stack, Text } from '@mantine/core';
import type { ValidationView } from '../../../contract/connect-views.ts';
import { errorTable } from '../../../contract/error-codes.ts';
import { Section } from '../../components/page.tsx';
import { formatWhen } from '../../lib/format-date.ts';
import { useNow } from '../../lib/use-now.ts';
import { CodeForm, MethodForm } from './answer-forms.tsx';
import styles from './connect.module.css';
import { describeTurn } from './connect-words.ts';
import { StateMark } from './state-mark.tsx';

const watchWords = {
  stream: 'Followed live.',
  polling: 'Asked for every few seconds, since the live stream cannot be had.',
} as const;

/** A validation as it goes: where it stands, what the carrier asks, how it ended. The engine watches, not this page. */
export function ValidationPanel({
  workspaceId,
  validation,
}: {
  workspaceId: string;
  validation: ValidationView;
}) {
  const now = useNow();
  const carrierName = validation.payerName ?? 'The carrier';
  const answer = { workspaceId, validation, carrierName };
  const hasEnded = validation.phase === 'ended';
  return (
    <Section title="Validation of the login">
      <Stack gap="sm">
        <div role="status" aria-label="State of the validation">
          <StateMark {...describeTurn(validation)} />
          <Text size="sm">{validation.sentence}</Text>
        </div>
        {validation.phase === 'working' && (
          <Progress.Root size="sm">
            <Progress.Section value={100} animated aria-label="The carrier is at work" />
          </Progress.Root>
        )}
        {validation.phase === 'chooseMethod' && <MethodForm {...answer} />}
        {validation.phase === 'enterCode' && <CodeForm {...answer} />}
        {validation.phase !== 'enterCode' && validation.message !== null && (
          <div>
            <Text size="xs" c="dimmed">
              {carrierName} says:
            </Text>
            <blockquote className={styles.quote}>{validation.message}</blockquote>
          </div>
        )}
        {validation.nextStep !== null && (
          <Text size="sm">
            <b>Next: </b>
            {validation.nextStep}
          </Text>
        )}
        {validation.interruption !== null && (
          <Text size="sm" role="status">
            {errorTable[validation.interruption].message} Claimdesk goes on by itself.
          </Text>
        )}
        <Group gap="md">
          <Text size="xs" c="dimmed">
            Submitted {formatWhen(validation.startedAt, now)}.{' '}
            {validation.watchedBy !== null && !hasEnded && watchWords[validation.watchedBy]}
          </Text>
        </Group>
      </Stack>
    </Section>
  );
}
