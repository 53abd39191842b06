import { useElementSize } from '@mantine/hooks';
import { useId, useState } from 'react';
import { formatCount } from '../../../rules/count.ts';
import { axisTicks, type BarPosition } from './describe-bars.ts';
import styles from './insights.module.css';

const heightPx = 220;
const maxBarPx = 44;
/** The space for the labels of the two axes. */
const leftPx = 64;
const bottomPx = 24;
const rightPx = 6;
/** The width of a label below a position, by which labels are left out. */
const labelPx = 48;
/** A small figure has a bar that can be seen and pressed; zero has none. */
const minBarPx = 2;

/** Bars side by side for each position. The figures can be read as a table beside it, so this is hidden from readers. */
export function BarChart({ positions, isMoney }: { positions: readonly BarPosition[]; isMoney: boolean }) {
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<number | null>(null);
  const hatch = `hatch${useId().replaceAll(':', '')}`;
  const width = measured === 0 ? 640 : measured;
  const isSingle = positions.every(({ bars }) => bars.length === 1);
  const { ticks, format } = axisTicks(
    positions.flatMap(({ bars }) => bars.map(({ height }) => height)),
    isMoney,
  );
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const top = isSingle ? 18 : 6;
  const plotHeight = heightPx - top - bottomPx;
  const toY = (figure: number): number => top + ((high - figure) / (high - low)) * plotHeight;
  const stepPx = (width - leftPx - rightPx) / Math.max(1, positions.length);
  const everyLabel = positions.length > 6 ? Math.ceil(labelPx / stepPx) : 1;
  const tip = hovered === null ? undefined : positions[hovered];
  return (
    <div ref={ref} className={styles.chart} onPointerLeave={() => setHovered(null)}>
      <svg width={width} height={heightPx} aria-hidden="true">
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
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={styles.grid} x1={leftPx} x2={width - rightPx} y1={toY(tick)} y2={toY(tick)} />
            <text className={styles.tick} x={leftPx - 8} y={toY(tick)} dy="0.35em" textAnchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {positions.map(({ label, bars }, at) => {
          const left = leftPx + at * stepPx;
          const barPx = Math.min(maxBarPx, (stepPx * 0.8) / bars.length);
          const begins = left + (stepPx - barPx * bars.length) / 2;
          return (
            <g key={label} onPointerEnter={() => setHovered(at)}>
              <rect
                className={styles.position}
                data-hovered={hovered === at || undefined}
                x={left}
                y={top}
                width={stepPx}
                height={plotHeight}
              />
              {bars.map(({ name, height, onOpen }, index) => {
                const [y, length] = placeBar(toY(0), toY(height), height);
                const isHatched = !isSingle && index === 0;
                return (
                  <g key={name}>
                    {/* biome-ignore lint/a11y/noStaticElementInteractions: the table has a button for each figure */}
                    <rect
                      className={styles.column}
                      x={begins + index * barPx}
                      y={y}
                      width={Math.max(1, barPx - 2)}
                      height={length}
                      rx={2}
                      fill={isHatched ? `url(#${hatch})` : 'var(--desk-info)'}
                      onClick={() => onOpen?.()}
                    />
                    {isSingle && (
                      <text className={styles.tick} x={left + stepPx / 2} y={y - 5} textAnchor="middle">
                        {formatCount(height)}
                      </text>
                    )}
                  </g>
                );
              })}
              {at % everyLabel === 0 && (
                <text className={styles.tick} x={left + stepPx / 2} y={heightPx - 6} textAnchor="middle">
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      {tip !== undefined && hovered !== null && (
        <div className={styles.tip} style={placeTip(leftPx + (hovered + 0.5) * stepPx, width)}>
          <b>{tip.label}</b>
          {tip.bars.map(({ name, text }) => (
            <div key={name}>
              {name}: {text}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** The upper end of a bar and its length in pixels; a negative figure hangs below zero. */
function placeBar(zero: number, end: number, figure: number): [number, number] {
  if (figure === 0) return [zero, 0];
  const length = Math.max(minBarPx, Math.abs(zero - end));
  return [figure > 0 ? zero - length : zero, length];
}

/** Beside the position, on the side with more space. */
const placeTip = (middle: number, width: number) =>
  middle < width / 2 ? { left: middle + 12 } : { right: width - middle + 12 };
