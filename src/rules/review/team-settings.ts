import { z } from 'zod';
import { type DecisionRule, decisionRuleSchema } from '../decide/decision-rule.ts';
import { type ReimbursementRules, reimbursementRuleShape } from '../money/reimbursement.ts';
import { type PlanRules, planRulesSchema } from '../plans/plan-rules.ts';
import { type RunLayout, runLayoutSchema } from './run-layout.ts';

const { parts, networks, runOutDays, highCostFrom, decideDays, appealDays, answerDays } =
  reimbursementRuleShape;
const month = z.int().min(1).max(12);
/** The service's ID of the employer; null: all employers without their own value. */
const ofEmployer = { employerId: z.int().nullable() };
const lines = (maxLength: number, maxLines: number) =>
  z.array(z.string().min(1).max(maxLength)).max(maxLines).optional();

/** A change of one setting of a team. Without a `value`, the setting returns to its default. */
export const teamChangeSchema = z.discriminatedUnion('setting', [
  z.object({ setting: z.literal('planYearStart'), ...ofEmployer, value: month.optional() }),
  z.object({ setting: z.literal('parts'), ...ofEmployer, value: parts.optional() }),
  z.object({ setting: z.literal('networks'), ...ofEmployer, value: networks.optional() }),
  z.object({ setting: z.literal('runOutDays'), ...ofEmployer, value: runOutDays.optional() }),
  z.object({ setting: z.literal('highCostFrom'), ...ofEmployer, value: highCostFrom.optional() }),
  z.object({ setting: z.literal('decideDays'), ...ofEmployer, value: decideDays.optional() }),
  z.object({ setting: z.literal('appealDays'), ...ofEmployer, value: appealDays.optional() }),
  z.object({ setting: z.literal('answerDays'), ...ofEmployer, value: answerDays.optional() }),
  z.object({ setting: z.literal('planRules'), ...ofEmployer, value: planRulesSchema.optional() }),
  /** The file of a reimbursement run. */
  z.object({ setting: z.literal('runLayout'), ...ofEmployer, value: runLayoutSchema.optional() }),
  /** The first day of service of claims to be reviewed. */
  z.object({ setting: z.literal('reviewsFrom'), value: z.iso.date().optional() }),
  z.object({ setting: z.literal('declineCauses'), value: lines(200, 50) }),
  /** The person who decided a claim may not record a payment above this amount, in ten-thousandths of a dollar. */
  z.object({ setting: z.literal('twoPeopleAbove'), value: z.int().min(0).optional() }),
  z.object({ setting: z.literal('noteTemplates'), value: lines(10_000, 100) }),
  /** A rule that decides claims, or proposes to. */
  z.object({ setting: z.literal('decisionRule'), id: z.uuid(), value: decisionRuleSchema.optional() }),
  /** The rules by ID in the order in which they are tried; others follow them. */
  z.object({ setting: z.literal('decisionRuleOrder'), value: z.array(z.uuid()).max(500).optional() }),
  /** The minimum version of Claimdesk that may send to the team, as `1.2.3`. */
  z.object({
    setting: z.literal('minVersion'),
    value: z
      .string()
      .regex(/^\d{1,5}(\.\d{1,5}){2}$/)
      .optional(),
  }),
  /** A view that the team shares; `value`: its content, as `views:save` stores it. */
  z.object({
    setting: z.literal('view'),
    name: z.string().min(1).max(120),
    value: z.string().max(50_000).optional(),
  }),
]);
export type TeamChange = z.infer<typeof teamChangeSchema>;
/** The most changes in one act. */
export const maxTeamChanges = 5_000;

