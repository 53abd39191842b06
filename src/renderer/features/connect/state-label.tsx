import { Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconHelpCircle,
  IconLoader,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './connect.module.css';
import type { Tone } from './connect-labels.ts';

const icons: Readonly<Record<Tone, ReactNode>> = {
  good: <IconCircleCheck size={16} aria-hidden />,
  caution: <IconAlertTriangle size={16} aria-hidden />,
  bad: <IconCircleX size={16} aria-hidden />,
  busy: <IconLoader size={16} aria-hidden />,
  none: <IconHelpCircle size={16} aria-hidden />,
};

/** The label of a state with a shape, so that it does not depend on color. */
export const StateLabel = ({ label, tone }: { label: string; tone: Tone }) => (
  <span className={styles.mark} data-tone={tone}>
    {icons[tone]}
    {label}
  </span>
);

/** The next step of a connection or a validation, where there is one. */
export const NextStep = ({ step }: { step: string | null }) =>
  step !== null && (
    <Text size="sm">
      <b>Next: </b>
      {step}
    </Text>
  );
