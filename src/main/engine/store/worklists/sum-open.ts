import { toAmount } from '../../../../rules/money/amounts.ts';
import type { Amount, ListQuery } from '../../../../rules/query.ts';
import type { Database } from '../file/database.ts';
import { buildFrom } from '../query/build-query.ts';
import { correctSearch } from '../query/correct-search.ts';

/** Sums the open amounts of the claims of a list, exactly, and counts those where it is not known. @throws DeskError `query.invalid` */
export function sumOpen(database: Database, query: ListQuery): { open: Amount | null; notKnown: number } {
  const { text, values } = buildFrom(correctSearch(database, query));
  const [open, notKnown] = database
    .prepare(`SELECT sum(f.open), count(*)-count(f.open) ${text}`)
    .raw()
    .safeIntegers()
    .get(values) as [bigint | null, bigint];
  return { open: open === null ? null : toAmount(open), notKnown: Number(notKnown) };
}
