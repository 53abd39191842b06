import type { RuleStanding, RuleTrial } from '../../../../contract/decision-rule-procedures.ts';
import type { Input } from '../../../../contract/procedures.ts';
import { sayTrial } from '../../../../contract/say-trial.ts';
import {
  type DecisionRule,
  type RuleAct,
  type RuleDraft,
  ruleDraftSchema,
} from '../../../../rules/decide/decision-rule.ts';
import { sayRuleAct } from '../../../../rules/decide/say-act.ts';
import { splitConditions } from '../../../../rules/decide/split-conditions.ts';
import { startRule } from '../../../../rules/decide/start-rule.ts';
import { readDollars } from '../../../../rules/money/amounts.ts';
import { DeskError } from '../../../lib/errors.ts';
import { inWork, type Runner, row } from '../command-row.ts';
import {
  type OptionName,
  type Options,
  parseFilter,
  parseId,
  parseWhole,
  writeFilter,
} from '../parse-command.ts';
import type { Work } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';
import { toJsonNumber } from './list.ts';
import { readPartly } from './read-partly.ts';

const dollar = 10_000;

/** A rule with its conditions as filters, its act in words, and amounts in dollars. */
const toPrinted = ({ conditions, act, most, perDay, amountRules: _digest, ...rule }: DecisionRule) => ({
  ...rule,
  filter: conditions.map(writeFilter),
  does: sayRuleAct(act),
  most: most === null ? null : most / dollar,
  perDay: { claims: perDay.claims, amount: perDay.amount / dollar },
});

const toPrintedStanding = ({ rule, proposed, ...standing }: RuleStanding) => ({
  ...toPrinted(rule),
  ...standing,
  proposed: { claims: proposed.claims, amount: toJsonNumber(proposed.amount) },
});

const toPrintedTrial = ({ open, differing, ...trial }: RuleTrial) => ({
  ...trial,
  open: { claims: open.claims, amount: toJsonNumber(open.amount) },
  differing: differing.map(({ amount, ...decision }) => ({
    ...decision,
    amount: amount === null ? null : amount / dollar,
  })),
});

function readAmount(text: string, name: string): number {
  const amount = readDollars(text);
  if (amount === null || amount < 0) throw new UsageError(`${name} is in dollars, such as 12.50`);
  return amount;
}

/** The options of each act; those of other acts are refused. */
const actOptions = {
  eligible: [],
  partly: ['share', 'without', 'cause'],
  notEligible: ['cause'],
  waiting: ['on-whom', 'reason', 'days'],
  tag: ['tag'],
  owner: ['owner'],
} as const satisfies Readonly<Record<RuleAct['kind'], readonly OptionName[]>>;

/** The kind of act that the options name; undefined: none. */
function readKind({ outcome, owner, tag, 'on-whom': onWhom }: Options): string | undefined {
  if (outcome !== undefined) return outcome === 'partlyEligible' ? 'partly' : outcome;
  if (onWhom !== undefined) return 'waiting';
  if (owner !== undefined) return 'owner';
  return tag === undefined ? undefined : 'tag';
}

/**
 * Reads the act from the options, which are those of `review set`; options of the same kind complete the earlier act.
 * Undefined: none. @throws UsageError
 */
function readAct(options: Options, before: RuleAct | undefined): unknown {
  const kind = readKind(options) ?? before?.kind;
  const taken: readonly string[] = actOptions[kind as RuleAct['kind']] ?? [];
  const given = Object.values(actOptions)
    .flat()
    .filter((name) => options[name] !== undefined);
  const stray = given.find((name) => !taken.includes(name));
  if (stray !== undefined) throw new UsageError(`--${stray} doesn’t go with this act of the rule`);
  if (kind === undefined) return undefined;
  const { cause, reason, owner, tag, 'on-whom': onWhom } = options;
  const partly = kind === 'partly' ? readPartly(options) : null;
  const days = parseWhole(options.days, '--days');
  return {
    ...(before?.kind === kind && before),
    kind,
    ...(partly !== null && { partly }),
    ...(cause !== undefined && { cause }),
    ...(onWhom !== undefined && { onWhom }),
    ...(reason !== undefined && { reason }),
    ...(days !== undefined && { days }),
    ...(tag !== undefined && { tag: tag[0] }),
    ...(owner !== undefined && { owner }),
  };
}

