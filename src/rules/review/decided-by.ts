import { isDay } from '../days.ts';
import type { Condition } from '../query.ts';
import { type ReviewOutcome, reviewOutcomes } from './decision.ts';
import { outcomeLabels } from './review-labels.ts';

/** The field for filtering claims by what one author decided in a period; it has no column. */
export const decidedByField = 'review.decided_by';

/** Claims that one author decided, with any or one outcome, and what happened to them afterwards. */
export const decidedKinds = ['decided', ...reviewOutcomes, 'reopened', 'checked', 'disagreed'] as const;
export type DecidedKind = (typeof decidedKinds)[number];

/** The author of a decision. `isVerified` false: only a file names the author. */
interface Author {
  readonly email: string;
  readonly isVerified: boolean;
}

export interface DecidedBy {
  readonly kind: DecidedKind;
  /** The first and the last day, both included; local days, `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
  /** Null: any author. */
  readonly author: Author | null;
}

/** `reopened 2026-11-01/2026-11-24 by ben@acme.example`, as the value of a filter. */
function writeDecidedBy({ kind, first, last, author }: DecidedBy): string {
  const authorText = author === null ? '' : ` ${author.isVerified ? 'by' : 'unverified'} ${author.email}`;
  return `${kind} ${first}/${last}${authorText}`;
}

/** Reads what `writeDecidedBy` wrote; null for anything else. */
export function readDecidedBy(text: string): DecidedBy | null {
  const match = /^(\w+) (\S{10})\/(\S{10})(?: (by|unverified) (.+))?$/s.exec(text);
  const [, word, first = '', last = '', verification, email] = match ?? [];
  const kind = decidedKinds.find((decidedKind) => decidedKind === word);
  if (kind === undefined || !isDay(first) || !isDay(last)) return null;
  return {
    kind,
    first,
    last,
    author: email === undefined ? null : { email, isVerified: verification === 'by' },
  };
}

export const decidedByCondition = (decidedBy: DecidedBy): Condition => ({
  field: decidedByField,
  operator: 'is',
  values: [writeDecidedBy(decidedBy)],
});

/** An author as reports show them. */
export const sayAuthor = ({ email, isVerified }: Author): string =>
  isVerified ? email : `${email} (not verified)`;

const isOutcome = (kind: DecidedKind): kind is ReviewOutcome =>
  (reviewOutcomes as readonly string[]).includes(kind);

/** The filter as people read it: "Decided by ben@acme.example, 11/01/2026 – 11/24/2026: eligible". */
export function sayDecidedBy(text: string, formatDay: (day: string) => string): string {
  const read = readDecidedBy(text);
  if (read === null) return text;
  const { kind, first, last, author } = read;
  const days = first === last ? formatDay(first) : `${formatDay(first)} – ${formatDay(last)}`;
  const decided = `Decided by ${author === null ? 'anyone' : sayAuthor(author)}`;
  if (kind === 'decided') return `${decided}, ${days}`;
  if (isOutcome(kind)) return `${decided}, ${days}: ${outcomeLabels[kind].toLowerCase()}`;
  if (kind === 'reopened') return `${decided}, ${days}, reopened after that`;
  return `${decided}, ${kind === 'checked' ? 'quality check' : 'quality check disagreed'} ${days}`;
}
