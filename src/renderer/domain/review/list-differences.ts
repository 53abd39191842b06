import { formatCode } from '../../../contract/code-labels.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { claimKinds, type FieldKind, fieldsOf } from '../../../rules/list-fields.ts';
import { readTenThousandths } from '../../../rules/money/amounts.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { Cell } from '../../../rules/query.ts';
import { type ReviewedField, reviewedLineFields } from '../../../rules/review/reviewed-fields.ts';
import {
  comparisonOf,
  type ReviewedChange,
  type ReviewedLine,
} from '../../../rules/review/reviewed-values.ts';
import { isSameValue } from '../../../rules/review/same-value.ts';
import { noValue } from '../../lib/format-money.ts';
import { formatValue } from '../../lib/format-value.ts';

/** A value before and after, as read; null: there was or is no such line. `delta` only of amounts known both times. */
export interface Difference {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly delta: string | null;
}

/** The differences of the claim itself (`title` null), or of one of its lines. */
interface DifferenceGroup {
  readonly title: string | null;
  readonly differences: readonly Difference[];
}

const lineKinds = new Map<string, FieldKind>(fieldsOf.lines.map(({ path, kind }) => [path, kind]));

/** A value before or after a change, in the form of the claim page. */
export function formatReviewed(name: string, value: Cell): string {
  if (name === '$isMissing') return value === true ? 'Missing' : 'In the service';
  return formatValue(formatCode(name, value), claimKinds.get(name) ?? 'text');
}

const formatLineValue = (name: string, value: Cell | undefined): string =>
  formatValue(value, lineKinds.get(name) ?? 'text');

/** "+$388.31"; null where one of them is blank or no amount. */
function deltaOf(before: Cell, after: Cell): string | null {
  const [left, right] = [readTenThousandths(before), readTenThousandths(after)];
  if (left === null || right === null) return null;
  const text = formatTenThousandths(right - left);
  return right > left ? `+${text}` : text;
}

const ofClaim = ({ name, label, before, after }: ReviewedChange): Difference => ({
  label,
  before: formatReviewed(name, before),
  after: formatReviewed(name, after),
  delta: claimKinds.get(name) === 'money' ? deltaOf(before, after) : null,
});

const isSameField = (field: ReviewedField, left: ReviewedLine | null, right: ReviewedLine | null): boolean =>
  isSameValue(left?.[field.name] ?? null, right?.[field.name] ?? null, comparisonOf(field));

const naming = ['date_of_service', 'procedure_code', 'national_drug_code'];
const namingFields = reviewedLineFields.filter(({ name }) => naming.includes(name));
const otherFields = reviewedLineFields.filter(
  ({ name, effect }) => effect !== 'ignored' && !naming.includes(name),
);

/** Lines of before and after that are about the same service; what is left of either was removed or added. */
function pairLines({ before, after }: NonNullable<ReviewedChange['lines']>) {
  const rest = [...after];
  const pairs = new Map<ReviewedLine, ReviewedLine>();
  for (const fields of [namingFields, namingFields.filter(({ name }) => name === 'procedure_code')])
    for (const line of before) {
      const isSame = (other: ReviewedLine): boolean =>
        fields.every((field) => isSameField(field, line, other));
      const at = pairs.has(line) ? -1 : rest.findIndex(isSame);
      const [match] = at < 0 ? [] : rest.splice(at, 1);
      if (match !== undefined) pairs.set(line, match);
    }
  return [
    ...before.map((line) => ({ before: line, after: pairs.get(line) ?? null })),
    ...rest.map((line) => ({ before: null, after: line })),
  ];
}

/** "11/09/2026 99213". */
const nameLine = (line: ReviewedLine): string =>
  naming
    .filter((name) => line[name] !== undefined && line[name] !== null)
    .map((name) => formatLineValue(name, line[name]))
    .join(' ') || 'without date and code';

function ofLine({ before, after }: ReturnType<typeof pairLines>[number]): DifferenceGroup {
  const isPair = before !== null && after !== null;
  const kind = isPair ? 'Line' : before === null ? 'Line added:' : 'Line removed:';
  // The name of a line that is there only once is enough.
  const fields = [...(isPair ? namingFields : []), ...otherFields];
  return {
    title: `${kind} ${nameLine(after ?? before ?? {})}`,
    differences: fields
      .filter((field) => !isSameField(field, before, after))
      .map(({ name, label }) => ({
        label,
        before: before === null ? null : formatLineValue(name, before[name]),
        after: after === null ? null : formatLineValue(name, after[name]),
        delta:
          lineKinds.get(name) === 'money' ? deltaOf(before?.[name] ?? null, after?.[name] ?? null) : null,
      })),
  };
}

/** Lists only the changes: of the claim, then line by line. */
export function listDifferences(changes: readonly ReviewedChange[]): DifferenceGroup[] {
  const whole = changes.filter(({ lines }) => lines === undefined).map(ofClaim);
  const lines = changes.flatMap((change) => (change.lines === undefined ? [] : pairLines(change.lines)));
  return [...(whole.length === 0 ? [] : [{ title: null, differences: whole }]), ...lines.map(ofLine)];
}

/** "Patient responsibility $50.00 → $438.31, +$388.31, and 2 more changes": the change that matters most. */
export function sayChanges(changes: readonly ReviewedChange[]): string {
  const groups = listDifferences(changes);
  const lines = groups.filter(({ title }) => title !== null).length;
  const whole = changes.filter((change) => change.lines === undefined);
  const first = whole.find(({ name }) => name === 'patient_responsibility') ?? whole[0];
  if (first === undefined) return `${formatCountOf(lines, 'claim line')} changed`;
  const { label, before, after, delta } = ofClaim(first);
  const others = whole.length - 1 + lines;
  const main =
    first.name === '$isMissing' && first.after === true
      ? 'No longer in the service'
      : `${label} ${before ?? noValue} → ${after ?? noValue}${delta === null ? '' : `, ${delta}`}`;
  return others === 0 ? main : `${main}, and ${formatCountOf(others, 'more change')}`;
}
