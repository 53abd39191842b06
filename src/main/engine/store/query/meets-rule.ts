import { isRangeOperator, matchesDays, readDays } from '../../../../rules/date-range.ts';
import type { DecisionRule } from '../../../../rules/decide/decision-rule.ts';
import { readRuleCells, ruleFields } from '../../../../rules/decide/rule-fields.ts';
import type { FieldKind } from '../../../../rules/list-fields.ts';
import { readTenThousandths } from '../../../../rules/money/amounts.ts';
import type { Cell, Condition } from '../../../../rules/query.ts';
import type { ReviewedValues } from '../../../../rules/review/reviewed-values.ts';
import type { SqlValue } from '../record/decompose.ts';
import { readWhole } from '../record/json.ts';
import { invalidQuery, readCondition } from './conditions.ts';

/** The value of a column in the records file; null: it has none there. */
function toSqlValue(kind: FieldKind, cell: Cell): SqlValue {
  if (kind === 'money') return readTenThousandths(cell);
  if (kind === 'boolean') return typeof cell === 'boolean' ? Number(cell) : null;
  if (kind === 'integer' || kind === 'id') return readWhole(cell);
  return typeof cell === 'string' ? cell : null;
}

/** SQLite's LIKE ignores the case of the letters A to Z. */
const foldCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * Compiles a condition to a test of one value, with the same result as `predicateToSql` in a list. @throws DeskError
 * `query.invalid`
 */
function compileTest(kind: FieldKind, condition: Condition): (value: SqlValue) => boolean {
  const predicate = readCondition(kind, condition);
  if (predicate.kind === 'empty') return () => predicate.isNot;
  if (predicate.kind === 'part') {
    const part = foldCase(predicate.text);
    return (value) => {
      const text = foldCase(String(value));
      return predicate.isPrefix ? text.startsWith(part) : text.includes(part);
    };
  }
  const { ranges, isNot } = predicate;
  return (value) => {
    if (value === null) return false;
    const isWithin = ranges.some(({ from, to, isFromOpen = false, isToOpen = false }) => {
      const isAbove = from === null || value > from || (!isFromOpen && value === from);
      return isAbove && (to === null || value < to || (!isToOpen && value === to));
    });
    return isWithin !== isNot;
  };
}

/** @throws DeskError `query.invalid` */
function compileCondition(condition: Condition): (values: ReviewedValues) => boolean {
  const { field, operator } = condition;
  const spec = ruleFields.find(({ path }) => path === field);
  if (spec === undefined) throw invalidQuery(field);
  const { kind, isMany = false } = spec;
  if (kind === 'dateRange') {
    if (!isRangeOperator(operator)) throw invalidQuery(field);
    readCondition(kind, condition);
    const [from = '', to = from] = condition.values.map((value) => String(value).slice(0, 10));
    return (values) => {
      const days = readDays(String(readRuleCells(values, field)[0] ?? ''));
      return days === null ? operator === 'isEmpty' : matchesDays(days, operator, from, to);
    };
  }
  const isOther = isMany && operator === 'isNot';
  const test = compileTest(kind, isOther ? { ...condition, operator: 'is' } : condition);
  return (values) => {
    const cells = readRuleCells(values, field).map((cell) => toSqlValue(kind, cell));
    const filledCells = cells.filter((cell) => cell !== null);
    if (filledCells.length === 0) return operator === 'isEmpty';
    return filledCells.some(test) !== isOther;
  };
}

/**
 * Makes the function that decides whether the values of a claim meet all conditions of a rule. There is no other:
 * proposals, acts and trials all use it, with the values that are stored with every decision. Where a column is blank,
 * every operator but `isEmpty` is false.
 * @throws DeskError `query.invalid`, `details.field` names the column
 */
export function compileRule({
  conditions,
  employers,
}: Pick<DecisionRule, 'conditions' | 'employers'>): (values: ReviewedValues) => boolean {
  const tests = conditions.map(compileCondition);
  return (values) =>
    (employers.length === 0 ||
      values.members.some(({ employerId }) => employerId !== null && employers.includes(employerId))) &&
    tests.every((test) => test(values));
}
