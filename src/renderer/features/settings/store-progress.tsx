import { Progress, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { describeStoreProgress, type StoreProgress } from '../../../contract/store.ts';
import { useBridge } from '../../lib/desk-context.tsx';

/** How far the check, repair or removal is that runs while this is shown. */
export function StoreProgressView({ workspaceId }: { workspaceId: string }) {
  const bridge = useBridge();
  const [progress, setProgress] = useState<StoreProgress | null>(null);
  useEffect(
    () =>
      bridge.subscribe('store:progress', (told) => {
        if (told.workspaceId === workspaceId) setProgress(told);
      }),
    [bridge, workspaceId],
  );
  const text = progress === null ? 'Starting…' : describeStoreProgress(progress);
  return (
    <Stack gap={4} maw={480}>
      <Text size="sm">{text}</Text>
      <Progress.Root size="lg">
        <Progress.Section
          value={progress === null || progress.of === 0 ? 0 : (100 * progress.done) / progress.of}
          aria-label="Progress"
          aria-valuetext={text}
        />
      </Progress.Root>
    </Stack>
  );
}