/** Reads the rule from the options; omitted values are those of `before`, or of a new rule. @throws UsageError */
function readDraft(options: Options, before: DecisionRule | null): RuleDraft {
  const start = { ...(before ?? startRule) };
  const { filter, employer, most } = options;
  const split = splitConditions((filter ?? []).map(parseFilter));
  const [leftOut] = split.leftOut;
  if (leftOut !== undefined) throw new UsageError(`a rule can’t use ${leftOut.field}`);
  const act = readAct(options, before?.act);
  const claims = parseWhole(options['claims-a-day'], '--claims-a-day');
  const perDay = options['dollars-a-day'];
  const draft = ruleDraftSchema.safeParse({
    ...{ name: 'Rule', ...start },
    ...(options.name !== undefined && { name: options.name }),
    ...(filter !== undefined && { conditions: split.conditions }),
    ...(split.employers.length > 0 && { employers: split.employers }),
    ...(employer !== undefined && { employers: employer === 'any' ? [] : [parseId(employer)] }),
    ...(act !== undefined && { act }),
    ...(most !== undefined && { most: most === 'any' ? null : readAmount(most, '--most') }),
    ...(options['second-look'] !== undefined && {
      secondLook: parseWhole(options['second-look'], '--second-look'),
    }),
    perDay: {
      claims: claims ?? start.perDay.claims,
      amount: perDay === undefined ? start.perDay.amount : readAmount(perDay, '--dollars-a-day'),
    },
  });
  if (draft.success) return draft.data;
  throw new UsageError(`the rule’s ${draft.error.issues[0]?.path.join(' ')} is missing or isn’t allowed`);
}

/** The current rule of the ID after the command's words; null: no ID. @throws DeskError `rule.unknown` */
async function findRule({ session, workspaceId, command }: Work): Promise<RuleStanding | null> {
  const id = command.words[2];
  if (id === undefined) return null;
  const { rules } = await session.call('rules:list', { workspaceId });
  const standing = rules.find(({ rule }) => rule.id === id);
  if (standing === undefined) throw new DeskError('rule.unknown');
  return standing;
}

async function show(work: Work): Promise<void> {
  const standing = await findRule(work);
  if (standing !== null) await work.output.json(toPrintedStanding(standing));
}

async function attempt(work: Work): Promise<void> {
  const { session, workspaceId, command, output } = work;
  const draft = readDraft(command.options, (await findRule(work))?.rule ?? null);
  const trial = await session.call('rules:try', { workspaceId, draft });
  for (const sentence of [...sayTrial(trial), ...trial.missing]) output.info(sentence);
  await output.json(toPrintedTrial(trial));
}

async function set(work: Work): Promise<void> {
  const { session, workspaceId, command, output } = work;
  const before = (await findRule(work))?.rule ?? null;
  const input: Input<'rules:save'> = { workspaceId, draft: readDraft(command.options, before) };
  const saved = await session.call('rules:save', before === null ? input : { ...input, id: before.id });
  await output.json(toPrinted(saved));
}

/** `claimdesk rules …`: rules that propose and decide claims. */
export const ruleCommands: Readonly<Record<string, Runner>> = {
  list: row({ call: 'rules:list', writes: 'ifFree', lines: ({ rules }) => rules.map(toPrintedStanding) }),
  show: inWork('ifFree', show),
  try: inWork('ifFree', attempt),
  set: inWork(true, set),
  state: row({
    call: 'rules:setState',
    writes: true,
    arguments: ['id', 'state'],
    lines: (rule) => [toPrinted(rule)],
  }),
  move: row({ call: 'rules:move', writes: true, arguments: ['id', 'to'] }),
  undo: row({ call: 'rules:undo', writes: true, arguments: ['id'], options: { date: 'day' } }),
  remove: row({ call: 'rules:remove', writes: true, arguments: ['id'] }),
};
