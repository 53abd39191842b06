import type { ReactNode } from 'react';
import styles from './details.module.css';

/** Content that few people need, collapsed at first. */
export const Details = ({ summary = 'Details', children }: { summary?: string; children: ReactNode }) => (
  <details className={styles.details}>
    <summary className={styles.summary}>{summary}</summary>
    <div className={styles.content}>{children}</div>
  </details>
);
