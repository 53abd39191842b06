import { Text } from '@mantine/core';
import { formatCountOf } from '../../../rules/count.ts';
import { ConfirmButton } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWorkspaceMutation } from '../../lib/desk-query.ts';
import { showNotice } from '../../lib/notice.ts';

/** Shows acts done here that did not reach the team before the role became reader; they can be undone. */
export function HeldActs({ held }: { held: number }) {
  const undo = useWorkspaceMutation('team:undoHeld');
  const acts = formatCountOf(held, 'act');
  const undoAll = async () => {
    const { undone, left } = await undo.mutateAsync({});
    showNotice('review', {
      title: `Undid ${formatCountOf(undone, 'act')}`,
      message:
        left === 0
          ? 'The reviews here are those of the team.'
          : `${left} left: later steps of a run depend on them.`,
    });
  };
  return (
    <Notice tone="caution" title={`${acts} on this computer can’t be sent`}>
      <Text size="sm">
        You did this before your role in the team became reader, and it had not been sent. It counts only on
        this computer. Ask an admin for another role to send it, or undo it here.
      </Text>
      <ConfirmButton
        label="Undo unsent acts…"
        button={{ size: 'compact-sm' }}
        title="Undo unsent acts?"
        action={`Undo ${acts}`}
        isDestructive
        errorTitle="Couldn’t undo the acts"
        onConfirm={undoAll}
      >
        <Text size="sm">
          Decisions, notes, and payments that only this computer has no longer count. They stay in the history
          of each claim.
        </Text>
      </ConfirmButton>
    </Notice>
  );
}
