import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type {
  decisionRuleProcedures,
  RuleExplained,
  RuleStanding,
  RuleTrial,
} from '../../../contract/decision-rule-procedures.ts';
import type { Handlers, Input } from '../../../contract/procedures.ts';
import { findRules, toStoredRules } from '../../../contract/stored-rules.ts';
import { addDays, localDayOf, startOfLocalDay } from '../../../rules/days.ts';
import { type DecisionRule, type RuleDraft, ruleDraftSchema } from '../../../rules/decide/decision-rule.ts';
import { sayMarkedAct, toMarkedAct } from '../../../rules/decide/rule-act.ts';
import { readRuleCells, ruleFields } from '../../../rules/decide/rule-fields.ts';
import { findMissing } from '../../../rules/decide/rule-standing.ts';
import type { Condition } from '../../../rules/query.ts';
import type { ReviewedValues } from '../../../rules/review/reviewed-values.ts';
import type { RuleMark } from '../../../rules/review/rule-mark.ts';
import type { TeamChange } from '../../../rules/review/team-settings.ts';
import { DeskError } from '../../lib/errors.ts';
import { queueOf, type SerialQueue } from '../../lib/serial-queue.ts';
import type { EngineState } from '../state/engine-state.ts';
import { compileRule } from '../store/query/meets-rule.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { readTeamSettings } from '../team/hold-team-settings.ts';
import { readProposals, readStandings } from './decide-by-rules.ts';
import { digestAmountRules } from './digest-amount-rules.ts';
import type { ReviewPorts } from './review-ports.ts';
import type { Reviews } from './reviews.ts';

/** One year: decisions since then are compared. */
const triedDays = 365;

const isReadable = (rule: DecisionRule): boolean => {
  try {
    compileRule(rule);
    return true;
  } catch {
    return false;
  }
};

type StoragePorts = Pick<EngineState, 'main' | 'files'>;
const hasTeam = async ({ main }: StoragePorts, workspaceId: string): Promise<boolean> =>
  (await main.findWorkspace(workspaceId)).workspace.team !== undefined;

async function readStored({ files }: StoragePorts, workspaceId: string) {
  const userData = await files.getUserData(workspaceId);
  return findRules(userData.isThere() ? await userData.call('listViews', { workspaceId }) : []);
}

/**
 * The rules of a workspace, or of its team, in the order in which they are tried; `ruleOrder` also includes rules that
 * this version does not know.
 */
async function readInOrder(ports: StoragePorts, workspaceId: string) {
  if (await hasTeam(ports, workspaceId))
    return (await readTeamSettings(ports.files, workspaceId)) ?? { decisionRules: [], ruleOrder: [] };
  const { rules } = await readStored(ports, workspaceId);
  return { decisionRules: rules, ruleOrder: rules.map(({ id }) => id) };
}

/** The rules of a workspace in their order, without rules of newer versions. */
export const readRules = async (ports: StoragePorts, workspaceId: string): Promise<DecisionRule[]> =>
  (await readInOrder(ports, workspaceId)).decisionRules.filter(isReadable);

/** The rules of a team that decide, in every version that ever did, to check what other computers decided. */
export async function readDecidingRules(
  { files }: Pick<StoragePorts, 'files'>,
  workspaceId: string,
): Promise<DecisionRule[]> {
  const { history = [] } = (await readTeamSettings(files, workspaceId)) ?? {};
  return history.flatMap(({ change }) =>
    change.setting === 'decisionRule' && change.value?.state === 'do' && change.value.confirmedBy !== null
      ? [change.value]
      : [],
  );
}

interface RulePorts {
  readonly state: Pick<EngineState, 'main' | 'files' | 'clock' | 'emit' | 'auditAction' | 'getStore'>;
  readonly reviewPorts: ReviewPorts;
  readonly reviews: Pick<Reviews, 'undoRule' | 'findRuleOf'>;
  changeTeam(workspaceId: string, changes: readonly TeamChange[]): Promise<void>;
}

