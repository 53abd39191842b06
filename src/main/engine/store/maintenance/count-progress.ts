import type { StoreProgress } from '../../../../contract/store.ts';
import type { Database } from '../file/database.ts';

export type OnProgress = (progress: StoreProgress) => void;

/** The number of records between two reports: about a second of the slowest work. */
const perReport = 2_000;

/** How many members and claims a file has. */
export const countRecords = (database: Database): number =>
  database
    .prepare('SELECT (SELECT count(*) FROM members) + (SELECT count(*) FROM claims)')
    .pluck()
    .get() as number;

/** Returns a function to call for each processed record; it reports the first and then every two thousandth. */
export function createCount(onProgress: OnProgress, doing: StoreProgress['doing'], of: number): () => void {
  let done = 0;
  return () => {
    if (done % perReport === 0) onProgress({ doing, done, of });
    done += 1;
  };
}
