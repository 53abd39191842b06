import { parseMoment } from '../../../../rules/days.ts';
import type { ListQuery } from '../../../../rules/query.ts';
import { endOfDay, type Sql } from './conditions.ts';
import { columnOf, listTables } from './list-tables.ts';
import { rangeCondition, rangePath } from './range-conditions.ts';

const amountPattern = /^(\$\s*)?(\d{1,3}(?:,\d{3})+|\d{1,11})(\.\d{2})?$/;

/** `$1,894.95`, `1894.95` or `1,894` in ten-thousandths of a dollar; null for a plain number, which may be an ID. */
function readAmount(typed: string): number | null {
  const [, dollar, whole = '', cents] = amountPattern.exec(typed) ?? [];
  if (whole === '' || (dollar === undefined && cents === undefined && !whole.includes(','))) return null;
  return Number(`${whole.replaceAll(',', '')}${cents?.slice(1) ?? '00'}00`);
}

/** `11/02/2026` or `2026-11-02` as an ISO date; null for anything else. */
function readDay(typed: string): string | null {
  const [, month = '', day = '', year = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed) ?? [];
  const iso = year === '' ? typed : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const moment = parseMoment(iso);
  return moment?.seconds === null ? moment.day : null;
}

const searchedAmounts = ['amount_billed', 'amount_allowed', 'amount_paid', 'patient_responsibility'];

/**
 * The term for a search that is a whole day or an amount, which is not searched for as words: claims and lines with
 * service on that day or with that amount, people who were born on that day. Null for any other search.
 */
export function valueSearch({ entity, search = '' }: ListQuery): Sql | null {
  const typed = search.trim();
  const hasAmounts = entity === 'claims' || entity === 'lines';
  const { table, alias, key } = listTables[entity];
  const day = readDay(typed);
  if (day !== null && hasAmounts)
    return rangeCondition(entity, rangePath, { field: rangePath, operator: 'is', values: [day] }, false);
  if (day !== null) {
    const born = columnOf(entity, 'date_of_birth');
    return { text: `${born} BETWEEN ? AND ?`, values: [day, endOfDay(day)] };
  }
  const amount = hasAmounts ? readAmount(typed) : null;
  if (amount === null) return null;
  const isAmount = searchedAmounts.map((path) => `${columnOf(entity, path)}=?`).join(' OR ');
  return {
    text: `${alias}.${key} IN (SELECT ${alias}.${key} FROM ${table} ${alias} WHERE ${isAmount})`,
    values: searchedAmounts.map(() => amount),
  };
}

/** The record number, where a search for people is one. */
export function searchedNumber({ entity, search = '' }: ListQuery): number | null {
  const isOfPeople = entity === 'members' || entity === 'dependents';
  return isOfPeople && /^\s*\d{1,15}\s*$/.test(search) ? Number(search) : null;
}

/** The text of a search for members where it may be an ID in another system: a word with a digit. */
export const searchedMemberId = ({ entity, search = '' }: ListQuery): string | null =>
  entity === 'members' && /^\s*\S*\d\S*\s*$/.test(search) ? search.trim() : null;