/** Stores the rules of the workspace, or changes them in the settings of its team. */
async function write(
  { state, changeTeam }: RulePorts,
  workspaceId: string,
  change: (rules: readonly DecisionRule[]) => readonly DecisionRule[],
  ofTeam: readonly TeamChange[],
): Promise<void> {
  if (await hasTeam(state, workspaceId)) await changeTeam(workspaceId, ofTeam);
  else {
    const stored = await readStored(state, workspaceId);
    const at = new Date(state.clock.now()).toISOString();
    const row = { id: stored.id ?? randomUUID(), workspace_id: workspaceId, created_at: at, updated_at: at };
    const userData = await state.files.getUserData(workspaceId);
    await userData.call('saveView', { ...row, ...toStoredRules(change(stored.rules), stored.unread) });
  }
  state.emit({ name: 'views:changed', payload: { workspaceId } });
  state.emit({ name: 'reviews:changed', payload: { workspaceId, claimIds: null } });
}

/** Stores a rule at its position, a new one as the last, or removes it (`rule` null). */
const put = (ports: RulePorts, workspaceId: string, id: string, rule: DecisionRule | null): Promise<void> =>
  write(
    ports,
    workspaceId,
    (rules) => {
      if (rule === null) return rules.filter((stored) => stored.id !== id);
      const isThere = rules.some((stored) => stored.id === id);
      return isThere ? rules.map((stored) => (stored.id === id ? rule : stored)) : [...rules, rule];
    },
    [{ setting: 'decisionRule', id, ...(rule && { value: rule }) }],
  );

/** Moves a rule before or after the next one: if both match a claim, the earlier one acts. */
async function move(
  ports: RulePorts,
  { workspaceId, id, to }: Input<'rules:move'>,
): Promise<{ isDone: true }> {
  const { decisionRules, ruleOrder } = await readInOrder(ports.state, workspaceId);
  const ids = decisionRules.filter(isReadable).map((readable) => readable.id);
  const at = ids.indexOf(id);
  if (at === -1) throw new DeskError('rule.unknown');
  const other = ids[at + (to === 'up' ? -1 : 1)];
  if (other === undefined) return { isDone: true };
  const value = ruleOrder.map((ruleId) => (ruleId === id ? other : ruleId === other ? id : ruleId));
  await write(
    ports,
    workspaceId,
    (rules) => rules.toSorted((a, b) => value.indexOf(a.id) - value.indexOf(b.id)),
    [{ setting: 'decisionRuleOrder', value }],
  );
  await ports.state.auditAction(workspaceId, 'rule.moved', { ruleId: id, to });
  return { isDone: true };
}

/** The rule with an ID. `version`: the version that was shown. @throws DeskError `rule.unknown`, `rule.changed` */
async function find(
  { state }: RulePorts,
  workspaceId: string,
  id: string,
  version?: number,
): Promise<DecisionRule> {
  const rule = (await readRules(state, workspaceId)).find((candidate) => candidate.id === id);
  if (rule === undefined) throw new DeskError('rule.unknown');
  if (version !== undefined && version !== rule.version) throw new DeskError('rule.changed');
  return rule;
}

const draftOf = (rule: DecisionRule): RuleDraft => ruleDraftSchema.parse(rule);
const labelOf = (path: string): string => ruleFields.find((spec) => spec.path === path)?.label ?? path;

/** Returns who is changing a rule now. */
async function signOf({ state, reviewPorts }: RulePorts, workspaceId: string) {
  const [by, settings] = await Promise.all([
    reviewPorts.findAuthor(workspaceId),
    reviewPorts.getSettings(workspaceId),
  ]);
  const since = new Date(state.clock.now()).toISOString();
  return { since, by, confirmedBy: null, amountRules: digestAmountRules(settings) };
}

