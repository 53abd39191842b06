/** A position on the axis, with one figure or two: hatched beside plain, so that color is not needed. */
export interface BarPosition {
  readonly label: string;
  readonly bars: readonly {
    readonly name: string;
    /** Only for drawing. */
    readonly height: number;
    /** The exact figure. */
    readonly text: string;
    /** Opens the claims behind it; null where there are none. */
    readonly onOpen: (() => void) | null;
  }[];
}

/** Says what a chart shows, for whoever does not see it. */
export function describeBars(title: string, positions: readonly BarPosition[]): string {
  const said = positions.map(({ label, bars }) =>
    bars.length === 1
      ? `${label} ${bars[0]?.text}`
      : `${label} ${bars.map(({ name, text }) => `${name} ${text}`).join(', ')}`,
  );
  return `${title}: ${said.join('; ')}.`;
}
