import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { SmallButton } from '../components/small-button.tsx';
import { copyText } from '../lib/copy-text.ts';
import { describeRenderFault } from '../lib/render-fault.ts';
import { useRestart } from './restart.tsx';

/**
 * Shown instead of a screen that failed to render. The copied details have the error's class and positions in
 * Claimdesk's code, no message.
 */
export function FaultPage({ error }: { error: unknown }) {
  const leave = useRestart();
  const [isCopied, setIsCopied] = useState(false);
  const details = describeRenderFault(error, location.hash, new Date());
  return (
    <Page title="Something went wrong" documentTitle="Something went wrong">
      <Notice tone="bad" role="alert">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">This page couldn’t be shown. Your records are safe.</Text>
          <Text size="sm">
            <b>What to do: </b>Reload Claimdesk. If it happens again, copy the details and send them to
            support.
          </Text>
          <Group gap="xs">
            <Button size="compact-sm" onClick={leave}>
              Reload
            </Button>
            <SmallButton onClick={async () => setIsCopied(await copyText(details))}>
              {isCopied ? 'Details copied' : 'Copy details'}
            </SmallButton>
            <Text size="xs" component="span">
              Code <Code>window.fault</Code>
            </Text>
          </Group>
        </Stack>
      </Notice>
    </Page>
  );
}
