import { Checkbox } from '@mantine/core';
import type { ExportColumn } from '../../../contract/export-columns.ts';
import { isSensitive } from './column-sets.ts';
import styles from './export-dialog.module.css';

/** Checkboxes for the columns of the file; sensitive ones are marked. */
export function ColumnChoice(props: {
  columns: readonly ExportColumn[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}) {
  const toggle = (path: string) => {
    const next = new Set(props.chosen);
    if (!next.delete(path)) next.add(path);
    props.onChange(next);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.columns} tabIndex={0} aria-label="File columns">
      {props.columns.map((column) => (
        <Checkbox
          key={column.path}
          size="xs"
          checked={props.chosen.has(column.path)}
          onChange={() => toggle(column.path)}
          label={
            <>
              {column.label}
              {isSensitive(column) && <span className={styles.sensitive}>sensitive</span>}
            </>
          }
        />
      ))}
    </section>
  );
}
