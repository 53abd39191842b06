import { z } from 'zod';
import { type ChainRelation, chainRelations } from '../../money/chain-claim.ts';
import { applyDecision } from '../apply-decision.ts';
import type { Decision } from '../decision.ts';
import { actKind } from '../event-kind.ts';
import type { EventOf } from '../folded-review.ts';
import { decide } from './decision.ts';

const relationLabels: Readonly<Record<ChainRelation, string>> = {
  replaces: 'Replaces',
  addsTo: 'Adds to',
  unrelated: 'Unrelated to',
};

const schema = z.object({
  kind: z.literal('judgeDuplicate'),
  otherClaimId: z.int(),
  isDuplicate: z.boolean(),
  /** The same act also sets this claim to done, as a duplicate; only with `isDuplicate`. */
  isDone: z.boolean().optional(),
  /** How this claim relates to the other one, which shares its number: it outweighs the claims' values. */
  relation: z.enum(chainRelations).optional(),
});
type JudgedDuplicate = z.infer<typeof schema>;

const decision = ({ isDuplicate, isDone }: JudgedDuplicate): Decision | null =>
  isDuplicate && isDone === true ? decide('done', 'duplicate') : null;

/** Returns whether an event is stored for the other claim of the pair; it decides only the claim that was judged. */
export const isOfOther = ({
  fact,
  detail,
}: Pick<EventOf<Pick<JudgedDuplicate, 'otherClaimId'>>, 'fact' | 'detail'>): boolean =>
  (detail?.otherClaimId ?? fact.otherClaimId) !== fact.otherClaimId;

export const judgeDuplicate = actKind({
  /** About this claim and another one. */
  schema,
  counted: ['checked duplicate'],
  words({ otherClaimId, isDuplicate, relation }) {
    const verdict = isDuplicate ? 'Duplicate of' : 'Not a duplicate of';
    return `${relation === undefined ? verdict : relationLabels[relation]} claim ${otherClaimId}`;
  },
  fold(fold, event) {
    const { review } = fold;
    const { fact, detail, at, id } = event;
    const isOther = isOfOther(event);
    const decided = isOther ? null : decision(fact);
    if (decided !== null) applyDecision(fold, event, decided);
    const otherClaimId = detail?.otherClaimId ?? fact.otherClaimId;
    review.duplicates = [
      ...review.duplicates.filter((duplicate) => duplicate.otherClaimId !== otherClaimId),
      {
        otherClaimId,
        isDuplicate: fact.isDuplicate,
        isMarked: fact.isDuplicate && !isOther,
        at,
        fingerprint: detail?.fingerprint ?? null,
        relation: fact.relation === undefined ? null : { relation: fact.relation, isOfThis: !isOther },
        eventId: id,
      },
    ];
  },
  decision,
  isOfOneClaim: true,
  finishes: 'decided',
  isPlaced: true,
});
