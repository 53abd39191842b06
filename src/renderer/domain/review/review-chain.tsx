import { Group } from '@mantine/core';
import { missingAnswers } from '../../../rules/money/chain-claim.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import { missingAnswerLabels, sayChainRole } from '../../../rules/money/say-chain.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import { AnchorLink } from '../../components/links.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useSendAct } from './use-review.ts';

/** The answers that a claim waits for, each with its button. */
function answersOf({ role, by }: NonNullable<ClaimReview['chain']>): [label: string, act: ReviewAct][] {
  if (role === 'missing')
    return missingAnswers.map((answer) => [missingAnswerLabels[answer], { kind: 'missing', answer }]);
  if (role !== 'unclear' || by === null) return [];
  const judge = { kind: 'judgeDuplicate', otherClaimId: by, isDuplicate: false } as const;
  return [
    [`Replaces claim ${by}`, { ...judge, relation: 'replaces' }],
    [`Adds to claim ${by}`, { ...judge, relation: 'addsTo' }],
    [`Unrelated to claim ${by}`, { ...judge, relation: 'unrelated' }],
  ];
}

/** The role of a claim in its chain, the decisions and payments of the other claims, and the answers that it waits for. */
export function ReviewChain({ review: { claimId, chain } }: { review: ClaimReview }) {
  const { sendAndWait, isSending } = useSendAct();
  if (chain === null) return null;
  const answers = answersOf(chain);
  return (
    <section aria-label="Chain">
      <SmallPrint>{sayChainRole(chain)}</SmallPrint>
      {chain.claims.map((member) => (
        <SmallPrint key={member.claimId}>
          <AnchorLink to="/claims/$claimId" params={{ claimId: member.claimId }} search={{}}>
            Claim {member.claimId}
          </AnchorLink>
          : {member.outcome === null ? 'not decided' : outcomeLabels[member.outcome]}
          {member.reimbursed !== 0 && `, ${formatTenThousandths(member.reimbursed)} reimbursed`}
          {member.isShown && ', shows the balance of the chain'}
        </SmallPrint>
      ))}
      {answers.length > 0 && (
        <Group gap={6} mt={6}>
          {answers.map(([label, act]) => (
            <SmallButton
              key={label}
              disabled={isSending}
              onClick={() => sendAndWait(claimId, act).catch(() => undefined)}
            >
              {label}
            </SmallButton>
          ))}
        </Group>
      )}
    </section>
  );
}
