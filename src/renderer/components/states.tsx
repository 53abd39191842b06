import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './states.module.css';
import { Hint } from './text.tsx';

/** An empty page: why it is empty, and the one next step. */
export const EmptyState = (props: {
  icon?: ReactNode;
  title: string;
  text: string;
  /** Items of the text, one per line. */
  items?: readonly string[];
  action?: ReactNode;
}) => (
  <div className={styles.empty}>
    {props.icon !== undefined && (
      <div className={styles.icon} aria-hidden>
        {props.icon}
      </div>
    )}
    <h2 className={styles.title} tabIndex={-1}>
      {props.title}
    </h2>
    <Hint>{props.text}</Hint>
    {props.items !== undefined && (
      <ul className={styles.items}>
        {props.items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    )}
    {props.action}
  </div>
);

/**
 * Shows beside a heading what is being read while the previous content stays. Appears only when the wait is noticeable.
 */
export const LoadingNote = ({ children }: { children: string }) => (
  <Hint className={styles.loading ?? ''} role="status">
    {children}
  </Hint>
);

/** Shown only when waiting takes long enough to be noticed. */
export const LoadingState = ({ what }: { what: string }) => (
  <Stack gap="sm" className={styles.loading ?? ''} role="status">
    <VisuallyHidden>Loading {what}</VisuallyHidden>
    <Skeleton height={26} width={220} />
    <Skeleton height={92} />
    <Skeleton height={160} />
  </Stack>
);
