import type { KeptAmounts } from '../money/decided-amounts.ts';
import { type PaymentKind, signOf } from '../money/reimbursement.ts';
import type { Decision } from './decision.ts';
import type { FoldedReview } from './folded-review.ts';
import { areConcurrent, hasSeen, type LogPosition, type PlacedEvent } from './seen-events.ts';

/** A decision, or its confirmation, with what it decides. */
interface MadeDecision extends PlacedEvent {
  readonly id: string;
  readonly author: string;
  readonly decision: Decision;
  readonly amounts: KeptAmounts | null;
}

/** A payment that counts. */
interface MadePayment extends PlacedEvent {
  readonly id: string;
  readonly payment: PaymentKind;
  /** Ten-thousandths of a dollar. */
  readonly amount: number;
  readonly day: string;
}

/** Whether two decisions have the same result; reasons and reminders may differ. */
function isSameDecision(first: MadeDecision, second: MadeDecision): boolean {
  const markOf = ({ decision, amounts }: MadeDecision): string =>
    JSON.stringify([
      decision.state,
      decision.outcome,
      decision.onWhom,
      decision.outcome === 'partlyEligible' ? (amounts?.eligible ?? decision.partly) : null,
    ]);
  return markOf(first) === markOf(second);
}

/**
 * The decisions on a claim that differ and whose authors had not seen each other's, the last one of each computer; the
 * last of all counts. Empty where there are none, or an author who had seen them has decided again.
 */
function findDecidedTwice(decisions: readonly MadeDecision[]): MadeDecision[] {
  const open = decisions.filter(
    (decision) => !decisions.some((other) => other !== decision && hasSeen(other, decision)),
  );
  const last = open.at(-1);
  return last !== undefined && open.some((decision) => !isSameDecision(decision, last)) ? open : [];
}

const isTakenBack = (payment: PaymentKind): boolean => signOf(payment) !== 1;

/**
 * The payments for a claim that were recorded on two computers without having seen each other's, or that are equal, and
 * the amount that they paid more than once. Null if there are none, or if an author who had seen them chose which count
 * (`answers`) or recorded that as much was repaid.
 */
function findPaidTwice(
  payments: readonly MadePayment[],
  answers: readonly PlacedEvent[],
): { readonly stake: number; readonly paymentIds: string[] } | null {
  const paidTwice = new Set<MadePayment>();
  for (const [index, payment] of payments.entries()) {
    for (const other of payments.slice(index + 1)) {
      if (
        payment.place.computer === other.place.computer ||
        isTakenBack(payment.payment) !== isTakenBack(other.payment)
      )
        continue;
      const isEqual =
        payment.payment === other.payment && payment.day === other.day && payment.amount === other.amount;
      if (!isEqual && !areConcurrent(payment, other)) continue;
      const hasSeenBoth = (later: PlacedEvent): boolean => hasSeen(later, payment) && hasSeen(later, other);
      const atStake = Math.min(payment.amount, other.amount);
      const isAnswered =
        answers.some(hasSeenBoth) ||
        payments.some((back) => isTakenBack(back.payment) && back.amount >= atStake && hasSeenBoth(back));
      if (!isAnswered) paidTwice.add(payment).add(other);
    }
  }
  if (paidTwice.size === 0) return null;
  const sums = new Map<string, number>();
  for (const { place, amount } of paidTwice)
    sums.set(place.computer, (sums.get(place.computer) ?? 0) + amount);
  const all = [...sums.values()];
  return {
    stake: all.reduce((sum, amount) => sum + amount, 0) - Math.max(...all),
    paymentIds: [...new Set([...paidTwice].map(({ id }) => id))],
  };
}

/** An event that counts. */
interface ClaimEvent extends Pick<PlacedEvent, 'at'> {
  readonly id: string;
  readonly author: string;
  readonly fact: { readonly kind: string };
  readonly place?: LogPosition | null;
}

/** Collects, from the events of a claim in their order, what two people may have done at the same time. */
export function createTwiceFold() {
  const decisions: MadeDecision[] = [];
  const answers: PlacedEvent[] = [];
  const placed = new Map<string, PlacedEvent>();
  return {
    /** `made`: what the event decides; null: nothing. */
    add(event: ClaimEvent, made: Pick<MadeDecision, 'decision' | 'amounts'> | null): void {
      const { id, author, at, fact, place } = event;
      if (place == null) return;
      const placedEvent = { at, place, order: placed.size };
      placed.set(id, placedEvent);
      if (made !== null) decisions.push({ id, author, ...placedEvent, ...made });
      if (fact.kind === 'settlePayments') answers.push(placedEvent);
    },
    find(payments: FoldedReview['payments']): Pick<FoldedReview, 'decidedTwice' | 'paidTwice'> {
      if (placed.size === 0) return { decidedTwice: [], paidTwice: null };
      const ofTeam = payments.flatMap((payment): MadePayment[] => {
        const placedEvent = placed.get(payment.id);
        return placedEvent === undefined ? [] : [{ ...payment, ...placedEvent }];
      });
      return {
        decidedTwice: findDecidedTwice(decisions).map(({ id, author, at, decision, amounts }) => ({
          id,
          author,
          at,
          decision,
          eligible: decision.outcome === 'partlyEligible' ? (amounts?.eligible ?? null) : null,
        })),
        paidTwice: findPaidTwice(ofTeam, answers),
      };
    },
  };
}
