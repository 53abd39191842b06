import { memo } from 'react';
import styles from './review-panel.module.css';

/** The key of a button; screen readers have it from `aria-keyshortcuts`. */
export const KeyCap = memo(function KeyCap({ children }: { children: string }) {
  return (
    <span className={styles.key} aria-hidden>
      {children}
    </span>
  );
});
