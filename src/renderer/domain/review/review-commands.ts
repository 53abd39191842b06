import { type ReviewAct, type ReviewOutcome, reviewOutcomes } from '../../../rules/review/review.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import type { Shortcut } from '../../lib/shortcuts.ts';

/** What a command asks for where its key is not enough. */
export type ReviewQuestion =
  | AskedOutcome
  | 'waiting'
  | 'escalated'
  | 'disagree'
  | 'note'
  | 'tags'
  | 'owner'
  | 'reminder'
  | 'payment';

/** The outcomes that need an amount or a reason. */
const askedOutcomes = ['partlyEligible', 'notEligible'] as const;
export type AskedOutcome = (typeof askedOutcomes)[number];
export const isAskedOutcome = (asks: ReviewQuestion): asks is AskedOutcome =>
  (askedOutcomes as readonly ReviewQuestion[]).includes(asks);

/** A command on a claim with its key. `goesOn`: the next claim of the list is shown after it. */
export interface ReviewCommand {
  readonly key: string;
  readonly label: string;
  readonly goesOn: boolean;
  /** `flag` is toggled. */
  readonly does:
    | { readonly act: ReviewAct }
    | { readonly asks: ReviewQuestion }
    | { readonly toggles: 'flag' }
    /** Makes this person the owner. */
    | { readonly takes: true };
}

export const decide = (
  state: 'todo' | 'inReview' | 'done',
  outcome: ReviewOutcome | null,
): Extract<ReviewAct, { kind: 'decision' }> => ({
  kind: 'decision',
  state,
  outcome,
  onWhom: null,
  reason: null,
  reminder: null,
});

const ask = (key: string, label: string, asks: ReviewQuestion): ReviewCommand => ({
  key,
  label,
  goesOn: false,
  does: { asks },
});

/** The outcomes have the digits from 1, in their order. */
export const outcomeCommands: readonly ReviewCommand[] = reviewOutcomes.map((outcome, index) => ({
  key: String(index + 1),
  label: outcomeLabels[outcome],
  goesOn: true,
  does: outcome === 'partlyEligible' ? { asks: outcome } : { act: decide('done', outcome) },
}));

/** On a claim that changed: what the rules give now is eligible. */
export const useCommand = outcomeCommands[0] as ReviewCommand;

/** "Not eligible" by its digit needs no reason. This command asks for one, before or after the decision. */
export const declineCommand: ReviewCommand = {
  key: 'c',
  label: 'Not eligible, with reason',
  goesOn: true,
  does: { asks: 'notEligible' },
};

export const stateCommands: readonly ReviewCommand[] = [
  { key: 'i', label: 'In review', goesOn: false, does: { act: decide('inReview', null) } },
  ask('w', 'Waiting', 'waiting'),
  ask('e', 'Escalate', 'escalated'),
  { key: '0', label: 'To do', goesOn: false, does: { act: decide('todo', null) } },
];

/** On a claim that changed since it was decided: the decision of before holds for it as it is now. */
export const keepCommand: ReviewCommand = {
  key: 'a',
  label: 'Keep decision',
  goesOn: true,
  does: { act: { kind: 'accept' } },
};

/** The commands of a second person, on a claim of the quality check. */
export const checkCommands: readonly ReviewCommand[] = [
  { key: 'y', label: 'Agree', goesOn: true, does: { act: { kind: 'check', agrees: true, reason: null } } },
  { ...ask('d', 'Disagree', 'disagree'), goesOn: true },
];

export const detailCommands: readonly ReviewCommand[] = [
  { key: 'm', label: 'Flag', goesOn: false, does: { toggles: 'flag' } },
  ask('n', 'Note', 'note'),
  ask('t', 'Tags', 'tags'),
  ask('o', 'Owner', 'owner'),
  ask('r', 'Reminder', 'reminder'),
  ask('p', 'Payment', 'payment'),
];

/** In a team. */
export const takeCommand: ReviewCommand = {
  key: 's',
  label: 'Take claim',
  goesOn: false,
  does: { takes: true },
};

/** The keys on a claim that people of a team decided differently: each confirms one of the decisions, in their order. */
export const confirmKeys = ['7', '8', '9'] as const;
/** The keys on a claim for which two people recorded a payment. */
export const settleKeys = { areRight: 'b', countOnce: 'z' } as const;

export const reviewCommands: readonly ReviewCommand[] = [
  ...outcomeCommands,
  declineCommand,
  ...stateCommands,
  keepCommand,
  ...detailCommands,
];

/** The command of a key; null: the key has none. */
export const findReviewCommand = (key: string): ReviewCommand | null =>
  [...reviewCommands, ...checkCommands, takeCommand].find((command) => command.key === key) ?? null;

/** The commands that need no field of the claim page. */
export const paletteCommands: readonly ReviewCommand[] = reviewCommands.filter(
  ({ does }) =>
    !('asks' in does) || isAskedOutcome(does.asks) || ['waiting', 'escalated', 'payment'].includes(does.asks),
);

/** The commands in the palette for a claim in the quality check. */
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
    keys: [settleKeys.areRight, settleKeys.countOnce],
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