/** @throws DeskError `query.invalid` */
async function tryRule(ports: RulePorts, workspaceId: string, rule: DecisionRule): Promise<RuleTrial> {
  const { state, reviewPorts } = ports;
  compileRule(rule);
  const [store, settings, userData] = await Promise.all([
    state.getStore(workspaceId),
    reviewPorts.getSettings(workspaceId),
    reviewPorts.getUserData(workspaceId),
  ]);
  const today = localDayOf(new Date(state.clock.now()));
  const from = startOfLocalDay(addDays(today, -triedDays) ?? today);
  const rules = factRulesOf(settings);
  const none = { decisions: 0, agrees: 0, notStored: 0, notReplayed: 0, months: 0, differing: [] };
  const [open, past] = await Promise.all([
    store.read('tryRuleOpen', { rule, rules }),
    userData.isThere() ? userData.call('tryDecisions', { workspaceId, rule, rules, from, today }) : none,
  ]);
  const { blank, ...openTrial } = open;
  return {
    ...past,
    blank: blank.flatMap(({ field, claims }) =>
      claims === 0 ? [] : [{ field, label: labelOf(field), claims }],
    ),
    open: openTrial,
    missing: findMissing(past),
  };
}

/** Saves a rule; its new version was not tried, so it begins at `watch`. */
async function save(
  ports: RulePorts,
  { workspaceId, id, version, draft }: Input<'rules:save'>,
): Promise<DecisionRule> {
  const before = id === undefined ? null : await find(ports, workspaceId, id, version);
  if (before !== null && isDeepStrictEqual(draftOf(before), draft)) return before;
  const rule: DecisionRule = {
    ...draft,
    id: id ?? randomUUID(),
    version: (before?.version ?? 0) + 1,
    state: 'watch',
    ...(await signOf(ports, workspaceId)),
  };
  compileRule(rule);
  await put(ports, workspaceId, rule.id, rule);
  const { state } = rule;
  await ports.state.auditAction(workspaceId, 'rule.changed', {
    ruleId: rule.id,
    version: rule.version,
    state,
  });
  return rule;
}

/**
 * Returns the rule in another state. If it will decide in a team, someone else confirms what an admin requested
 * (`mayChange`).
 * @throws DeskError `rule.notTried`
 */
async function withState(
  ports: RulePorts,
  workspaceId: string,
  rule: DecisionRule,
  state: DecisionRule['state'],
) {
  const sign = await signOf(ports, workspaceId);
  if (state !== 'do') return { ...rule, state, ...sign };
  const isOpen = rule.confirmedBy === null && rule.by !== sign.by;
  if (rule.state === 'do' && isOpen && (await hasTeam(ports.state, workspaceId)))
    return { ...rule, confirmedBy: sign.by };
  if (rule.state === 'do' && rule.amountRules === sign.amountRules) return rule;
  const { missing } = await tryRule(ports, workspaceId, rule);
  if (missing.length > 0) throw new DeskError('rule.notTried', { details: { missing: missing.join(' ') } });
  return { ...rule, state, ...sign };
}

async function setState(ports: RulePorts, { workspaceId, id, version, state }: Input<'rules:setState'>) {
  const before = await find(ports, workspaceId, id, version);
  const rule = await withState(ports, workspaceId, before, state);
  if (rule === before) return rule;
  await put(ports, workspaceId, id, rule);
  await ports.state.auditAction(workspaceId, 'rule.changed', {
    ruleId: id,
    version: rule.version,
    state,
    confirmed: rule.confirmedBy !== null,
  });
  return rule;
}

const explainConditions = (conditions: readonly Condition[], values: ReviewedValues | null) =>
  conditions.map((condition) => ({
    condition,
    value: values === null ? null : readRuleCells(values, condition.field).join('\n') || null,
  }));

