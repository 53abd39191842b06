import { Group, Stack, Text } from '@mantine/core';
import type { LossQuestion } from '../../../contract/sync.ts';
import { Notice } from '../../components/notice.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { formatCount } from '../../lib/format-value.ts';

/** Asks a person about a large sudden loss. Either answer keeps every record on this computer. */
export function LossQuestionNotice(props: {
  question: LossQuestion;
  onAnswer: (answer: 'accept' | 'decline') => void;
  isAnswering: boolean;
}) {
  return (
    <Notice tone="bad" role="alert" title="Many records are missing from this sync">
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
          <SmallButton loading={props.isAnswering} onClick={() => props.onAnswer('decline')}>
            Keep records
          </SmallButton>
          <SmallButton loading={props.isAnswering} onClick={() => props.onAnswer('accept')}>
            Mark as no longer in the service
          </SmallButton>
        </Group>
      </Stack>
    </Notice>
  );
}
