/** Fields for filtering claims by their run, or by the rule that decided or proposes; they have no columns. */
export const runField = 'run';
export const decidingRuleField = 'review.rule_id';
export const proposingRuleField = 'facts.proposed_by';
export const idFields: readonly string[] = [runField, decidingRuleField, proposingRuleField];

const idLength = 36;
/** Writes a run or rule as the value of a filter, which shows its name and finds its ID. */
export const writeIdFilter = (id: string, name: string): string => `${id} ${name}`;

export const readIdFilter = (text: string): { id: string; name: string } => ({
  id: text.slice(0, idLength),
  name: text.slice(idLength + 1),
});
