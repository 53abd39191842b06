import { Alert, type AlertProps } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { colorOfTone } from '../lib/claim-status.ts';

const icons = {
  open: <IconInfoCircle aria-hidden />,
  good: <IconCircleCheck aria-hidden />,
  caution: <IconAlertTriangle aria-hidden />,
  bad: <IconAlertTriangle aria-hidden />,
} as const;

type Props = Omit<AlertProps, 'color' | 'icon'> & { tone: keyof typeof icons };

/** A box with an icon for progress, success, a warning or an error. */
export const Notice = ({ tone, ...props }: Props) => (
  <Alert variant="light" color={colorOfTone[tone]} icon={icons[tone]} {...props} />
);
