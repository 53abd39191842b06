import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { ClaimRecord } from '../../../contract/records.ts';
import { formatTenThousandths } from '../../../rules/money/dollars.ts';
import { sayEligible } from '../../../rules/money/eligible.ts';
import { rulesOf, serviceOf } from '../../../rules/money/reimbursement.ts';
import { decide } from '../../../rules/review/acts/decision.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';
import { Form } from '../../components/form.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { useWorkspaceSettings } from '../workspace/use-workspace-settings.ts';
import { CauseField } from './cause-field.tsx';
import styles from './outcome-form.module.css';
import { PartlyAmount } from './partly-amount.tsx';
import { findProblem, findWhole, limitOf, type PartlyDraft, readDraft, startDraft } from './partly-draft.ts';
import type { AskedOutcome } from './review-commands.ts';

interface OutcomeFormProps {
  workspaceId: string;
  review: ClaimReview;
  outcome: AskedOutcome;
  onAct: (act: ReviewAct) => void;
  onClose: () => void;
}

/**
 * Asks how much of one claim is eligible, and why the rest is not. It starts with the amount by the rules, of which
 * something has to be declined; Enter saves and Escape closes the form.
 */
export function OutcomeForm(props: OutcomeFormProps) {
  const { workspaceId, review, outcome } = props;
  const claim = useDeskQuery('records:getClaim', { workspaceId, id: review.claimId });
  // The form needs the claim's lines, so it waits for them.
  if (outcome === 'partlyEligible' && claim.isPending) return null;
  return <Fields {...props} claim={claim.data?.claim} />;
}

function Fields(props: OutcomeFormProps & { claim: ClaimRecord | undefined }) {
  const { review, outcome, claim, onAct, onClose } = props;
  const workspace = useWorkspace();
  const { reimbursementRules } = useWorkspaceSettings(workspace).settings;
  const service = serviceOf(workspace);
  const employerId = claim?.members?.find(({ employer }) => typeof employer?.id === 'number')?.employer?.id;
  const [draft, setDraft] = useState<PartlyDraft>(() =>
    startDraft(review, claim, rulesOf(reimbursementRules, service, employerId ?? null)),
  );
  const [cause, setCause] = useState(review.outcome === outcome ? (review.cause ?? '') : '');
  const [isRefused, setIsRefused] = useState(false);
  const isPartly = outcome === 'partlyEligible';
  const limit = limitOf(review, claim);
  const problem = isPartly ? (findProblem(draft, limit) ?? findWhole(draft, review.byRules)) : null;
  const save = () => {
    const read = isPartly ? readDraft(draft) : null;
    setIsRefused(problem !== null);
    if (problem !== null || (isPartly && read === null)) return;
    onAct({
      ...decide('done', outcome),
      ...(read === null ? {} : { partly: read.partly }),
      ...(cause.trim() === '' ? {} : { cause: cause.trim() }),
    });
  };
  return (
    <Form
      className={styles.form}
      aria-label={outcomeLabels[outcome]}
      onSubmit={save}
      onKeyDown={(event) => {
        const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
        // Letters and digits typed here must not trigger the shortcuts of the claim or its list.
        if (isPlain && (event.key.length === 1 || event.key === 'Escape')) event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
      gap={null}
    >
      {isPartly && <PartlyAmount review={review} claim={claim} draft={draft} onDraft={setDraft} />}
      {isPartly && review.basis !== null && (
        <SmallPrint>{sayEligible(review.basis, formatTenThousandths)}</SmallPrint>
      )}
      <CauseField
        size="xs"
        label={isPartly ? 'Reason for the rest (optional)' : 'Reason (optional)'}
        hasFocus={!isPartly}
        value={cause}
        onChange={setCause}
      />
      {isRefused && problem !== null && (
        <Text size="xs" role="alert" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      <div className={styles.end}>
        <Button size="compact-xs" variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="compact-xs">
          Save
        </Button>
      </div>
    </Form>
  );
}
