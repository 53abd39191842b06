import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, type RefObject, Suspense, useMemo } from 'react';
import type { Row } from '../../../rules/query.ts';
import { LoadingState } from '../../components/states.tsx';
import { type Pane, PaneContext } from '../../lib/pane.ts';
import styles from './split-pane.module.css';
import type { GridActions, ShownRow } from './split-view.ts';

/** While a key is held, only the first record is opened, and the one where the key is released. */
const followAfterMs = 120;

/** The record of the focused row, beside its list. */
export function SplitPane(props: {
  one: string;
  shown: ShownRow | null;
  pane: RefObject<HTMLElement | null>;
  grid: RefObject<GridActions | null>;
  gate: Pane['gate'];
  findFocused: () => number | null;
  onOpen: (row: Row, at: number) => void;
  renderRecord: (row: Row, at: number) => ReactNode;
}) {
  const { grid, pane, gate, findFocused, onOpen } = props;
  const [followed] = useDebouncedValue(props.shown, followAfterMs, { leading: true });
  const place = useMemo(
    () => ({
      goTo: (at: number) => grid.current?.goTo(at, pane.current),
      leave: () => grid.current?.takeFocus(),
      openPage: () => {
        if (followed !== null) onOpen(followed.row, followed.at);
      },
      findFocused,
      gate,
    }),
    [grid, pane, gate, findFocused, onOpen, followed],
  );
  return (
    <section className={styles.pane} ref={pane} tabIndex={-1} aria-label={`Focused ${props.one}`}>
      {followed === null ? (
        <p className={styles.none}>No {props.one} selected</p>
      ) : (
        <PaneContext value={place}>
          <Suspense fallback={<LoadingState what={`the ${props.one}`} />}>
            {props.renderRecord(followed.row, followed.at)}
          </Suspense>
        </PaneContext>
      )}
    </section>
  );
}
