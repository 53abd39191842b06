import { formatDay } from '../../days.ts';
import { formatTenThousandths } from '../../money/format-amount.ts';
import { applyDecision } from '../apply-decision.ts';
import { type Decision, decisionSchema, type ReviewOutcome, reviewOutcomes } from '../decision.ts';
import { describePartly } from '../describe-partly.ts';
import { type ActCommand, actKind, type EventContext } from '../event-kind.ts';
import { outcomeLabels, stateLabels } from '../review-labels.ts';

export const decide = (state: 'todo' | 'inReview' | 'done', outcome: ReviewOutcome | null): Decision => ({
  kind: 'decision',
  state,
  outcome,
  onWhom: null,
  reason: null,
  reminder: null,
});

/** Formats a reason within a sentence; one that begins with an abbreviation keeps its capitals. */
const withinSentence = (cause: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(cause) ? cause.charAt(0).toLowerCase() + cause.slice(1) : cause;

function words({ state, outcome, partly, cause }: Decision, { amounts = null }: EventContext): string {
  if (outcome === null) return stateLabels[state];
  const totalText =
    amounts === null || amounts.byRules === null ? '' : ` of ${formatTenThousandths(amounts.byRules)}`;
  const rule = partly === undefined ? null : describePartly(partly);
  const amount = amounts === null ? null : `${formatTenThousandths(amounts.eligible)}${totalText}`;
  // The amount that a rule gave follows the rule.
  const isRule = partly?.by === 'parts' || partly?.by === 'share';
  const parts = [isRule || amount === null ? rule : null, amount, cause && withinSentence(cause)];
  const details = parts.filter((part) => part !== null && part !== undefined && part !== '').join(', ');
  return details === '' ? outcomeLabels[outcome] : `${outcomeLabels[outcome]}: ${details}`;
}

function refuse(fact: Decision): 'review.incomplete' | 'usage.invalid' | null {
  const isPartly = fact.outcome === 'partlyEligible';
  const isDeclining = isPartly || fact.outcome === 'notEligible';
  if ((fact.partly !== undefined && !isPartly) || (fact.cause !== undefined && !isDeclining))
    return 'usage.invalid';
  const isWaiting = fact.state === 'waiting' || fact.state === 'escalated';
  const isComplete =
    (fact.state === 'done') === (fact.outcome !== null) &&
    isPartly === (fact.partly !== undefined) &&
    (!isWaiting || (fact.onWhom !== null && fact.reason !== null));
  return isComplete ? null : 'review.incomplete';
}

/** The outcomes have the digits from 1, in order. */
const ofOutcome = (outcome: ReviewOutcome, index: number): ActCommand<Decision> => ({
  key: String(index + 1),
  label: outcomeLabels[outcome],
  goesOn: true,
  group: 'outcome',
  does: outcome === 'partlyEligible' ? { asks: outcome } : { act: decide('done', outcome) },
});

const inReview = decide('inReview', null);
const todo = decide('todo', null);

export const decision = actKind({
  schema: decisionSchema,
  counted: ['decision'],
  words,
  detail({ state, onWhom, reason, reminder }) {
    const whom = `${state === 'escalated' ? 'Escalated to' : 'Waiting on'} ${onWhom}`;
    const day = reminder === null ? null : `Reminder ${formatDay(reminder)}`;
    const parts = [onWhom === null ? null : whom, reason, day];
    return parts.filter((part) => part !== null).join(' · ') || null;
  },
  fold: (fold, event) => applyDecision(fold, event, event.fact),
  decision: (fact) => fact,
  refuse,
  cells: (fact) => ({
    'review.state': fact.state,
    'review.outcome': fact.outcome,
    'review.on_whom': fact.onWhom,
    'review.reason': fact.reason,
    'review.reminder': fact.reminder,
    'review.cause': fact.cause ?? null,
    'review.changed_at': null,
  }),
  commands: [
    ...reviewOutcomes.map(ofOutcome),
    /** "Not eligible" with its digit needs no reason. This command asks for one, before or after the decision. */
    {
      key: 'c',
      label: 'Not eligible, with reason',
      goesOn: true,
      group: 'decline',
      does: { asks: 'notEligible' },
    },
    { key: 'i', label: 'In review', goesOn: false, group: 'state', does: { act: inReview } },
    { key: 'w', label: 'Waiting', goesOn: false, group: 'state', does: { asks: 'waiting' } },
    { key: 'e', label: 'Escalate', goesOn: false, group: 'state', does: { asks: 'escalated' } },
    { key: '0', label: 'Undecided', goesOn: false, group: 'state', does: { act: todo } },
  ],
  ofOptions: ({ state, outcome = null, reason = null, reminder = null, partly = null, cause, ...options }) =>
    state === undefined
      ? null
      : {
          kind: 'decision' as const,
          state,
          outcome,
          onWhom: options['on-whom'] ?? null,
          reason,
          reminder,
          ...(partly === null ? {} : { partly }),
          ...(cause === undefined ? {} : { cause }),
        },
  setsValues: true,
  finishes: 'decided',
  texts: ['reason'],
  isPlaced: true,
  inCheckpoint: 'each',
});
