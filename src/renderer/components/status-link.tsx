import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCloudOff,
  IconInfoCircle,
  IconRefresh,
} from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import styles from './status-link.module.css';

const icons = {
  running: <IconRefresh size={15} aria-hidden />,
  good: <IconCircleCheck size={15} aria-hidden />,
  caution: <IconAlertTriangle size={15} aria-hidden />,
  offline: <IconCloudOff size={15} aria-hidden />,
  failed: <IconAlertTriangle size={15} aria-hidden />,
  none: <IconInfoCircle size={15} aria-hidden />,
} as const;
export type StatusLinkTone = keyof typeof icons;

type Props = ComponentPropsWithRef<'a'> & { tone: StatusLinkTone; text: string };

const StatusAnchor = ({ tone, text, ...anchor }: Props) => (
  <a {...anchor} className={styles.status} data-tone={tone}>
    {icons[tone]}
    <span className={styles.text} role="status" title={text}>
      {text}
    </span>
  </a>
);

/** One line of the top bar that shows a state and links to its page. */
export const StatusLink = createLink(StatusAnchor);
