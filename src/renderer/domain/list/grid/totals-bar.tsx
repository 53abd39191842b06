import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import type { Output } from '../../../../contract/procedures.ts';
import { formatCount, formatCountOf } from '../../../../rules/count.ts';
import type { SumName, Totals } from '../../../../rules/query.ts';
import { Total } from '../../../components/amount.tsx';
import { useDeskQuery } from '../../../lib/desk-query.ts';
import { usePane } from '../../../lib/pane.ts';
import type { RememberedList } from '../list-memory.tsx';
import type { TotalsAge } from '../list-refresh.ts';
import type { ListSourceState } from '../list-source.ts';
import styles from './totals-bar.module.css';
import { useSelectionTotals } from './use-selection-totals.ts';

const sums = [
  ['Billed', 'billed'],
  ['Allowed', 'allowed'],
  ['Plan paid', 'paid'],
  ['Patient resp.', 'patientResponsibility'],
] as const satisfies readonly (readonly [string, SumName])[];

/** A list that is made within this time shows its new totals without a message. */
const shortMs = 150;

/** True when `isSo` has been true for longer than `shortMs`. */
function useHasLasted(isSo: boolean): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    setHasLasted(false);
    if (!isSo) return;
    const timer = setTimeout(() => setHasLasted(true), shortMs);
    return () => clearTimeout(timer);
  }, [isSo]);
  return isSo && hasLasted;
}

/** The count and the exact sums of the whole list and of the selected rows. */
export function TotalsBar(props: {
  list: RememberedList;
  state: ListSourceState;
  one: string;
  many: string;
  /** Shown until a full sync is complete, because the list is not complete. */
  partial: string | null;
  age: TotalsAge;
  /** How many rows the list has now, where that is known; the page shows this number elsewhere too. */
  countNow: number | undefined;
  /** No row is there yet, and it is still counted how many there are. */
  isUncounted: boolean;
  onRefresh: () => void;
  onCopy: () => void;
  /** More that can be done with the selected rows. */
  actions?: ReactNode;
}) {
  // A record beside its list may contain another list with totals.
  const isInPane = usePane() !== null;
  const isFailed = props.state.status === 'failed';
  // Totals of the previous list must not stay beside the rows of another.
  const isRecounted = useHasLasted(props.state.isOfOlderQuery);
  const snapshot = isFailed || isRecounted ? null : props.state.snapshot;
  const selected = useSelectionTotals(props.list);
  const { selection, rowsOf, source } = props.list;
  const { sort: _sort, ...query } = source.query ?? { entity: 'claims' as const };
  // Asked when the list stays, because it takes longer than the rows of the next letter that is typed.
  const isSteady = useHasLasted(!props.state.isOfOlderQuery);
  const hasRows = snapshot !== null && snapshot.total > 0;
  const open = useDeskQuery(
    'worklists:open',
    { workspaceId: source.workspaceId, query },
    { enabled: query.entity === 'claims' && hasRows && isSteady },
  );
  const total = snapshot?.total ?? 0;
  const { countNow = total } = props;
  // The rows are of an earlier moment than the count, which is the one that the whole page states.
  const isOlder = props.age !== 'current' && countNow !== total;
  return (
    <section className={styles.totals} aria-label={isInPane ? `Totals of ${props.many}` : 'Totals'}>
      <div className={styles.bar}>
        <span className={styles.count} role="status">
          {snapshot === null
            ? isFailed
              ? 'Not counted'
              : 'Counting…'
            : props.isUncounted
              ? `… ${props.many}`
              : formatCountOf(isOlder ? countNow : snapshot.total, props.one, props.many)}
        </span>
        {props.partial !== null && <span className={styles.partial}>{props.partial}</span>}
        {snapshot !== null && <Age {...props} />}
        <Sums totals={isOlder || props.isUncounted ? null : (snapshot?.totals ?? null)} open={open.data} />
      </div>
      {selected.count > 0 && (
        <section className={styles.bar} aria-label="Selection">
          <span className={styles.count} role="status">
            {formatCount(selected.count)} selected
          </span>
          {props.actions}
          <Button size="compact-xs" variant="default" onClick={props.onCopy}>
            Copy
          </Button>
          {selected.count < total && snapshot?.snapshotId === rowsOf && (
            <Button size="compact-xs" variant="subtle" onClick={() => selection.selectAll(total)}>
              Select all {formatCount(total)}
            </Button>
          )}
          <Button size="compact-xs" variant="subtle" onClick={() => selection.clear()}>
            Clear selection
          </Button>
          {snapshot?.totals !== null && selected.totals === null ? (
            <span className={styles.adding}>{selected.isFailed ? 'Couldn’t add up' : 'Adding up…'}</span>
          ) : (
            <Sums totals={selected.totals} open={selected.totals?.open} isShort />
          )}
        </section>
      )}
    </section>
  );
}

/** Shows whether newer data exist, with a button to show them where rows are kept because they are in use. */
function Age({ age, countNow, state, one, many, onRefresh }: Parameters<typeof TotalsBar>[0]) {
  const leftCount = (state.snapshot?.total ?? 0) - (countNow ?? Number.POSITIVE_INFINITY);
  return (
    <span className={styles.age} role="status">
      {age === 'updating' && <span className={styles.partial}>Updating…</span>}
      {age === 'newerExist' && (
        <>
          {leftCount > 0
            ? `${formatCountOf(leftCount, one, many)} no longer ${leftCount === 1 ? 'belongs' : 'belong'} here.`
            : 'This list has changed.'}
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconRefresh size={13} aria-hidden />}
            onClick={onRefresh}
          >
            Refresh
          </Button>
        </>
      )}
    </span>
  );
}

/** The sums of rows; of claims first what is open, and in a short form of these only patient responsibility besides. */
function Sums(props: {
  totals: Totals | null;
  open: Output<'worklists:open'> | undefined;
  isShort?: boolean;
}) {
  const { totals, open } = props;
  if (totals === null) return null;
  const shown = props.isShort && open !== undefined ? sums.slice(-1) : sums;
  return (
    <dl className={styles.sums}>
      {open !== undefined && <Sum label="Open" amount={open.open} notCounted={open.notKnown || undefined} />}
      {shown.map(([label, key]) => (
        <Sum key={key} label={label} amount={totals[key]} notCounted={totals.notCounted?.[key]} />
      ))}
    </dl>
  );
}

const Sum = ({ label, ...total }: { label: string } & ComponentProps<typeof Total>) => (
  <div className={styles.sum}>
    <dt>{label}</dt>
    <dd>
      <Total {...total} />
    </dd>
  </div>
);
