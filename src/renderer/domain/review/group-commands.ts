import type { RuleExplained } from '../../../contract/decision-rule-procedures.ts';
import type { ActCommand, ReviewQuestion } from '../../../rules/review/event-kind.ts';
import { allActs, type ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { Shortcut } from '../../lib/shortcuts.ts';

/** The outcomes that need an amount or a reason. */
const askedOutcomes = ['partlyEligible', 'notEligible'] as const;
export type AskedOutcome = (typeof askedOutcomes)[number];
export const isAskedOutcome = (asks: ReviewQuestion): asks is AskedOutcome =>
  (askedOutcomes as readonly ReviewQuestion[]).includes(asks);

export type ReviewCommand = ActCommand<ReviewAct>;

const all: readonly ReviewCommand[] = allActs.flatMap(({ commands = [] }) => commands);
const inGroup = (...groups: readonly ReviewCommand['group'][]): readonly ReviewCommand[] =>
  all.filter(({ group }) => groups.includes(group));

export const outcomeCommands = inGroup('outcome');

export const [proposalCommand] = inGroup('proposal') as [ReviewCommand];

/** Takes a proposal as it is shown, and no other. */
export const takeShown = ({ ruleId, version }: RuleExplained): ReviewAct => ({
  ...{ kind: 'byRule', how: 'taken' },
  rule: { id: ruleId, version },
});

/** On a claim that changed: what the rules give now is eligible. */
export const useCommand = outcomeCommands[0] as ReviewCommand;

export const [declineCommand] = inGroup('decline') as [ReviewCommand];
export const stateCommands = inGroup('state');
export const [keepCommand] = inGroup('keep') as [ReviewCommand];
/** The commands of a second person, on a claim of the quality check. */
export const checkCommands = inGroup('second');
export const detailCommands = inGroup('detail');
export const [takeCommand] = inGroup('inTeam') as [ReviewCommand];

/** The keys on a claim that people of a team decided differently: each confirms one of the decisions, in their order. */
export const confirmKeys = ['7', '8', '9'] as const;
/** The keys on a claim for which two people recorded a payment. */
export const paidTwiceKeys = { areRight: 'b', countOnce: 'z' } as const;

export const reviewCommands = inGroup('outcome', 'decline', 'proposal', 'state', 'keep', 'detail');

/** The command of a key; null: the key has none. */
export const findReviewCommand = (key: string): ReviewCommand | null =>
  all.find((command) => command.key === key) ?? null;

/** The commands that need no field of the claim page. */
export const paletteCommands: readonly ReviewCommand[] = reviewCommands.filter(
  ({ does }) =>
    !('asks' in does) || isAskedOutcome(does.asks) || ['waiting', 'escalated', 'payment'].includes(does.asks),
);

export const paletteCheckCommands: readonly ReviewCommand[] = [...checkCommands, ...paletteCommands];

/** The keys on a page of duplicates, which apply to the first open pair. */
export const compareKeys = [
  { key: '5', label: 'Duplicate' },
  { key: 'u', label: 'Not a duplicate' },
] as const;

/** The keys of a review for the `?` sheet. */
export const reviewShortcuts: readonly Shortcut[] = [
  ...reviewCommands.map(({ key, label, goesOn }) => ({
    keys: [key],
    does: goesOn ? `${label}, then next claim` : label,
    where: 'Review of claims' as const,
    isSingleKey: true as const,
  })),
  ...checkCommands.map(({ key, label }) => ({
    keys: [key],
    does: `In the quality check: ${label.toLowerCase()}, then next claim`,
    where: 'Review of claims' as const,
    isSingleKey: true as const,
  })),
  {
    keys: [takeCommand.key],
    does: 'In a team: take the claim, as its owner',
    where: 'Review of claims',
    isSingleKey: true,
  },
  {
    keys: [...confirmKeys],
    does: 'Decided twice: confirm the first, second or third decision, then next claim',
    where: 'Review of claims',
    isSingleKey: true,
  },
  {
    keys: [paidTwiceKeys.areRight, paidTwiceKeys.countOnce],
    does: 'Paid twice: all payments are right / count the later one once, then next claim',
    where: 'Review of claims',
    isSingleKey: true,
  },
  {
    keys: ['u', '5'],
    does: 'On a page of duplicates: not a duplicate / duplicate',
    where: 'Review of claims',
    isSingleKey: true,
  },
  { keys: ['Ctrl Z'], does: 'Undo the last change of a review, and go there', where: 'Review of claims' },
];
