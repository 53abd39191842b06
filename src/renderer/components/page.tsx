import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { usePane } from '../lib/pane.ts';
import { useIsShown } from '../lib/shown.ts';
import styles from './page.module.css';

/** Set once the first page is shown: from then on a new page moves the focus to its heading. */
const arrival = { isFirst: true };

/**
 * A screen: one heading that takes the focus on arrival, actions beside it, content below. Beside a list the focus
 * and the title of the window stay with the list.
 */
export function Page(props: {
  title: ReactNode;
  documentTitle: string;
  beside?: ReactNode;
  actions?: ReactNode;
  /** Facts under the heading; with them the header stays in sight while the page scrolls. */
  facts?: ReactNode;
  isNarrow?: boolean;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const isShown = useIsShown();
  const isInPane = usePane() !== null;
  const Heading = isInPane ? 'h2' : 'h1';
  useEffect(() => {
    if (!isShown || isInPane) return;
    const focused = document.activeElement;
    // Who has opened the palette meanwhile is typing there.
    const isTaken = page.current?.contains(focused) || focused?.closest('.mantine-Spotlight-content');
    if (!arrival.isFirst && !isTaken) heading.current?.focus({ preventScroll: true });
    arrival.isFirst = false;
  }, [isShown, isInPane]);
  useEffect(() => {
    if (isShown && !isInPane) document.title = `${props.documentTitle} · Claimdesk`;
  }, [props.documentTitle, isShown, isInPane]);
  return (
    <div className={styles.page} ref={page}>
      <header className={styles.header} data-stays={props.facts !== undefined || undefined}>
        <Heading className={styles.title} ref={heading} tabIndex={-1}>
          {props.title}
        </Heading>
        {props.beside}
        {props.actions !== undefined && <div className={styles.aside}>{props.actions}</div>}
        {props.facts !== undefined && <div className={styles.facts}>{props.facts}</div>}
      </header>
      {props.isNarrow ? <div className={styles.narrow}>{props.children}</div> : props.children}
    </div>
  );
}

/** A titled box on a page. */
export function Section(props: {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  beside?: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={props.title}>
      <div className={styles.sectionHeader}>
        <h2 className={styles.sectionTitle}>{props.title}</h2>
        {props.beside}
        {props.actions !== undefined && <div className={styles.aside}>{props.actions}</div>}
      </div>
      {props.children}
    </section>
  );
}

/** A titled box that is closed at first. */
export function FoldedSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <details>
        <summary className={styles.folded}>
          <h2 className={styles.sectionTitle}>{title}</h2>
        </summary>
        {children}
      </details>
    </section>
  );
}

/** Boxes beside each other where there is space. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}

/** A box two columns wide where there are several columns. */
export function Wide({ children }: { children: ReactNode }) {
  return <div className={styles.wide}>{children}</div>;
}

/** Label and value pairs. A pair whose value is undefined is left out; null is shown as a dash. */
export function FieldList({ fields }: { fields: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.fields}>
      {fields
        .filter(([, value]) => value !== undefined)
        .map(([label, value]) => (
          <Pair key={label} label={label} value={value} />
        ))}
    </dl>
  );
}

/** A titled box of such pairs. */
export function FieldSection({ title, fields }: { title: string } & ComponentProps<typeof FieldList>) {
  return (
    <Section title={title}>
      <FieldList fields={fields} />
    </Section>
  );
}

function Pair({ label, value }: { label: string; value: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value === null || value === '' ? '—' : value}</dd>
    </>
  );
}
