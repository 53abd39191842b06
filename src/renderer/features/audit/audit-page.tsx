import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AuditVerdict } from '../../../contract/audit.ts';
import type { Output } from '../../../contract/procedures.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { ErrorNotice, Loaded } from '../../components/error-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { useSaveFile } from '../../lib/use-secret-call.ts';
import { AuditFilters, type Chosen, nothingChosen, toFilter } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { describeVerdict } from './describe-entry.ts';

const pageSize = 50;

/** The audit log: entries by page, its verdict, and its export. */
export function AuditPage() {
  const navigate = useNavigate();
  const bridge = useBridge();
  const { workspaces, active } = useWorkspaces();
  const [chosen, setChosen] = useState<Chosen>(nothingChosen);
  const [offset, setOffset] = useState(0);
  const filter = toFilter(chosen, active?.id ?? null);
  const log = useDeskQuery('audit:list', { offset, limit: pageSize, filter }, { keepsPrevious: true });
  // No event reports new entries, so they are read again when the page opens.
  const cache = useQueryClient();
  useEffect(() => void cache.invalidateQueries({ queryKey: keyPrefixes.domain('audit') }), [cache]);
  const verify = useMutation<AuditVerdict>({ mutationFn: () => ask(bridge, 'audit:verify', {}) });
  const [accepted, setAccepted] = useState<AuditVerdict | null>(null);
  const { saved, save, ...saving } = useSaveFile<Output<'audit:export'>>({
    purpose: 'auditLog',
    suggestedName: 'claimdesk-audit-log.jsonl',
  });
  const saveLog = () =>
    save((targetId) => ask(bridge, 'audit:export', { targetId }).finally(() => void log.refetch()));
  const verdict = accepted ?? verify.data;
  const total = log.data?.total ?? 0;
  return (
    <Page
      title="Audit log"
      documentTitle="Audit log"
      actions={
        <>
          <SmallButton onClick={() => void log.refetch()}>Refresh</SmallButton>
          <SmallButton
            loading={verify.isPending}
            onClick={() => {
              setAccepted(null);
              verify.mutate();
            }}
          >
            Verify
          </SmallButton>
          <SmallButton loading={saving.isPending} onClick={saveLog}>
            Export…
          </SmallButton>
          <BackButton
            label="Security"
            onBack={() => void navigate({ to: '/settings/$section', params: { section: 'security' } })}
          />
        </>
      }
    >
      <Stack gap="sm">
        <Hint>
          Entries are from the account set up here. They hold IDs, never names or SSNs; names below come from
          the records on this computer.
        </Hint>
        {verdict !== undefined && (
          <AuditVerdictNotice
            verdict={verdict}
            onAccepted={(acceptedVerdict) => {
              setAccepted(acceptedVerdict);
              void log.refetch();
            }}
          />
        )}
        <ErrorNotice error={verify.error} title="Couldn’t verify the audit log" />
        {saved !== null && (
          <Status>
            {formatCountOf(saved.entries, 'entry', 'entries')} saved as <SavedPath path={saved.displayPath} />
          </Status>
        )}
        <ErrorNotice error={saving.error} title="Couldn’t export the audit log" />
        <AuditFilters
          chosen={chosen}
          hasWorkspace={active !== null}
          onChange={(next) => {
            setChosen(next);
            setOffset(0);
          }}
        />
        <Loaded query={log} what="the audit log">
          {({ entries }) =>
            entries.length === 0 ? (
              <EmptyState
                title="No entries"
                text="Nothing was recorded for these filters. Sample data isn’t recorded."
              />
            ) : (
              <AuditTable entries={entries} workspaces={workspaces} activeId={active?.id ?? null} />
            )
          }
        </Loaded>
        {total > 0 && (
          <Pager
            offset={offset}
            pageSize={pageSize}
            total={total}
            names={['entry', 'entries']}
            back="Newer"
            onward="Older"
            onMove={setOffset}
          />
        )}
      </Stack>
    </Page>
  );
}

/** Shows the verdict. Where the log is not intact, the user can accept it, which is recorded. */
function AuditVerdictNotice(props: { verdict: AuditVerdict; onAccepted: (verdict: AuditVerdict) => void }) {
  const { verdict } = props;
  const [isAsked, setIsAsked] = useState(false);
  const accept = useDeskMutation('audit:accept');
  const { reason, firstBad } = verdict;
  return (
    <Notice role="status" tone={verdict.isIntact ? 'good' : 'bad'}>
      <Text size="sm" fw={600}>
        {describeVerdict(verdict)}
      </Text>
      {!verdict.isIntact && reason !== null && firstBad !== null && (
        <Stack gap="xs" align="flex-start" mt="xs">
          <Text size="sm">
            Leave the profile folder unchanged and tell your compliance team. If you restored this profile
            from a backup, you can accept the log as it is; what was found is recorded.
          </Text>
          {isAsked ? (
            <Group gap="xs">
              <Button
                size="compact-sm"
                color="red"
                loading={accept.isPending}
                onClick={() => accept.mutate({ reason, firstBad }, { onSuccess: props.onAccepted })}
              >
                Accept and record
              </Button>
              <SmallButton onClick={() => setIsAsked(false)}>Cancel</SmallButton>
            </Group>
          ) : (
            <SmallButton onClick={() => setIsAsked(true)}>Accept log from here…</SmallButton>
          )}
          <ErrorNotice error={accept.error} />
        </Stack>
      )}
    </Notice>
  );
}
