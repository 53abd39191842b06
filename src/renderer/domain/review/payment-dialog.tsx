import { Modal } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PaymentForm } from './review-payments.tsx';
import { useReview } from './use-review.ts';

interface PaymentDialogProps {
  workspaceId: string;
  /** Null: closed. */
  claimId: number | null;
  onClose: () => void;
}

/** A payment of one claim of a list. Open from the key press on, so that what is typed next decides no other claim. */
export function PaymentDialog({ workspaceId, claimId, onClose }: PaymentDialogProps) {
  return (
    <Modal
      opened={claimId !== null}
      onClose={onClose}
      title={claimId === null ? '' : `Payment: claim ${claimId}`}
      size="md"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {claimId !== null && <OfClaim workspaceId={workspaceId} claimId={claimId} onClose={onClose} />}
    </Modal>
  );
}

function OfClaim({ workspaceId, claimId, onClose }: PaymentDialogProps & { claimId: number }) {
  const { review, error } = useReview(workspaceId, claimId);
  if (review !== undefined)
    return <PaymentForm workspaceId={workspaceId} review={review} onClose={onClose} />;
  return error === null ? null : <ErrorNotice error={error} title="Couldn’t open the review" />;
}
