import { Button } from '@mantine/core';
import type { Totals } from '../../../contract/procedures.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';
import { formatCount, formatCountOf } from '../../lib/format-value.ts';
import type { RememberedList } from '../../lib/list-memory.tsx';
import type { ListSourceState } from '../../lib/list-source.ts';
import styles from './totals-bar.module.css';
import { useSelectionTotals } from './use-selection-totals.ts';

const sums = [
  ['Billed', 'billed'],
  ['Allowed', 'allowed'],
  ['Plan paid', 'paid'],
  ['Patient responsibility', 'patientResponsibility'],
] as const satisfies readonly (readonly [string, keyof Totals])[];

/** How many, and the exact sums of the whole list and of what is selected, whatever part of it is on screen. */
export function TotalsBar(props: {
  list: RememberedList;
  state: ListSourceState;
  one: string;
  many: string;
  /** Said while the first sync is under way: what is here is not all. */
  partial: string | null;
  onCopy: () => void;
}) {
  const isFailed = props.state.status === 'failed';
  // Of the list before, which is no longer the one asked for.
  const snapshot = isFailed ? null : props.state.snapshot;
  const selected = useSelectionTotals(props.list);
  const { selection } = props.list;
  const total = snapshot?.total ?? 0;
  return (
    <section className={styles.totals} aria-label="Totals">
      <div className={styles.bar}>
        <span className={styles.count} role="status">
          {snapshot === null
            ? isFailed
              ? 'Not counted'
              : 'Counting…'
            : formatCountOf(snapshot.total, props.one, props.many)}
        </span>
        {props.partial !== null && <span className={styles.partial}>{props.partial}</span>}
        <Sums totals={snapshot?.totals ?? null} />
      </div>
      {selected.count > 0 && (
        <section className={styles.bar} aria-label="Selection">
          <span className={styles.count} role="status">
            {formatCount(selected.count)} selected
          </span>
          <Button size="compact-xs" variant="default" onClick={props.onCopy}>
            Copy
          </Button>
          {selected.count < total && (
            <Button size="compact-xs" variant="subtle" onClick={() => selection.selectAll(total)}>
              Select all {formatCount(total)}
            </Button>
          )}
          <Button size="compact-xs" variant="subtle" onClick={() => selection.clear()}>
            Clear selection
          </Button>
          {snapshot?.totals !== null && selected.totals === null ? (
            <span className={styles.adding}>
              {selected.isFailed ? 'Could not be added up' : 'Adding up…'}
            </span>
          ) : (
            <Sums totals={selected.totals} isShort />
          )}
        </section>
      )}
    </section>
  );
}

function Sums({ totals, isShort = false }: { totals: Totals | null; isShort?: boolean }) {
  if (totals === null) return null;
  return (
    <dl className={styles.sums}>
      {sums.map(([label, key]) => (
        <div key={key} className={styles.sum}>
          <dt>{isShort && key === 'patientResponsibility' ? 'Patient' : label}</dt>
          <dd>{formatTenThousandths(totals[key])}</dd>
        </div>
      ))}
    </dl>
  );
}
