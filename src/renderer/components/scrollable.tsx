import type { ReactNode } from 'react';
import styles from './scrollable.module.css';

/** A part of a page that scrolls on its own, also by keyboard. */
export function Scrollable(props: { label: string; className?: string | undefined; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users can scroll only what has the focus
    <section className={`${styles.scroll} ${props.className ?? ''}`} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  );
}
