import { z } from 'zod';
import { type Condition, conditionSchema } from '../query.ts';
import { decisionSchema, shortText } from './decision.ts';

/** The act of a rule on one claim: the same facts as a user's act. */
const markedActSchema = z.discriminatedUnion('kind', [
  decisionSchema,
  z.object({ kind: z.literal('tag'), add: z.array(shortText).max(50), remove: z.array(shortText).max(50) }),
  z.object({ kind: z.literal('owner'), owner: shortText }),
]);
export type MarkedAct = z.infer<typeof markedActSchema>;

/** Stored with a claim whose proposal was accepted, or that a rule decided. Newer versions may write more. */
export const ruleMarkSchema = z.looseObject({
  id: z.uuid(),
  version: z.int().min(1),
  name: z.string().max(80),
  /** Who switched it on, who confirmed that it decides, and when. */
  by: z.string().max(320),
  confirmedBy: z.string().max(320).nullable(),
  since: z.string().max(40),
  conditions: z.array(conditionSchema).max(20),
  act: markedActSchema,
  /** The open amount of the claim then, in ten-thousandths of a dollar. */
  open: z.int(),
  /** The percentage of its decisions that go to Second look. */
  secondLook: z.int().min(0).max(100),
});
export type RuleMark = z.infer<typeof ruleMarkSchema>;

/** The most characters of conditions that are stored with every claim; longer ones are read from the rule of that version. */
const maxMarked = 1_000;
export const toMarkedConditions = (conditions: readonly Condition[]): Condition[] =>
  JSON.stringify(conditions).length > maxMarked ? [] : [...conditions];

/**
 * Returns the part of a mark that is equal on computers that apply a rule equally, for comparison: each counts the
 * reminder from its own day, and the open amount may lag behind.
 */
export const sharedOfMark = ({
  id,
  version,
  by,
  confirmedBy,
  since,
  conditions,
  act,
  secondLook,
}: Pick<
  RuleMark,
  'id' | 'version' | 'by' | 'confirmedBy' | 'since' | 'conditions' | 'act' | 'secondLook'
>) => ({
  ...{ id, version, by, confirmedBy, since, secondLook },
  conditions: toMarkedConditions(conditions),
  act: act.kind === 'decision' ? { ...act, reminder: null } : act,
});

/** `taken`: a user accepted the rule's proposal. `done`: the rule decided after a sync. */
export const ruleModes = ['taken', 'done'] as const;
export type RuleMode = (typeof ruleModes)[number];