async function explain({ state, reviewPorts, reviews }: RulePorts, workspaceId: string, claimId: number) {
  const [rules, deciding, [proposal], decided] = await Promise.all([
    readRules(state, workspaceId),
    readDecidingRules(state, workspaceId),
    readProposals(reviewPorts, workspaceId, [claimId]),
    reviews.findRuleOf(workspaceId, claimId),
  ]);
  const toExplained = (
    rule: Pick<RuleMark, 'id' | 'version' | 'name' | 'conditions'>,
    reviewed: string | null,
    words: string,
    amount: number | null,
  ): RuleExplained => {
    const listed = [...rules, ...deciding].find(
      ({ id, version }) => id === rule.id && version === rule.version,
    );
    const conditions = rule.conditions.length > 0 ? rule.conditions : (listed?.conditions ?? []);
    const values = reviewed === null ? null : (JSON.parse(reviewed) as ReviewedValues);
    return {
      ruleId: rule.id,
      version: rule.version,
      name: rule.name,
      words,
      amount,
      since: listed?.since ?? null,
      by: listed?.by ?? null,
      conditions: explainConditions(conditions, values),
    };
  };
  const today = localDayOf(new Date(state.clock.now()));
  return {
    proposal:
      proposal === undefined
        ? null
        : toExplained(
            proposal.rule,
            proposal.reviewed,
            sayMarkedAct(toMarkedAct(proposal.rule.act, today), proposal.open, proposal.amounts),
            proposal.amounts?.eligible ?? proposal.open,
          ),
    decided:
      decided === null
        ? null
        : {
            ...toExplained(
              decided.rule,
              decided.reviewed,
              sayMarkedAct(decided.rule.act, decided.rule.open, decided.amounts),
              decided.amounts?.eligible ?? decided.rule.open,
            ),
            since: decided.rule.since,
            by: decided.rule.by,
          },
  };
}

/** Answers the procedures of rules that decide claims, or propose to. */
export function createRuleHandlers(ports: RulePorts): Handlers<keyof typeof decisionRuleProcedures> {
  const { state, reviewPorts, reviews } = ports;
  const queues = new Map<string, SerialQueue>();
  /** Runs changes one after another in each workspace, because each reads the rules before it stores them. */
  const inTurn = <T>(workspaceId: string, change: () => Promise<T>): Promise<T> =>
    queueOf(queues, workspaceId)(change);
  return {
    'rules:list': async ({ workspaceId }) => {
      const [standings, sums] = await Promise.all([
        readStandings(reviewPorts, workspaceId),
        (await state.getStore(workspaceId)).read('sumProposed', null),
      ]);
      return {
        rules: standings.map(({ rule, counts: { today: _today, ...counts }, acts, why }): RuleStanding => {
          const { claims = 0, amount = 0 } = sums.find(({ ruleId }) => ruleId === rule.id) ?? {};
          return { rule, acts, why, proposed: { claims, amount }, ...counts };
        }),
      };
    },
    'rules:try': async ({ workspaceId, draft }) => {
      const id = randomUUID();
      const sign = await signOf(ports, workspaceId);
      return tryRule(ports, workspaceId, { ...draft, id, version: 1, state: 'off', ...sign });
    },
    'rules:explain': ({ workspaceId, claimId }) => explain(ports, workspaceId, claimId),
    'rules:save': (input) => inTurn(input.workspaceId, () => save(ports, input)),
    'rules:setState': (input) => inTurn(input.workspaceId, () => setState(ports, input)),
    'rules:move': (input) => inTurn(input.workspaceId, () => move(ports, input)),
    'rules:remove': ({ workspaceId, id }) =>
      inTurn(workspaceId, async () => {
        await find(ports, workspaceId, id);
        await put(ports, workspaceId, id, null);
        await state.auditAction(workspaceId, 'rule.removed', { ruleId: id });
        return { isDone: true };
      }),
    'rules:undo': async ({ workspaceId, id, day = null }) => {
      const claims = await reviews.undoRule(workspaceId, id, day);
      // What a removed rule decided can be undone as well.
      if (claims === 0) await find(ports, workspaceId, id);
      else await state.auditAction(workspaceId, 'rule.undone', { ruleId: id, claims });
      return { claims };
    },
  };
}
