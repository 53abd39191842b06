import { Button, Group, Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { DoctorResult } from '../../../contract/doctor.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { WorkspaceSection } from '../../domain/workspace/workspace-section.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import styles from './doctor.module.css';
import { DoctorStepItem } from './doctor-step.tsx';
import { DoctorVerdict } from './doctor-verdict.tsx';

/** One connection check: start, result, report. */
function DoctorRun({ workspace }: { workspace: Workspace }) {
  const run = useDeskMutation('doctor:run');
  const result = run.data;
  const cause = result?.steps.find(({ code }) => code === result.cause);
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button onClick={() => run.mutate({ workspaceId: workspace.id })} loading={run.isPending}>
          {result === undefined ? 'Run check' : 'Run check again'}
        </Button>
        {result !== undefined && !run.isPending && <CopyReport key={result.startedAt} result={result} />}
      </Group>
      <div role="status">
        {run.isPending && <Text size="sm">Checking {workspace.name}…</Text>}
        {!run.isPending && result !== undefined && (
          <DoctorVerdict
            result={result}
            workspace={workspace}
            runAgain={() => run.mutate({ workspaceId: workspace.id })}
          />
        )}
      </div>
      <ErrorNotice error={run.error} title="Couldn’t run the check" />
      {!run.isPending && result !== undefined && (
        <ol className={styles.steps} aria-label="Checks">
          {result.steps.map((step) => (
            <DoctorStepItem key={step.id} step={step} cause={cause} />
          ))}
        </ol>
      )}
    </Stack>
  );
}

/** The report for support: it has no personal data, no secret and no address. */
function CopyReport({ result }: { result: DoctorResult }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const copy = async () => setState((await copyText(result.report)) ? 'copied' : 'refused');
  return (
    <>
      <Button variant="default" onClick={() => void copy()}>
        Copy report
      </Button>
      <Hint role="status">
        {state === 'copied' && 'Copied. The report contains no personal data or secrets.'}
      </Hint>
      {state === 'refused' && (
        <>
          <Text size="sm">Couldn’t copy. Select the report and copy it:</Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className={styles.report} tabIndex={0} aria-label="Report">
            {result.report}
          </section>
        </>
      )}
    </>
  );
}

/** The connection check in the settings, for one workspace at a time. */
export function DoctorSettings() {
  const askedId = useSearch({ strict: false, select: ({ workspaceId }) => workspaceId });
  return (
    <WorkspaceSection
      about="Tests the connection step by step and explains any problem in plain English. Takes at most five seconds and changes nothing."
      askedId={askedId}
    >
      {(workspace) => <DoctorRun key={workspace.id} workspace={workspace} />}
    </WorkspaceSection>
  );
}
