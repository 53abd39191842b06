import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Section } from '../../components/page.tsx';
import { Scrollable } from '../../components/scrollable.tsx';
import { formatCount } from '../../lib/format-value.ts';
import { useRemembered } from '../../lib/use-remembered.ts';
import { axisTicks, type BarPosition, describeBars } from './describe-bars.ts';
import styles from './insights.module.css';

/** A small figure has a bar that can be seen and pressed; zero has none. */
const minBarHeightPx = (figure: unknown): number => (Number(figure ?? 0) === 0 ? 0 : 2);

/** A chart that can be read as a table: what is pressed, a bar or a figure, opens the claims behind it. */
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
  const hatch = `hatch${useId().replaceAll(':', '')}`;
  const fills = names.length === 1 ? ['plain'] : ['hatched', 'plain'];
  const hatched = `url(#${hatch})`;
  const data = positions.map(({ label, bars }) => ({
    label,
    ...Object.fromEntries(names.map((name, at) => [name, bars[at]?.height ?? 0])),
  }));
  const axis = axisTicks(
    positions.flatMap(({ bars }) => bars.map(({ height }) => height)),
    props.isMoney,
  );
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
                  <span className={styles.swatch} data-before={fills[at] === 'hatched' || undefined} />
                  {name}
                </span>
              ))}
            </div>
          )}
          <div role="img" aria-label={describeBars(title, positions)}>
            <BarChart
              className={styles.chart ?? ''}
              h={220}
              data={data}
              dataKey="label"
              series={names.map((name, at) => ({
                name,
                color: fills[at] === 'hatched' ? hatched : 'var(--desk-info)',
              }))}
              tickLine="none"
              accessibilityLayer={false}
              withBarValueLabel={names.length === 1}
              maxBarWidth={44}
              valueFormatter={formatCount}
              xAxisProps={positions.length > 6 ? {} : { interval: 0 }}
              yAxisProps={{
                width: 64,
                ticks: axis.ticks,
                domain: [axis.ticks[0] ?? 0, axis.ticks.at(-1) ?? 0],
                tickFormatter: axis.format,
              }}
              barChartProps={{ margin: { top: names.length === 1 ? 18 : 6, right: 6 } }}
              barProps={({ name }) => ({
                stroke: 'var(--desk-info)',
                strokeOpacity: 1,
                radius: [2, 2, 0, 0],
                minPointSize: minBarHeightPx,
                onClick: (_bar, index) => positions[index]?.bars[names.indexOf(name)]?.onOpen?.(),
              })}
              tooltipProps={{
                content: ({ label }) => {
                  const position = positions.find((one) => one.label === label);
                  return position === undefined ? null : <Tip position={position} />;
                },
              }}
            >
              <defs>
                <pattern
                  id={hatch}
                  width="5"
                  height="5"
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width="5" height="5" fill="var(--mantine-color-body)" />
                  <rect width="2" height="5" fill="var(--desk-info)" />
                </pattern>
              </defs>
            </BarChart>
          </div>
        </>
      )}
      {props.instead === undefined && isTable && <BarTable {...props} />}
      {props.instead === undefined && props.foot}
    </Section>
  );
}

function Tip({ position }: { position: BarPosition }) {
  return (
    <div className={styles.tip}>
      <b>{position.label}</b>
      {position.bars.map(({ name, text }) => (
        <div key={name}>
          {name}: {text}
        </div>
      ))}
    </div>
  );
}

function BarTable(props: {
  title: string;
  head: string;
  names: readonly string[];
  positions: readonly BarPosition[];
}) {
  return (
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
}
