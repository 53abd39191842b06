import { z } from 'zod';
import { type DecisionRule, decisionRuleSchema } from '../rules/decide/decision-rule.ts';
import type { SavedView } from './store.ts';

/** Stored as a saved view, so that they are encrypted: a condition may name a person. */
const rulesName = '$decisionRules';
const storedSchema = z.object({
  version: z.literal(1),
  kind: z.literal('decisionRules'),
  rules: z.array(decisionRuleSchema).max(500),
});

/** The rules of a workspace without a team; rules that this version cannot read are ignored. */
export function findRules(views: readonly SavedView[]): {
  id: string | null;
  rules: readonly DecisionRule[];
} {
  const stored = views.find(({ name }) => name === rulesName);
  if (stored === undefined) return { id: null, rules: [] };
  try {
    return { id: stored.id, rules: storedSchema.parse(JSON.parse(stored.query)).rules };
  } catch {
    return { id: stored.id, rules: [] };
  }
}

/** These rules in the form in which a view is stored. */
export const toStoredRules = (rules: readonly DecisionRule[]) => ({
  name: rulesName,
  query: JSON.stringify({ version: 1, kind: 'decisionRules', rules }),
});
