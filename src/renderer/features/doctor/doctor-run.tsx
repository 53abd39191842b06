import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DoctorResult } from '../../../contract/doctor.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useDeskMutation } from '../../lib/desk-query.ts';
import styles from './doctor.module.css';
import { DoctorStepView } from './doctor-step.tsx';
import { DoctorVerdict } from './doctor-verdict.tsx';

/** One examination: run, read, copied. */
export function DoctorRun({ workspace }: { workspace: Workspace }) {
  const run = useDeskMutation('doctor:run');
  const result = run.data;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button onClick={() => run.mutate({ workspaceId: workspace.id })} loading={run.isPending}>
          {result === undefined ? 'Examine the connection' : 'Examine again'}
        </Button>
        {result !== undefined && !run.isPending && <CopyReport key={result.startedAt} result={result} />}
      </Group>
      <div role="status">
        {run.isPending && <Text size="sm">Looking at {workspace.name}…</Text>}
        {!run.isPending && result !== undefined && <DoctorVerdict result={result} workspace={workspace} />}
      </div>
      {run.error !== null && <ErrorNotice error={run.error} title="The connection was not examined" />}
      {!run.isPending && result !== undefined && (
        <ol className={styles.steps} aria-label="What was looked at">
          {result.steps.map((step) => (
            <DoctorStepView key={step.id} step={step} hidesChecks={step.code === result.cause} />
          ))}
        </ol>
      )}
    </Stack>
  );
}

/** The report that can be handed on: it holds no personal data, no secret and no address. */
function CopyReport({ result }: { result: DoctorResult }) {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  const copy = async () => setState((await copyText(result.report)) ? 'copied' : 'refused');
  return (
    <>
      <Button variant="default" onClick={() => void copy()}>
        Copy report
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {state === 'copied' && 'Copied. It holds no personal data and no secret.'}
      </Text>
      {state === 'refused' && (
        <>
          <Text size="sm">This browser does not let Claimdesk copy. Select the report and copy it:</Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section className={styles.report} tabIndex={0} aria-label="Report">
            {result.report}
          </section>
        </>
      )}
    </>
  );
}
