import { timeFixedWork } from './fixed-work.ts';

/**
 * Prints a figure for docs/figures.md, with the fixed work of this moment beside it; the runner of the benches puts it
 * there. `reach` is in the figure's unit.
 */
export function report(row: {
  what: string;
  figure: number;
  unit: string;
  reach?: string | undefined;
  how: string;
}): void {
  const { what, figure, unit, reach, how } = row;
  const workMs = Math.round(timeFixedWork() * 100) / 100;
  process.stdout.write(`${JSON.stringify({ what, figure, unit, reach, how, workMs })}\n`);
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** The value that this share of all values does not exceed. */
export const at = (values: readonly number[], share: number): number =>
  round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0);

/** Many durations as one figure, their 95th percentile. */
export const spread = (values: readonly number[]): { figure: number; unit: string; how: string } => ({
  figure: at(values, 0.95),
  unit: 'ms',
  how: `p95 of ${values.length}; median ${at(values, 0.5)}, longest ${at(values, 1)}`,
});

/** The milliseconds that something takes. */
export async function time(run: () => unknown): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}
