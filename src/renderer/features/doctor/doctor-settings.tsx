import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { DoctorResult, DoctorStep } from '../../../contract/doctor.ts';
import { doctorSteps } from '../../../contract/doctor-steps.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { FieldList } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { WorkspaceSection } from '../../domain/workspace/workspace-section.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { useDeskQuery, useWorkspaceMutation } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import styles from './doctor.module.css';
import { DoctorChecks } from './doctor-checks.tsx';
import { listShown, outcomeTitles, statusLabels } from './doctor-labels.ts';

const tones = { works: 'good', attention: 'caution', broken: 'bad' } as const;

interface DoctorVerdictProps {
  readonly result: DoctorResult;
  readonly runAgain: () => void;
}

/** The overall result, with the one thing to do. */
function DoctorVerdict({ result, runAgain }: DoctorVerdictProps) {
  const workspace = useWorkspace();
  const { outcome } = result;
  const cause = result.steps.find((step) => step.code === result.cause);
  return (
    <Notice tone={tones[outcome]} title={outcomeTitles[outcome]}>
      <Stack gap={6}>
        {cause === undefined ? (
          <Text size="sm">{`Every check passed, from this computer to the data of ${workspace.name}.`}</Text>
        ) : (
          <Text size="sm">{cause.sentence}</Text>
        )}
        {typeof cause?.remedy === 'string' && (
          <Text size="sm">
            <b>What to do: </b>
            {cause.remedy}
          </Text>
        )}
        <DoctorChecks checks={cause?.checks ?? []} />
        {cause?.code === 'clock.skewed' && <AcceptClock step={cause} onAccepted={runAgain} />}
        {outcome === 'broken' && (
          <Group gap="md">
            <AnchorLink to="/settings/workspaces/$workspaceId" params={{ workspaceId: workspace.id }}>
              Workspace settings
            </AnchorLink>
            {workspace.keyId !== null && (
              <AnchorLink to="/settings/keys/$keyId" params={{ keyId: workspace.keyId }}>
                SSH key
              </AnchorLink>
            )}
          </Group>
        )}
      </Stack>
    </Notice>
  );
}

interface AcceptClockProps {
  readonly step: DoctorStep;
  readonly onAccepted: () => void;
}

/**
 * Accepts a service's clock that is far off. The confirmation is shown outside the page, so not in the browser shell.
 */
function AcceptClock({ step, onAccepted }: AcceptClockProps) {
  const info = useDeskQuery('app:getInfo', {});
  const accept = useWorkspaceMutation('workspaces:acceptClock');
  const { offsetSeconds } = step.facts;
  if (info.data?.shell !== 'electron' || offsetSeconds === undefined) return null;
  return (
    <>
      <Button
        variant="default"
        loading={accept.isPending}
        onClick={() => accept.mutate({ offsetSeconds }, { onSuccess: onAccepted })}
      >
        Accept its clock for a day
      </Button>
      <ErrorNotice error={accept.error} title="Couldn’t accept the clock" />
    </>
  );
}

const marks = {
  ok: <IconCheck size={16} stroke={2.5} aria-hidden />,
  failed: <IconX size={16} stroke={2.5} aria-hidden />,
  warning: <IconAlertTriangle size={16} aria-hidden />,
  skipped: <IconMinus size={16} aria-hidden />,
} as const;

/**
 * One step: what was checked, what was found, what to do. `cause`: the step that broke the connection, for which later
 * ones wait; its own checks are in the verdict.
 */
function DoctorStepItem({ step, cause }: { step: DoctorStep; cause: DoctorStep | undefined }) {
  const isTrouble = step.status === 'failed' || step.status === 'warning';
  const shown = listShown(step.shown);
  return (
    <li className={styles.step} data-status={step.status}>
      <span className={styles.mark}>{marks[step.status]}</span>
      <div className={styles.text}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {doctorSteps[step.id].title}
          </Text>
          <Hint>{statusLabels[step.status]}</Hint>
          {isTrouble && <Badge variant="default">{step.code}</Badge>}
        </Group>
        <Text size="sm" {...(isTrouble ? {} : { c: 'dimmed' })}>
          {step.code === 'step.notTried' && cause !== undefined
            ? `Waits for: ${doctorSteps[cause.id].title}`
            : step.sentence}
        </Text>
        {step.remedy !== null && (
          <Text size="sm">
            <b>What to do: </b>
            {step.remedy}
          </Text>
        )}
        {step.code !== cause?.code && <DoctorChecks checks={step.checks} />}
        {isTrouble && (shown.length > 0 || step.facts.requestId !== undefined) && (
          <div className={styles.facts}>
            <FieldList
              fields={[
                ...shown.map(([label, value]) => [label, <code key={label}>{value}</code>] as const),
                ['Request ID', step.facts.requestId],
              ]}
            />
          </div>
        )}
      </div>
    </li>
  );
}

/** One connection check: start, result, report. */
function DoctorRun() {
  const workspace = useWorkspace();
  const run = useWorkspaceMutation('doctor:run');
  const result = run.data;
  const cause = result?.steps.find(({ code }) => code === result.cause);
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button onClick={() => run.mutate({})} loading={run.isPending}>
          {result === undefined ? 'Run check' : 'Run check again'}
        </Button>
        {result !== undefined && !run.isPending && <CopyReport key={result.startedAt} result={result} />}
      </Group>
      <div role="status">
        {run.isPending && <Text size="sm">Checking {workspace.name}…</Text>}
        {!run.isPending && result !== undefined && (
          <DoctorVerdict result={result} runAgain={() => run.mutate({})} />
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
      {(workspace) => <DoctorRun key={workspace.id} />}
    </WorkspaceSection>
  );
}
