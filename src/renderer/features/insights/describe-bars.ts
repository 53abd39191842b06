/** A position on the axis with one or two figures; the second is hatched, so that color is not needed. */
export interface BarPosition {
  readonly label: string;
  readonly bars: readonly {
    readonly name: string;
    /** Used only for drawing. */
    readonly height: number;
    /** The exact figure. */
    readonly text: string;
    /** Opens the claims behind it; null where there are none. */
    readonly onOpen: (() => void) | null;
  }[];
}

/** Describes a chart in text, for screen readers. */
export function describeBars(title: string, positions: readonly BarPosition[]): string {
  const said = positions.map(({ label, bars }) =>
    bars.length === 1
      ? `${label} ${bars[0]?.text}`
      : `${label} ${bars.map(({ name, text }) => `${name} ${text}`).join(', ')}`,
  );
  return `${title}: ${said.join('; ')}.`;
}

/** The marks of an axis, evenly spaced, labeled with their exact values. */
interface AxisTicks {
  readonly ticks: readonly number[];
  readonly format: (tick: number) => string;
}

/** The most spaces between marks. */
const maxSpaces = 5;

/** Multiples of these have at most three digits, so that "$1.25M" is never rounded. */
const niceSteps = [1, 2, 2.5, 5, 10] as const;

/** The smallest nice step that covers a span, as a number and a power of ten. */
function stepOver(span: number, smallestPower: number): { step: number; power: number } {
  const power = Math.max(smallestPower, Math.floor(Math.log10(span / maxSpaces)));
  const minStep = span / maxSpaces / 10 ** power;
  // A count has no half, and an amount no half of a cent.
  const step = niceSteps.find(
    (niceStep) => niceStep >= minStep && (Number.isInteger(niceStep) || power > smallestPower),
  );
  return { step: step ?? 10, power };
}

const money = { style: 'currency', currency: 'USD' } as const;

/** Marks from at most the lowest figure, and 0, to at least the highest. Figures are dollars or a count. */
export function axisTicks(figures: readonly number[], isMoney: boolean): AxisTicks {
  const low = Math.min(0, ...figures);
  const high = Math.max(0, ...figures);
  // Both ends may need a mark beyond the figures.
  const { step, power } = stepOver(high - low || 1, isMoney ? -2 : 0);
  // A step below 1 is divided by, because 3 * 0.1 is not 0.3.
  const at = (index: number): number =>
    power < 0 ? (index * step) / 10 ** -power : index * step * 10 ** power;
  const size = at(1);
  const first = Math.floor(low / size);
  const last = Math.max(first + 1, Math.ceil(high / size));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => at(first + index));
  const isLarge = Math.max(-at(first), at(last)) >= 1000;
  const digits = isMoney && !isLarge && !ticks.every(Number.isInteger) ? 2 : 0;
  const formatter = new Intl.NumberFormat('en-US', {
    ...(isMoney ? money : {}),
    ...(isLarge
      ? { notation: 'compact', maximumFractionDigits: 2 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  });
  return { ticks, format: (tick) => formatter.format(tick).replace('-', '−') };
}
