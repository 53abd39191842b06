import { z } from 'zod';
import { applyDecision } from '../apply-decision.ts';
import { actKind } from '../event-kind.ts';
import type { EventOf } from '../folded-review.ts';
import { ruleModes } from '../rule-mark.ts';
import { owner } from './owner.ts';
import { tag } from './tag.ts';

/** Returns whose decision an event is: if a rule decided by itself, that of whoever switched it on. */
const decidesAs = ({
  fact,
  author,
  detail,
}: Pick<EventOf<{ readonly kind: string; readonly how?: string }>, 'fact' | 'author' | 'detail'>): string =>
  fact.kind === 'byRule' && fact.how === 'done' ? (detail?.rule?.by ?? author) : author;

/** Applies what a rule proposes, or does, to a claim; the act is stored with each claim, because rules change. */
export const byRule = actKind({
  schema: z.object({
    kind: z.literal('byRule'),
    how: z.enum(ruleModes),
    /** The proposal that was shown; if another rule or version proposes something now, the claim is left out. */
    rule: z.object({ id: z.uuid(), version: z.int().min(1) }).optional(),
  }),
  counted: ['act by rules', 'acts by rules'],
  words: ({ how }) => (how === 'done' ? 'Decided by a rule' : 'Took proposal of a rule'),
  detail: (_fact, { rule = null }) => rule,
  isEffective: (_review, { detail }) => detail?.rule !== undefined,
  fold(fold, event) {
    const { fact, detail } = event;
    const rule = detail?.rule;
    if (rule === undefined) return;
    const { act } = rule;
    if (act.kind === 'tag') return tag.fold?.(fold, { ...event, fact: act });
    if (act.kind === 'owner') return owner.fold?.(fold, { ...event, fact: act });
    applyDecision(fold, { ...event, author: decidesAs(event) }, act);
    fold.review.rule = { ...rule, how: fact.how };
    const last = fold.review.decisions.at(-1);
    if (last !== undefined) last.rule = { eventId: event.id, how: fact.how };
  },
  /** Only the engine writes this for a rule that decided by itself. */
  refuse: ({ how }) => (how === 'done' ? 'usage.invalid' : null),
  commands: [
    {
      key: '.',
      label: 'Take proposal',
      goesOn: true,
      group: 'proposal',
      does: { act: { kind: 'byRule', how: 'taken' } },
    },
  ],
  finishes: 'decided',
  isShownSaved: true,
  isPlaced: true,
  inCheckpoint: 'each',
});
