import { Button, Code, Stack, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConnectCall } from '../../../contract/connect-views.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatDateTime } from '../../lib/format-date.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './connect.module.css';
import { describeDuration } from './connect-labels.ts';

/** The last calls to Connect, for support, without IDs, emails and tokens. */
export function CallLogPage() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const bridge = useBridge();
  const workspaceId = workspace.id;
  const log = useDeskQuery('connect:listCalls', { workspaceId });
  const save = useMutation({
    mutationFn: async () => {
      const target = await ask(bridge, 'files:chooseSaveTarget', {
        purpose: 'callLog',
        suggestedName: 'claimdesk-connect-calls.jsonl',
      });
      if (target === null) return null;
      return ask(bridge, 'connect:exportCalls', { workspaceId, targetId: target.targetId });
    },
  });
  const calls = log.data?.calls ?? [];
  return (
    <Page
      title="Call log"
      documentTitle="Call log"
      actions={
        <>
          <Button size="compact-sm" variant="default" onClick={() => void log.refetch()}>
            Refresh
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={calls.length === 0}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            Export for support…
          </Button>
          <BackButton label="Connections" onBack={() => void navigate({ to: '/connections' })} />
        </>
      }
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Carrier API requests since Claimdesk started. Contains no member data. The claims service’s support
          can look up the request IDs.
        </Text>
        {save.data && (
          <Text size="sm" role="status">
            {formatCountOf(save.data.calls, 'call')} saved as <Code>{save.data.displayPath}</Code>
          </Text>
        )}
        <ErrorNotice error={save.error} title="The log was not exported" />
        <ErrorNotice error={log.error} title="The log cannot be read" onRetry={log.refetch} />
        {log.isPending && <LoadingState what="the call log" />}
        {log.data !== undefined &&
          (calls.length === 0 ? (
            <EmptyState title="There was no call yet" text="Calls appear here once you add a member." />
          ) : (
            <Section title={formatCountOf(calls.length, 'call')}>
              <CallTable calls={calls} />
            </Section>
          ))}
      </Stack>
    </Page>
  );
}

function CallTable({ calls }: { calls: readonly ConnectCall[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
    <section className={styles.calls} aria-label="Calls" tabIndex={0}>
      <Table verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {['Time', 'Method', 'Path', 'Status', 'Duration', 'Request ID', 'Outcome'].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {calls.map((call, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: calls of the same moment have nothing else apart
            <Table.Tr key={`${call.at} ${call.route} ${index}`}>
              <Table.Td>{formatDateTime(call.at)}</Table.Td>
              <Table.Td>{call.method}</Table.Td>
              <Table.Td>
                <code>{call.route}</code>
              </Table.Td>
              <Table.Td>{call.status ?? 'no answer'}</Table.Td>
              <Table.Td>{describeDuration(call.durationMs)}</Table.Td>
              <Table.Td>
                <code>{call.requestId ?? '—'}</code>
              </Table.Td>
              <Table.Td>{call.code === null ? 'fine' : <code>{call.code}</code>}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
