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

/** How something stands: in words, with a shape of its own, and a colour for those who see it. */
export function StateMark({ words, tone }: { words: string; tone: Tone }) {
  return (
    <span className={styles.mark} data-tone={tone}>
      {icons[tone]}
      {words}
    </span>
  );
}
