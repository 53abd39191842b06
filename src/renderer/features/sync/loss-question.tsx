import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { LossQuestion } from '../../../contract/sync.ts';
import { formatCount } from '../../lib/format-value.ts';

/** Asks a person about a large sudden loss. Either answer keeps every record on this computer. */
export function LossQuestionNotice(props: {
  question: LossQuestion;
  onAnswer: (answer: 'accept' | 'decline') => void;
  isAnswering: boolean;
}) {
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Many records are missing from this sync"
    >
      <Stack gap={8}>
        {props.question.losses.map((loss) => (
          <Text size="sm" key={loss.list}>
            {formatCount(loss.missing)} of {formatCount(loss.here)} {loss.list} are missing.
          </Text>
        ))}
        <Text size="sm">
          Ask the claims service whether this is right. If you mark them as no longer in the service, they are
          hidden from lists; nothing is deleted. If you keep them, the next sync reads everything again.
        </Text>
        <Group gap="xs">
          <Button
            size="compact-sm"
            variant="default"
            loading={props.isAnswering}
            onClick={() => props.onAnswer('decline')}
          >
            Keep records
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            loading={props.isAnswering}
            onClick={() => props.onAnswer('accept')}
          >
            Mark as no longer in the service
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
