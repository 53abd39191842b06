import { type DecisionRule, type RuleDraft, ruleDraftSchema } from '../../../rules/decide/decision-rule.ts';
import { startRule } from '../../../rules/decide/start-rule.ts';
import { type BulkRuleDraft, firstRule, readRule } from '../../domain/review/bulk-rule.tsx';

/** A rule in the form's shape: it has the fields of every act, and the chosen act uses its fields. */
export interface TypedRule extends Omit<RuleDraft, 'act'> {
  readonly kind: RuleDraft['act']['kind'];
  readonly partly: BulkRuleDraft;
  readonly cause: string;
  readonly onWhom: string;
  readonly reason: string;
  readonly days: number;
  readonly tag: string;
  readonly owner: string;
}

/** The initial values of the form for a new rule. */
export const newRule: TypedRule = {
  ...startRule,
  name: '',
  kind: 'eligible',
  partly: firstRule,
  cause: '',
  onWhom: '',
  reason: '',
  days: 30,
  tag: '',
  owner: '',
};

/** The initial values of the form for a stored rule. */
export function typedOf(rule: DecisionRule): TypedRule {
  const { act } = rule;
  const { name, conditions, employers, most, perDay, secondLook } = rule;
  const cause = 'cause' in act ? (act.cause ?? '') : '';
  const partly = { ...firstRule, ...(act.kind === 'partly' && act.partly) };
  return { ...newRule, name, conditions, employers, most, perDay, secondLook, ...act, cause, partly };
}

function actOf({ kind, partly, cause, onWhom, reason, days, tag, owner }: TypedRule): unknown {
  switch (kind) {
    case 'eligible':
      return { kind };
    case 'partly':
      return { kind, partly: readRule(partly), ...(cause.trim() === '' ? {} : { cause }) };
    case 'notEligible':
      return { kind, cause };
    case 'waiting':
      return { kind, onWhom, reason, days };
    case 'tag':
      return { kind, tag };
    case 'owner':
      return { kind, owner };
  }
}

const parse = (typed: TypedRule) => ruleDraftSchema.safeParse({ ...typed, act: actOf(typed) });

/** The rule that was typed; null: a value is missing. */
export const readTyped = (typed: TypedRule): RuleDraft | null => parse(typed).data ?? null;

/** The labels of the fields by the part of a rule. */
const labels: Readonly<Record<string, string>> = {
  name: 'Name',
  conditions: 'Conditions',
  cause: 'Reason',
  partly: 'Share or parts',
  onWhom: 'Waiting on',
  days: 'Reminder after (days)',
  reason: 'Reason',
  tag: 'Tag',
  owner: 'Owner',
  most: 'Open at most',
  claims: 'Claims a day',
  amount: 'Dollars a day',
  secondLook: 'Second look (%)',
};

/** The fields whose values are missing or not allowed. */
export const findMissing = (typed: TypedRule): string[] => [
  ...new Set(
    (parse(typed).error?.issues ?? []).map(({ path }) => {
      const [part, ...inside] = path.map(String);
      const key = (part === 'act' || part === 'perDay' ? inside[0] : part) ?? '';
      return labels[key] ?? 'What it does';
    }),
  ),
];
