import { Modal } from '@mantine/core';
import type { ReviewAct } from '../../../contract/review.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { outcomeLabels } from '../../lib/review-labels.ts';
import { OutcomeForm } from './outcome-form.tsx';
import type { AskedOutcome } from './review-commands.ts';
import { PaymentForm } from './review-payments.tsx';
import { useReview } from './use-review.ts';

/** What is asked about one claim of a list: a payment, or what an outcome asks. */
export interface AskedOfClaim {
  readonly claimId: number;
  readonly asks: 'payment' | AskedOutcome;
}

interface ClaimDialogProps {
  workspaceId: string;
  /** Null: closed. */
  asked: AskedOfClaim | null;
  onAct: (act: ReviewAct) => void;
  onClose: () => void;
}

/** Asks about one claim of a list. Open from the key press on, so that what is typed next decides no other claim. */
export function ClaimDialog(props: ClaimDialogProps) {
  const { asked, onClose } = props;
  const what = asked === null || asked.asks === 'payment' ? 'Payment' : outcomeLabels[asked.asks];
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={asked === null ? '' : `${what}: claim ${asked.claimId}`}
      size="md"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {asked !== null && <OfClaim {...props} asked={asked} />}
    </Modal>
  );
}

function OfClaim({ workspaceId, asked, onAct, onClose }: ClaimDialogProps & { asked: AskedOfClaim }) {
  const { review, error } = useReview(workspaceId, asked.claimId);
  if (review === undefined)
    return error === null ? null : <ErrorNotice error={error} title="Couldn’t open the review" />;
  if (asked.asks === 'payment')
    return <PaymentForm workspaceId={workspaceId} review={review} onClose={onClose} />;
  return (
    <OutcomeForm
      workspaceId={workspaceId}
      review={review}
      outcome={asked.asks}
      onAct={onAct}
      onClose={onClose}
    />
  );
}
