import { Badge, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import type { DoctorStep } from '../../../contract/doctor.ts';
import { FieldList } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import styles from './doctor.module.css';
import { DoctorChecks } from './doctor-checks.tsx';
import { listShown, statusLabels, stepTitles } from './doctor-labels.ts';

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
export function DoctorStepItem({ step, cause }: { step: DoctorStep; cause: DoctorStep | undefined }) {
  const isTrouble = step.status === 'failed' || step.status === 'warning';
  const shown = listShown(step.shown);
  return (
    <li className={styles.step} data-status={step.status}>
      <span className={styles.mark}>{marks[step.status]}</span>
      <div className={styles.text}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {stepTitles[step.id]}
          </Text>
          <Hint>{statusLabels[step.status]}</Hint>
          {isTrouble && <Badge variant="default">{step.code}</Badge>}
        </Group>
        <Text size="sm" {...(isTrouble ? {} : { c: 'dimmed' })}>
          {step.code === 'step.notTried' && cause !== undefined
            ? `Waits for: ${stepTitles[cause.id]}`
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
