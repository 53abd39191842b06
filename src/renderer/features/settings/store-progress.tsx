import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { describeStoreProgress, type StoreProgress } from '../../../contract/store.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { Hint } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { useWorkspace } from '../../lib/workspace-context.tsx';

/** The notes on what the user can do while long work on a file runs. */
const notes = {
  check: 'You can keep working. This can’t be canceled.',
  rewrite: 'This can’t be canceled. Lists open again when it’s done.',
} as const;

interface Shown {
  readonly work: keyof typeof notes;
  readonly progress: StoreProgress | null;
}

/** How far the check, repair or removal is that runs while this is shown. */
export function LiveStoreProgress(props: { work: Shown['work'] }) {
  const { id: workspaceId } = useWorkspace();
  const { work } = props;
  const bridge = useBridge();
  const [progress, setProgress] = useState<StoreProgress | null>(null);
  useEffect(
    () =>
      bridge.subscribe('store:progress', (event) => {
        if (event.workspaceId === workspaceId) setProgress(event);
      }),
    [bridge, workspaceId],
  );
  return <StoreProgressBar work={work} progress={progress} />;
}

export function StoreProgressBar({ work, progress }: Shown) {
  const text = progress === null ? 'Starting…' : describeStoreProgress(progress);
  return (
    <Stack gap={4} maw={480}>
      <Text size="sm">{text}</Text>
      <ProgressBar
        label="Progress"
        text={text}
        share={progress === null || progress.of === 0 ? 0 : progress.done / progress.of}
        isAnimated
      />
      <Hint>{notes[work]}</Hint>
    </Stack>
  );
}
