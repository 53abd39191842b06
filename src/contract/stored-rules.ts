import { z } from 'zod';
import { type DecisionRule, decisionRuleSchema } from '../rules/decide/decision-rule.ts';
import type { SavedView } from './store.ts';

/** Stored as a saved view, so that they are encrypted: a condition may name an individual. */
const rulesName = '$decisionRules';
const storedSchema = z.looseObject({ rules: z.array(z.unknown()) });

/** The rules of a workspace without a team. `unread`: those that this version cannot read, as they are stored. */
export function findRules(views: readonly SavedView[]): {
  id: string | null;
  rules: readonly DecisionRule[];
  unread: readonly unknown[];
} {
  const stored = views.find(({ name }) => name === rulesName);
  if (stored === undefined) return { id: null, rules: [], unread: [] };
  const { id, query } = stored;
  const rules: DecisionRule[] = [];
  const unread: unknown[] = [];
  try {
    for (const rule of storedSchema.parse(JSON.parse(query)).rules) {
      const { data } = decisionRuleSchema.safeParse(rule);
      if (data === undefined) unread.push(rule);
      else rules.push(data);
    }
  } catch {
    // It is not a list of rules.
  }
  return { id, rules, unread };
}

/** These rules in the form in which a view is stored, with those that this version cannot read. */
export const toStoredRules = (rules: readonly DecisionRule[], unread: readonly unknown[]) => ({
  name: rulesName,
  query: JSON.stringify({ version: 1, kind: 'decisionRules', rules: [...rules, ...unread] }),
});
