import { VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import styles from './step-list.module.css';

/** Numbered steps: those done and the current one. */
export const StepList = ({ steps, current }: { steps: readonly string[]; current: number }) => (
  <ol className={styles.steps} aria-label="Steps">
    {steps.map((title, index) => (
      <li
        key={title}
        className={styles.step}
        data-state={index < current ? 'done' : index === current ? 'current' : 'ahead'}
        aria-current={index === current ? 'step' : undefined}
      >
        <span className={styles.number} aria-hidden>
          {index < current ? <IconCheck size={13} stroke={3} /> : index + 1}
        </span>
        {title}
        {index < current && <VisuallyHidden>, done</VisuallyHidden>}
      </li>
    ))}
  </ol>
);
