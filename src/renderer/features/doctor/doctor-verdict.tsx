import { Button, Group, Stack, Text } from '@mantine/core';
import type { DoctorResult, DoctorStep } from '../../../contract/doctor.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AnchorLink } from '../../components/links.tsx';
import { Notice } from '../../components/notice.tsx';
import { useDeskMutation, useDeskQuery } from '../../lib/desk-query.ts';
import { DoctorChecks } from './doctor-checks.tsx';
import { outcomeTitles } from './doctor-labels.ts';

const tones = { works: 'good', attention: 'caution', broken: 'bad' } as const;

interface DoctorVerdictProps {
  readonly result: DoctorResult;
  readonly workspace: Workspace;
  readonly runAgain: () => void;
}

/** The overall result, with the one thing to do. */
export function DoctorVerdict({ result, workspace, runAgain }: DoctorVerdictProps) {
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
        {cause?.code === 'clock.skewed' && (
          <AcceptClock step={cause} workspaceId={workspace.id} onAccepted={runAgain} />
        )}
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
  readonly workspaceId: string;
  readonly onAccepted: () => void;
}

/**
 * Accepts a service's clock that is far off. The confirmation is shown outside the page, so not in the browser shell.
 */
function AcceptClock({ step, workspaceId, onAccepted }: AcceptClockProps) {
  const info = useDeskQuery('app:getInfo', {});
  const accept = useDeskMutation('workspaces:acceptClock');
  const { offsetSeconds } = step.facts;
  if (info.data?.shell !== 'electron' || offsetSeconds === undefined) return null;
  return (
    <>
      <Button
        variant="default"
        loading={accept.isPending}
        onClick={() => accept.mutate({ workspaceId, offsetSeconds }, { onSuccess: onAccepted })}
      >
        Accept its clock for a day
      </Button>
      <ErrorNotice error={accept.error} title="Couldn’t accept the clock" />
    </>
  );
}
