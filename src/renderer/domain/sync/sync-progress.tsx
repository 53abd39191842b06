import { Group, Stack, Text } from '@mantine/core';
import type { SyncProgress } from '../../../contract/sync.ts';
import { formatCount } from '../../../rules/count.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { describePhase, describeProgress, percentOf } from './sync-messages.ts';

/** A running sync: its phase, its progress, its remaining time, and buttons to pause and cancel it. */
export function RunningSync(props: {
  progress: SyncProgress;
  onCancel: () => void;
  isCanceling: boolean;
  onPause?: () => void;
  isPausing?: boolean;
}) {
  const { progress } = props;
  const percent = percentOf(progress);
  return (
    <Stack gap={8}>
      <Group justify="space-between" gap="xs">
        <Text fw={600} size="sm">
          {describePhase(progress)}
          {progress.pass > 1 && ` (read ${progress.pass})`}
        </Text>
        <Hint>{describeProgress(progress)}</Hint>
      </Group>
      <ProgressBar
        label="Sync progress"
        text={describeProgress(progress)}
        share={percent === null ? null : percent / 100}
      />
      <Group justify="space-between" gap="xs">
        <SmallPrint>{formatCount(Math.round(progress.recordsPerSecond))} records per second</SmallPrint>
        <Group gap="xs">
          {props.onPause !== undefined && (
            <SmallButton onClick={props.onPause} loading={props.isPausing ?? false}>
              Pause sync
            </SmallButton>
          )}
          <SmallButton onClick={props.onCancel} loading={props.isCanceling}>
            Cancel sync
          </SmallButton>
        </Group>
      </Group>
    </Stack>
  );
}
