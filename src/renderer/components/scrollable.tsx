import type { ReactNode } from 'react';
import styles from './scrollable.module.css';

/** A part of a page that scrolls by itself, also by keyboard. */
export function Scrollable(props: { label: string; className?: string | undefined; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={`${styles.scroll} ${props.className ?? ''}`} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  );
}
