import type { ListQuery, Totals } from '../../../../contract/query.ts';
import type { Connection } from '../file/connection.ts';
import { buildTotals, readSums } from './build-query.ts';
import { toTotals } from './exact-sums.ts';

/** Count and exact sums of a list, by SQLite. @throws DeskError `query.invalid` */
export function readTotals(connection: Connection, query: ListQuery): Totals {
  const read = (inHalves: boolean): Totals => {
    const { text, values } = buildTotals(query, inHalves);
    const row = connection.prepare(text).raw().safeIntegers().get(values) as unknown[];
    return toTotals(Number(row[0]), readSums(row, 1, inHalves));
  };
  try {
    return read(false);
  } catch (thrown) {
    // A sum passes 2^63; its halves cannot.
    if (!(thrown instanceof Error) || !thrown.message.includes('integer overflow')) throw thrown;
    return read(true);
  }
}
