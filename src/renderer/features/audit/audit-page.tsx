import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { AuditVerdict } from '../../../contract/audit.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { EmptyState, LoadingState } from '../../components/states.tsx';
import { Hint, Status } from '../../components/text.tsx';
import { useWorkspaces } from '../../domain/workspace/use-workspaces.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import { keyPrefixes } from '../../lib/query-keys.ts';
import { AuditFilters, type Chosen, nothingChosen, toFilter } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { AuditVerdictNotice } from './audit-verdict.tsx';

const pageSize = 50;

/** Who viewed, copied, exported, unlocked: read, verified, exported. */
export function AuditPage() {
  const navigate = useNavigate();
  const bridge = useBridge();
  const { workspaces, active } = useWorkspaces();
  const [chosen, setChosen] = useState<Chosen>(nothingChosen);
  const [offset, setOffset] = useState(0);
  const filter = toFilter(chosen, active?.id ?? null);
  const log = useDeskQuery('audit:list', { offset, limit: pageSize, filter }, { keepsPrevious: true });
  // Entries come without an event: the page begins with those of now.
  const cache = useQueryClient();
  useEffect(() => void cache.invalidateQueries({ queryKey: keyPrefixes.domain('audit') }), [cache]);
  const verify = useMutation<AuditVerdict>({ mutationFn: () => ask(bridge, 'audit:verify', {}) });
  const [accepted, setAccepted] = useState<AuditVerdict | null>(null);
  const save = useMutation({
    mutationFn: async () => {
      const target = await ask(bridge, 'files:chooseSaveTarget', {
        purpose: 'auditLog',
        suggestedName: 'claimdesk-audit-log.jsonl',
      });
      if (target === null) return null;
      const written = await ask(bridge, 'audit:export', { targetId: target.targetId });
      return { ...written, displayPath: target.displayPath };
    },
    onSuccess: () => void log.refetch(),
  });
  const verdict = accepted ?? verify.data;
  const { entries, total } = log.data ?? { entries: [], total: 0 };
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
          <SmallButton loading={save.isPending} onClick={() => save.mutate()}>
            Export…
          </SmallButton>
          <BackButton
            label="Privacy"
            onBack={() => void navigate({ to: '/settings/$section', params: { section: 'privacy' } })}
          />
        </>
      }
    >
      <Stack gap="sm">
        <Hint>
          The account is the one this computer was signed in to, which nobody verified. Entries hold IDs,
          never names or SSNs; names below come from the records on this computer.
        </Hint>
        {verdict !== undefined && (
          <AuditVerdictNotice
            verdict={verdict}
            onAccepted={(found) => {
              setAccepted(found);
              void log.refetch();
            }}
          />
        )}
        <ErrorNotice error={verify.error} title="Couldn’t verify the audit log" />
        {save.data && (
          <Status>
            {formatCountOf(save.data.entries, 'entry', 'entries')} saved as {save.data.displayPath}
          </Status>
        )}
        <ErrorNotice error={save.error} title="Couldn’t export the audit log" />
        <AuditFilters
          chosen={chosen}
          hasWorkspace={active !== null}
          onChange={(next) => {
            setChosen(next);
            setOffset(0);
          }}
        />
        <ErrorNotice error={log.error} title="Couldn’t load the audit log" onRetry={log.refetch} />
        {log.isPending && <LoadingState what="the audit log" />}
        {log.data !== undefined &&
          (entries.length === 0 ? (
            <EmptyState
              title="No entries"
              text="Nothing was recorded for these filters. Sample data isn’t recorded."
            />
          ) : (
            <AuditTable entries={entries} workspaces={workspaces} activeId={active?.id ?? null} />
          ))}
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
