import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { useRemembered } from '../../lib/use-remembered.ts';
import { BarChart } from './bar-chart.tsx';
import { type BarPosition, describeBars } from './describe-bars.ts';
import styles from './insights.module.css';

/** A chart that can be read as a table; pressing a bar or a figure opens its claims. */
export function BarFigure(props: {
  title: string;
  /** The heading of the positions, for example "Month". */
  head: string;
  names: readonly string[];
  positions: readonly BarPosition[];
  isMoney: boolean;
  /** Shown instead of the chart before the first answer, or when it failed. */
  instead?: ReactNode;
  foot?: ReactNode;
}) {
  const { title, names, positions } = props;
  const [isTable, setIsTable] = useRemembered(`insights table ${props.head}`, false);
  return (
    <Section
      title={title}
      actions={
        props.instead === undefined && (
          <Button size="compact-xs" variant="default" onClick={() => setIsTable(!isTable)}>
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        )
      }
    >
      {props.instead}
      {props.instead === undefined && !isTable && (
        <>
          {names.length > 1 && (
            <div className={styles.legend} aria-hidden>
              {names.map((name, at) => (
                <span key={name} className={styles.key}>
                  <span className={styles.swatch} data-before={at === 0 || undefined} />
                  {name}
                </span>
              ))}
            </div>
          )}
          <div role="img" aria-label={describeBars(title, positions)}>
            <BarChart positions={positions} isMoney={props.isMoney} />
          </div>
        </>
      )}
      {props.instead === undefined && isTable && <BarTable {...props} />}
      {props.instead === undefined && props.foot}
    </Section>
  );
}

const BarTable = (props: {
  title: string;
  head: string;
  names: readonly string[];
  positions: readonly BarPosition[];
}) => (
  <Scrollable label={`${props.title}, scrollable`}>
    <table className={styles.table} aria-label={props.title}>
      <thead>
        <tr>
          <th>{props.head}</th>
          {props.names.map((name) => (
            <th key={name} className={styles.number}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.positions.map(({ label, bars }) => (
          <tr key={label}>
            <td>{label}</td>
            {bars.map(({ name, text, onOpen }) => (
              <td key={name} className={styles.number}>
                {onOpen === null ? (
                  text
                ) : (
                  <button
                    type="button"
                    className={styles.value}
                    aria-label={`Show claims: ${label}, ${name}, ${text}`}
                    onClick={onOpen}
                  >
                    {text}
                  </button>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scrollable>
);
