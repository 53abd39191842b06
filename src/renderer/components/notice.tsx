import { Alert, type AlertProps } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';

const tones = {
  good: { color: 'green', icon: <IconCircleCheck aria-hidden /> },
  caution: { color: 'yellow', icon: <IconAlertTriangle aria-hidden /> },
  bad: { color: 'red', icon: <IconAlertTriangle aria-hidden /> },
} as const;

type Props = Omit<AlertProps, 'color' | 'icon'> & { tone: keyof typeof tones };

/** A box with an icon for what went well, needs a look, or went wrong. */
export const Notice = ({ tone, ...props }: Props) => <Alert variant="light" {...tones[tone]} {...props} />;
