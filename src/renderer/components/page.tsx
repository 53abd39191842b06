import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { usePane } from '../lib/pane.ts';
import { useIsShown } from '../lib/shown.ts';
import styles from './page.module.css';
import { TextButton } from './text-button.tsx';

/** False once the first page was shown: from then on a new page moves the focus to its heading. */
const arrival = { isFirst: true };

/**
 * A screen: a heading that gets the focus when the page opens, actions next to it, and the content below. In a pane
 * next to a list, the page changes neither the focus nor the window's title.
 */
export function Page(props: {
  title: ReactNode;
  documentTitle: string;
  beside?: ReactNode;
  actions?: ReactNode;
  /** Facts below the heading; with them the header stays visible while the page scrolls. */
  facts?: ReactNode;
  /** Numbers below the facts, which stay visible in low windows too, where the rest of the header scrolls. */
  numbers?: ReactNode;
  isNarrow?: boolean;
  /** The parent determines the position and width of the page. */
  isBare?: boolean;
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
    // The user may be typing in the command palette by then.
    const isTaken = page.current?.contains(focused) || focused?.closest('.mantine-Spotlight-content');
    if (!arrival.isFirst && !isTaken) heading.current?.focus({ preventScroll: true });
    arrival.isFirst = false;
  }, [isShown, isInPane]);
  useEffect(() => {
    if (isShown && !isInPane) document.title = `${props.documentTitle} · Claimdesk`;
  }, [props.documentTitle, isShown, isInPane]);
  const stays = props.facts !== undefined;
  useHeights(page, stays, Boolean(props.numbers));
  return (
    <div className={props.isBare ? styles.bare : styles.page} ref={page} data-page>
      <header className={styles.header} data-stays={stays || undefined}>
        <Heading className={styles.title} ref={heading} tabIndex={-1}>
          {props.title}
        </Heading>
        {props.beside}
        {props.actions !== undefined && <div className={styles.aside}>{props.actions}</div>}
        {stays && <Facts>{props.facts}</Facts>}
      </header>
      {stays && props.numbers && <div className={styles.numbers}>{props.numbers}</div>}
      {props.isNarrow ? <div className={styles.narrow}>{props.children}</div> : props.children}
    </div>
  );
}

/** The facts of a header: in low windows one line, and the others after a press. */
function Facts({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isCut, setIsCut] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other facts may need more or fewer lines
  useEffect(() => {
    const element = frame.current;
    if (element === null || !('ResizeObserver' in window)) return;
    const observer = new ResizeObserver(() =>
      setIsCut(element.scrollHeight > 20 && window.innerHeight <= 560),
    );
    for (const part of [element, ...element.children]) observer.observe(part);
    return () => observer.disconnect();
  }, [children]);
  return (
    <div className={styles.facts} ref={frame} data-whole={isWhole || undefined}>
      {children}
      {isCut && (
        <TextButton className={styles.allFacts} aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Less' : 'All facts'}
        </TextButton>
      )}
    </div>
  );
}

/** Returns the focus from a field to the heading of its page, so that the keys of the page work at once. */
export function leaveField(field: Element | null): void {
  field?.closest('[data-page]')?.querySelector<HTMLElement>('h1, h2')?.focus({ preventScroll: true });
}

/**
 * Sets the heights of the header, of the numbers below it and of the scrolling parent as CSS properties of the page.
 */
function useHeights(page: RefObject<HTMLElement | null>, stays: boolean, hasNumbers: boolean): void {
  useEffect(() => {
    const pageElement = page.current;
    const header = pageElement?.querySelector('header');
    const scrolls = pageElement?.parentElement;
    if (!stays || pageElement == null || header == null || scrolls == null || !('ResizeObserver' in window))
      return;
    const numbers = hasNumbers ? header.nextElementSibling : null;
    const measure = new ResizeObserver(() => {
      // All heights are read before the first property is set, because each property set makes the next read compute
      // the styles of the whole page.
      const heights = {
        '--page-title': header.offsetHeight,
        '--page-numbers': numbers?.clientHeight ?? 0,
        '--page-window': scrolls.clientHeight,
      };
      for (const [name, px] of Object.entries(heights)) pageElement.style.setProperty(name, `${px}px`);
    });
    for (const element of [header, scrolls, numbers]) if (element !== null) measure.observe(element);
    return () => measure.disconnect();
  }, [page, stays, hasNumbers]);
}

/** A titled part of a page. */
export const Section = (props: {
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  beside?: ReactNode;
}) => (
  <section className={styles.section} aria-label={props.title}>
    <div className={styles.sectionHeader}>
      <h2 className={styles.sectionTitle}>{props.title}</h2>
      {props.beside}
      {props.actions !== undefined && <div className={styles.aside}>{props.actions}</div>}
    </div>
    {props.children}
  </section>
);

/** A titled part that is closed at first; its content is rendered only while it is open. */
export function FoldedSection({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={styles.section} aria-label={title}>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className={styles.folded}>
          <h2 className={styles.sectionTitle}>{title}</h2>
        </summary>
        {isOpen && children}
      </details>
    </section>
  );
}

/** Parts in columns, as many as fit. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={styles.frame}>
    <div className={styles.columns}>{children}</div>
  </div>
);

/** A part twice as wide where there are several columns. */
export function Wide({ children }: { children: ReactNode }) {
  return <div className={styles.wide}>{children}</div>;
}

/** Label and value pairs. A pair whose value is undefined is left out; null is shown as a dash. */
export const FieldList = ({ fields }: { fields: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.fields}>
    {fields
      .filter(([, value]) => value !== undefined)
      .map(([label, value]) => (
        <Pair key={label} label={label} value={value} />
      ))}
  </dl>
);

/** A titled part of such pairs. */
export const FieldSection = ({ title, fields }: { title: string } & ComponentProps<typeof FieldList>) => (
  <Section title={title}>
    <FieldList fields={fields} />
  </Section>
);

const Pair = ({ label, value }: { label: string; value: ReactNode }) => (
  <>
    <dt>{label}</dt>
    <dd>{value === null || value === '' ? '–' : value}</dd>
  </>
);
