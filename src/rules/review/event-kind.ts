import type { z } from 'zod';
import type { Cell } from '../query.ts';
import type { Decision, PartlyEligible, ReviewOutcome } from './decision.ts';
import type { ClaimFold, EventOf, FoldedReview } from './folded-review.ts';

/** The data of an event for its history besides its fact; for a single claim, also what is stored with that claim. */
export interface EventContext {
  /** The eligible amount, and what the rules gave then, in ten-thousandths of a dollar. */
  readonly amounts?: { readonly eligible: number; readonly byRules: number | null } | null | undefined;
  readonly payments?: readonly { readonly amount: number; readonly day: string }[] | null | undefined;
  readonly owner?: string | undefined;
  /** The act of a rule, as text. */
  readonly rule?: string | undefined;
  readonly ofRun?: { readonly amount?: number | undefined; readonly reason?: string | undefined } | undefined;
}

/** Everything that the engine, the window, and the command line need about a kind of event. */
export interface EventKind<Fact> {
  /** How its fact is stored and sent. Fields of stored events are never renamed or removed. */
  readonly schema: z.ZodType;
  /** "1 quality check", "2 changes of tags": how reports count it. */
  readonly counted: readonly [one: string, many?: string];
  /** Describes it in a few words, without long texts. */
  words(fact: Fact, context: EventContext): string;
  /** Its longer text, where it has one. */
  detail?(fact: Fact, context: EventContext): string | null;
  /** Applies the event to the review of a claim. */
  fold?(fold: ClaimFold, event: EventOf<Fact>): void;
  /** Whether it changes the review; absent: always. */
  isEffective?(review: FoldedReview, event: EventOf<Fact>): boolean;
  /** It is about a computer of a team or its settings, not a claim, so it stays when claims are removed. */
  readonly isOfTeam?: true;
  /** Its effect depends on its position in the team's log, and on which events its author had seen. */
  readonly isPlaced?: true;
  /** It sets values of the claim's review, so a repetition by its author is not recorded (`isRepeated`). */
  readonly setsValues?: true;
  /** It is allowed even if a newer version made an entry about the claim. */
  readonly decidesNothing?: true;
  /** It makes or changes a reimbursement run. */
  readonly isOfRun?: true;
  /**
   * How a checkpoint of a team's log keeps events of one claim: `each`, or only the `newest`. A claim that has an event
   * of a kind without this keeps all of its events, because the effect of that event depends on those before it.
   */
  readonly inCheckpoint?: 'each' | 'newest';
}

/** The inputs that a command asks for if its key is not enough. */
export type ReviewQuestion =
  | 'partlyEligible'
  | 'notEligible'
  | 'waiting'
  | 'escalated'
  | 'disagree'
  | 'note'
  | 'tags'
  | 'owner'
  | 'reminder'
  | 'payment';

/** A command on a claim with its key. `goesOn`: the next claim of the list is shown after it. */
export interface ActCommand<Fact> {
  readonly key: string;
  readonly label: string;
  readonly goesOn: boolean;
  /** Where menus show it; `second`: on a claim of the quality check; `inTeam`: only in a team. */
  readonly group: 'outcome' | 'decline' | 'proposal' | 'state' | 'keep' | 'detail' | 'second' | 'inTeam';
  readonly does:
    | { readonly act: Fact }
    | { readonly asks: ReviewQuestion }
    | { readonly toggles: 'flag' }
    /** Makes this user the owner. */
    | { readonly takes: true };
}

/** The options of `claimdesk review set`, as typed. */
interface ActOptions {
  readonly state?: Decision['state'] | undefined;
  readonly outcome?: ReviewOutcome | undefined;
  readonly 'on-whom'?: string | undefined;
  readonly reason?: string | undefined;
  readonly cause?: string | undefined;
  /** How much of a partly eligible claim is eligible, by one of several options. */
  readonly partly?: PartlyEligible | null;
  readonly owner?: string | undefined;
  readonly tag?: string[] | undefined;
  readonly untag?: string[] | undefined;
  readonly flag?: boolean | undefined;
  readonly unflag?: boolean | undefined;
  /** The reminder of the decision, if it has one. */
  readonly reminder?: string | undefined;
}

/** An act on claims; it is the same for one claim and for many. */
export interface ActKind<Fact> extends EventKind<Fact> {
  readonly isOfOneClaim?: true;
  /** Whether it is also possible on a member. */
  readonly isOfMember?: true;
  /** Whether the claim is decided or paid after it, so that work on it may be done. */
  readonly finishes?: 'decided' | 'paid';
  /** Makes it from the file that it is about; only the engine does. */
  readonly isOfFile?: true;
  /** Whether it makes something whose ID is that of its event, so that a window shows it only once it is saved. */
  readonly isShownSaved?: true;
  /** The texts in it that privacy mode masks. */
  readonly texts?: readonly (keyof Fact & string)[];
  /** The decision that it makes for its claim; null: none. */
  decision?(fact: Fact): Decision | null;
  /** The ID of the event that it edits or deletes. */
  target?(fact: Fact): string;
  /** Returns the code of the error if the fact lacks a value, or has one that is not allowed; null: neither. */
  refuse?(fact: Fact, today: string): 'review.incomplete' | 'usage.invalid' | 'review.badPayment' | null;
  /** Returns the same for an act on a claim with this review, or without one. */
  refuseOn?(
    fact: Fact,
    review: FoldedReview | undefined,
    by: { readonly author: string; readonly isInTeam: boolean },
  ):
    | 'note.unknown'
    | 'review.notYours'
    | 'review.notToCheck'
    | 'appeal.unknown'
    | 'appeal.decidedByYou'
    | 'usage.invalid'
    | null;
  /** The cells of its claim's row that it changes, with their new values. */
  cells?(fact: Fact): Readonly<Record<string, Cell>>;
  readonly commands?: readonly ActCommand<Fact>[];
  /** Makes the act from options of the command line; null: none. */
  ofOptions?(options: ActOptions): Fact | null;
}

type Of<Schema extends z.ZodType, Kind> = Omit<Kind, 'schema'> & { readonly schema: Schema };

export const eventKind = <Schema extends z.ZodType>(kind: Of<Schema, EventKind<z.infer<Schema>>>) => kind;
export const actKind = <Schema extends z.ZodType>(kind: Of<Schema, ActKind<z.infer<Schema>>>) => kind;
