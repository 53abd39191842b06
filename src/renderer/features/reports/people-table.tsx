import { ScrollableTable, type TableColumn } from '../../components/data-table.tsx';
import { Hint } from '../../components/text.tsx';
import { maxShownPeople, sayMore } from './people-rows.ts';
import styles from './reports-page.module.css';

/** A table of numbers by person, with its first rows and how many more there are. */
export function PeopleTable<T>(props: {
  /** Its name for screen readers. */
  label: string;
  rows: readonly T[];
  keyOf: (row: T) => string;
  columns: readonly TableColumn<T>[];
}) {
  const { label, rows } = props;
  return (
    <>
      <ScrollableTable
        label={label}
        className={styles.figures ?? ''}
        rows={rows.slice(0, maxShownPeople)}
        keyOf={props.keyOf}
        columns={props.columns}
      />
      {rows.length > maxShownPeople && <Hint>{sayMore(rows)}</Hint>}
    </>
  );
}