/** The settings of a team, except texts that people wrote, as stored in the settings of the profile. */
export const teamSettingsSchema = z.object({
  /** The month in which plan years begin, by employer ID; the empty text means all others. */
  planYearStarts: z.record(z.string().max(20), month),
  /** The reimbursement rules, by the same keys; an employer without its own uses those for all others. */
  rules: z.record(z.string().max(20), z.object(reimbursementRuleShape).partial()),
  /** The plan rules, by the same keys; absent: stored by a version before 0.3. */
  planRules: z.record(z.string().max(20), planRulesSchema).optional(),
  runLayouts: z.record(z.string().max(20), runLayoutSchema).optional(),
  reviewsFrom: z.iso.date().optional(),
  declineCauses: z.array(z.string()).optional(),
  twoPeopleAbove: z.int().optional(),
  minVersion: z.string().optional(),
});
export type TeamSettings = z.infer<typeof teamSettingsSchema>;

/** Whether a computer with this version of Claimdesk may not send to a team that requires another one; null: unknown. */
export function isLeftOut(version: string | null, least: string): boolean {
  const read = (text: string): number[] => text.split(/[.+-]/, 3).map(Number);
  const [versionParts, minParts] = [read(version ?? ''), read(least)];
  const at = minParts.findIndex((part, index) => part !== versionParts[index]);
  return at !== -1 && !((versionParts[at] ?? 0) > (minParts[at] ?? 0));
}

/**
 * Whether a member may make a change. Only admins may change what is counted, owed or allowed; reviewers may also
 * change texts, views, layouts of files, rules that only propose, and the order of rules. A reviewer may confirm that a
 * rule decides if the only admin has requested it. `admins`: how many people are admins.
 */
export function mayChange(
  role: 'admin' | 'reviewer' | 'reader',
  change: { readonly setting: string; readonly value?: unknown },
  admins: number,
): boolean {
  if (role !== 'reviewer') return role === 'admin';
  if (change.setting !== 'decisionRule')
    return ['noteTemplates', 'view', 'runLayout', 'decisionRuleOrder'].includes(change.setting);
  const { state, confirmedBy } = (change.value ?? {}) as Partial<DecisionRule>;
  return state !== 'do' || (confirmedBy != null && admins === 1);
}

/**
 * Returns whether a rule may get the state that a change gives it: only its author may request that it decides, and
 * only someone else may then confirm the same rule.
 */
function isRuleOf(author: string, change: TeamChange, before: TeamChange | null): boolean {
  if (change.setting !== 'decisionRule' || change.value === undefined) return true;
  const { value } = change;
  if (value.id !== change.id) return false;
  if (value.state !== 'do') return true;
  if (value.confirmedBy === null) return value.by === author;
  const asked = before?.setting === 'decisionRule' ? before.value : undefined;
  return (
    value.confirmedBy === author &&
    value.by !== author &&
    asked !== undefined &&
    JSON.stringify({ ...value, confirmedBy: null }) === JSON.stringify(asked)
  );
}

/** Changes as a member's computer sent them; changes of settings that only a newer version has are kept unchanged. */
interface SentChanges {
  /** When they were made, and the ID of their entry: the newest change of each setting counts. */
  readonly at: string;
  readonly id: string;
  readonly author: string;
  /** The role that the author had in the team. */
  readonly role: 'admin' | 'reviewer' | 'reader';
  readonly changes: readonly { readonly setting: string }[];
}

/** A change that was made, with the value before it. */
export const teamHistorySchema = z.object({
  at: z.string(),
  author: z.string(),
  change: teamChangeSchema,
  /** The setting before; null: it had its default. */
  before: teamChangeSchema.nullable(),
});
type TeamHistory = z.infer<typeof teamHistorySchema>;

const keyOf = (change: TeamChange): string =>
  JSON.stringify([
    change.setting,
    'employerId' in change
      ? change.employerId
      : 'name' in change
        ? change.name
        : 'id' in change
          ? change.id
          : null,
  ]);

/**
 * The settings of a team: for each, the newest change that its author was allowed to make. It is a pure function: the
 * same changes give the same settings on every computer, in any order.
 */
