import { z } from 'zod';
import { accept } from './acts/accept.ts';
import { answerAppeal } from './acts/answer-appeal.ts';
import { appeal } from './acts/appeal.ts';
import { byRule } from './acts/by-rule.ts';
import { check } from './acts/check.ts';
import { computer } from './acts/computer.ts';
import { deal } from './acts/deal.ts';
import { decision } from './acts/decision.ts';
import { deleteNote } from './acts/delete-note.ts';
import { document } from './acts/document.ts';
import { editNote } from './acts/edit-note.ts';
import { flag } from './acts/flag.ts';
import { isOfOther, judgeDuplicate } from './acts/judge-duplicate.ts';
import { letter } from './acts/letter.ts';
import { missing } from './acts/missing.ts';
import { note } from './acts/note.ts';
import { owner } from './acts/owner.ts';
import { payment } from './acts/payment.ts';
import { reminder } from './acts/reminder.ts';
import { reopened } from './acts/reopened.ts';
import { run } from './acts/run.ts';
import { runChecked } from './acts/run-checked.ts';
import { runLeft } from './acts/run-left.ts';
import { runSent } from './acts/run-sent.ts';
import { settlePayments } from './acts/settle-payments.ts';
import { substantiate } from './acts/substantiate.ts';
import { tag } from './acts/tag.ts';
import { teamSettings } from './acts/team-settings.ts';
import { undo } from './acts/undo.ts';
import { wentBack } from './acts/went-back.ts';
import type { Decision } from './decision.ts';
import type { ActKind, EventKind } from './event-kind.ts';
import type { EventOf } from './folded-review.ts';

/** Acts on claims. The window's commands are in this order. */
const acts = {
  decision,
  byRule,
  accept,
  check,
  flag,
  note,
  editNote,
  deleteNote,
  tag,
  owner,
  reminder,
  payment,
  judgeDuplicate,
  missing,
  settlePayments,
  letter,
  appeal,
  answerAppeal,
  document,
  substantiate,
};

/** The events about no claim that computers of a team exchange besides reviews. */
const teamFacts = { teamSettings, computer, wentBack };

/** Every kind of event: acts, their undoing, and changes of a claim since its review. */
const kinds = { ...acts, ...teamFacts, deal, run, runChecked, runSent, runLeft, undo, reopened };

type Kinds = typeof kinds;
type SchemaOf<Table extends Readonly<Record<string, { readonly schema: z.core.$ZodTypeDiscriminable }>>> =
  Table[keyof Table]['schema'];
const unionOf = <Table extends Readonly<Record<string, { readonly schema: z.core.$ZodTypeDiscriminable }>>>(
  table: Table,
) => {
  type Schema = SchemaOf<Table>;
  const schemas = Object.values(table).map(({ schema }) => schema) as [Schema, ...Schema[]];
  return z.discriminatedUnion('kind', schemas);
};

export const reviewActSchema = unionOf(acts);
export type ReviewAct = z.infer<typeof reviewActSchema>;
export type TeamFact = z.infer<SchemaOf<typeof teamFacts>>;
export const reviewFactSchema = unionOf(kinds);
export type ReviewFact = z.infer<typeof reviewFactSchema>;

const everyKind: Readonly<Record<string, EventKind<never> | undefined>> = kinds satisfies {
  [Kind in ReviewFact['kind']]: { readonly schema: z.ZodType<{ kind: Kind }> };
};
/** Acts by their name; the functions of each accept only acts of its kind. */
const everyAct = acts as unknown as Readonly<Record<string, ActKind<ReviewAct> | undefined>>;

export const kindOf = <Fact extends { readonly kind: keyof Kinds }>({ kind }: Fact) =>
  kinds[kind] as unknown as EventKind<Fact>;
export const actOf = <Act extends { readonly kind: keyof typeof acts }>({ kind }: Act) =>
  acts[kind] as unknown as ActKind<Act>;
/** Returns a kind by its name; undefined: only a newer version has it, or it is not an act. */
export const findKind = (kind: string): EventKind<never> | undefined => everyKind[kind];
export const findAct = (kind: string): ActKind<ReviewAct> | undefined => everyAct[kind];
export const allActs = Object.values(everyAct).filter((act) => act !== undefined);

/** Returns the decision that a fact makes for its claim; null: none. */
export const decisionOf = (fact: ReviewFact): Decision | null =>
  findAct(fact.kind)?.decision?.(fact as ReviewAct) ?? null;

/**
 * Returns the decision of an event for its claim. A judged duplicate is stored for both claims, but decides only the
 * judged one; the decision of a rule is stored with each claim.
 */
export const readDecision = (event: Pick<EventOf<ReviewFact>, 'fact' | 'detail'>): Decision | null => {
  const { fact, detail } = event;
  if (fact.kind === 'byRule') return detail?.rule?.act.kind === 'decision' ? detail.rule.act : null;
  return fact.kind === 'judgeDuplicate' && isOfOther({ fact, detail }) ? null : decisionOf(fact);
};

const kindsWith = (trait: 'isOfTeam' | 'isPlaced' | 'isOfRun'): readonly string[] =>
  Object.keys(kinds).filter((kind) => everyKind[kind]?.[trait] === true);

export const teamFactKinds = kindsWith('isOfTeam');
export const placedKinds = kindsWith('isPlaced');
export const runFactKinds = kindsWith('isOfRun');

/** The author of reopenings by version 0.2; later ones have as author whoever's computer found the change. */
export const appAuthor = 'Claimdesk';

/** Kinds as a list of SQL. */
export const kindsSql = (names: readonly string[]): string => names.map((kind) => `'${kind}'`).join(', ');
