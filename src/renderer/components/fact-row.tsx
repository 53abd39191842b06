import type { ReactNode } from 'react';
import styles from './fact-row.module.css';

/** The main facts in a page's header, each with its label. */
export function FactRow({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.fact}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

/** A remark next to a fact, in a lighter color. */
export function Aside({ children }: { children: ReactNode }) {
  return <span className={styles.aside}>{children}</span>;
}