export function foldTeamSettings(sent: readonly SentChanges[]) {
  const newest = new Map<string, TeamHistory>();
  const history: TeamHistory[] = [];
  const inOrder = [...sent].sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  for (const { at, author, role, changes } of inOrder) {
    for (const sentChange of changes) {
      const { data: change } = teamChangeSchema.safeParse(sentChange);
      // The number of admins at the time is checked where the log is read.
      if (change === undefined || !mayChange(role, change, 1)) continue;
      const key = keyOf(change);
      const before = newest.get(key)?.change ?? null;
      if (!isRuleOf(author, change, before)) continue;
      if (JSON.stringify(before?.value) === JSON.stringify(change.value)) continue;
      const made = { at, author, change, before };
      newest.set(key, made);
      history.push(made);
    }
  }
  const current = [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, made]) => made);
  const ofRules = orderRules([...newest.values()].map(({ change }) => change));
  return { ...collect(current.map(({ change }) => change)), ...ofRules, current, history };
}

/**
 * The rules in the order in which they are tried: first the stored order, then by when each was added. `ruleOrder` has
 * the IDs, including those of rules that this version can't read. `changes`: in the order in which each setting was
 * first made.
 */
function orderRules(changes: readonly TeamChange[]) {
  const rules = new Map<string, DecisionRule | undefined>();
  let order: readonly string[] = [];
  for (const change of changes) {
    if (change.setting === 'decisionRule') rules.set(change.id, change.value);
    else if (change.setting === 'decisionRuleOrder') order = change.value ?? [];
  }
  const ruleOrder = [...new Set([...order, ...rules.keys()])].filter(
    (id) => !rules.has(id) || rules.get(id) !== undefined,
  );
  return { ruleOrder, decisionRules: ruleOrder.flatMap((id) => rules.get(id) ?? []) };
}

/** The names of the settings that differ between two lists of the newest change of each. */
export function listChangedSettings(before: readonly TeamChange[], after: readonly TeamChange[]): string[] {
  const texts = (changes: readonly TeamChange[]) => new Set(changes.map((change) => JSON.stringify(change)));
  const [old, now] = [texts(before), texts(after)];
  const differing = [
    ...before.filter((change) => !now.has(JSON.stringify(change))),
    ...after.filter((change) => !old.has(JSON.stringify(change))),
  ];
  return [...new Set(differing.map(({ setting }) => setting))].sort();
}

function collect(changes: readonly TeamChange[]) {
  const settings: TeamSettings = { planYearStarts: {}, rules: {} };
  const views = new Map<string, string>();
  let noteTemplates: readonly string[] | null = null;
  for (const change of changes) {
    const { value } = change;
    if (value === undefined) continue;
    const employer = 'employerId' in change ? String(change.employerId ?? '') : '';
    if (change.setting === 'planYearStart') settings.planYearStarts[employer] = change.value as number;
    else if (change.setting === 'planRules')
      settings.planRules = { ...settings.planRules, [employer]: change.value as PlanRules };
    else if (change.setting === 'runLayout')
      settings.runLayouts = { ...settings.runLayouts, [employer]: change.value as RunLayout };
    else if ('employerId' in change)
      settings.rules[employer] = { ...settings.rules[employer], [change.setting]: value };
    else if (change.setting === 'view') views.set(change.name, value as string);
    else if (change.setting === 'noteTemplates') noteTemplates = value as string[];
    else if (change.setting !== 'decisionRule' && change.setting !== 'decisionRuleOrder')
      Object.assign(settings, { [change.setting]: value });
  }
  return { settings, noteTemplates, views };
}

/** The changes that give an employer these rules; null: the rules of all employers again. */
export const changesOfRules = (
  employerId: number | null,
  rules: ReimbursementRules | null,
  before: ReimbursementRules | null = null,
): TeamChange[] =>
  (Object.keys(reimbursementRuleShape) as (keyof ReimbursementRules)[])
    .filter(
      (setting) => rules === null || JSON.stringify(rules[setting]) !== JSON.stringify(before?.[setting]),
    )
    .map((setting) => ({ setting, employerId, ...(rules && { value: rules[setting] }) }) as TeamChange);
