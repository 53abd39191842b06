import { IconArrowsMaximize } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { IconButton } from '../../components/icon-button.tsx';
import { BackButton } from '../../components/record-nav.tsx';
import { usePane } from '../../lib/pane.ts';
import { useSingleKeys } from '../../lib/use-single-keys.ts';
import { type ListRef, listRouteOf } from './list-ref.ts';

/** The way back to the list that a record was opened from; beside the list, the way to the whole page. */
export function LeaveRecord({ from, usual }: { from: ListRef; usual: Parameters<typeof listRouteOf>[1] }) {
  const navigate = useNavigate();
  const pane = usePane();
  if (pane !== null) return <LeavePane onLeave={pane.leave} onOpenPage={pane.openPage} />;
  const back = listRouteOf(from.list, usual);
  return <BackButton label={back.label} onBack={() => void navigate(back.to)} />;
}

function LeavePane({ onLeave, onOpenPage }: { onLeave: () => void; onOpenPage: () => void }) {
  useSingleKeys({ Escape: onLeave });
  return (
    <IconButton
      label="Open full page"
      title="Open full page"
      icon={<IconArrowsMaximize size={16} aria-hidden />}
      onClick={onOpenPage}
    />
  );
}
