import type { DeskBridge } from '../../../contract/bridge.ts';
import { ask } from '../../lib/desk-error.ts';
import type { ListSource } from './list-source.ts';

/** A record of a list and its row. */
export interface Stop {
  readonly id: number;
  readonly at: number;
}

/** How many rows are looked at in one question. */
const rowsAtOnce = 24;

/** Finds rows in a direction, nearest first; fewer than asked for only at the end of the list. */
type FindStops = (from: number, step: 1 | -1, count: number) => Promise<readonly Stop[]>;

/** Rows of a list in which every row is a stop. */
export const stopsOfRows =
  (source: ListSource, path: string): FindStops =>
  async (from, step, count) => {
    const first = step === 1 ? from : Math.max(0, from - count + 1);
    const { rows } = await source.getWindow(first, step === 1 ? count : from - first + 1, [path]);
    const stops = rows.flatMap((row, index): Stop[] => {
      const id = row[path];
      return typeof id === 'number' ? [{ id, at: first + index }] : [];
    });
    return step === 1 ? stops : stops.reverse();
  };

export type FindStop = (snapshotId: string, at: number, step: 1 | -1) => Promise<Stop | null>;

/** The nearest stop of a list in which not every row is one. */
export const stopsFound =
  (source: ListSource, findStop: FindStop): FindStops =>
  (row, step) =>
    source.inSnapshot(async ({ snapshotId, total }) => {
      const stop = row < 0 || row >= total ? null : await findStop(snapshotId, row, step);
      return stop === null ? [] : [stop];
    });

/**
 * Returns the next claim of a list that no one else of the team has open, or has decided since the list was
 * opened; this page has it from then on. `open`: the number of claims skipped because others have them open.
 *
 * @throws DeskError
 */
export async function walkToFree(
  {
    bridge,
    source,
    page,
    findStops,
  }: {
    readonly bridge: DeskBridge;
    readonly source: ListSource;
    readonly page: string;
    readonly findStops: FindStops;
  },
  at: number,
  step: 1 | -1,
): Promise<{ stop: Stop | null; open: number }> {
  let [from, open] = [at + step, 0];
  for (;;) {
    const stops = from < 0 ? [] : await findStops(from, step, rowsAtOnce);
    const last = stops.at(-1);
    if (last === undefined) return { stop: null, open };
    const answer = await ask(bridge, 'leases:next', {
      workspaceId: source.workspaceId,
      page,
      claimIds: stops.map(({ id }) => id),
      listedAt: source.getState().snapshot?.openedAt ?? Date.now(),
    });
    open += answer.open;
    const stop = stops.find(({ id }) => id === answer.claimId);
    if (stop !== undefined) return { stop, open };
    from = last.at + step;
  }
}
