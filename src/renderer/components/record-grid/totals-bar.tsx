import type { Totals } from '../../../contract/procedures.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';
import { formatCountOf } from '../../lib/format-value.ts';
import type { ListSourceState } from '../../lib/list-source.ts';
import styles from './totals-bar.module.css';

const sums = [
  ['Billed', 'billed'],
  ['Allowed', 'allowed'],
  ['Plan paid', 'paid'],
  ['Patient responsibility', 'patientResponsibility'],
] as const satisfies readonly (readonly [string, keyof Totals])[];

/** How many, and the exact sums of the whole list, whatever part of it is on screen. */
export function TotalsBar(props: { state: ListSourceState; one: string; many: string }) {
  const { snapshot } = props.state;
  const totals = snapshot?.totals ?? null;
  return (
    <section className={styles.bar} aria-label="Totals">
      <span className={styles.count} role="status">
        {snapshot === null ? 'Counting…' : formatCountOf(snapshot.total, props.one, props.many)}
      </span>
      {totals !== null && (
        <dl className={styles.sums}>
          {sums.map(([label, key]) => (
            <div key={key} className={styles.sum}>
              <dt>{label}</dt>
              <dd>{formatTenThousandths(totals[key])}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
