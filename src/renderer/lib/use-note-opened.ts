import { useEffect } from 'react';
import type { Input } from '../../contract/procedures.ts';
import { useBridge } from './desk-context.tsx';
import { ask } from './desk-error.ts';

/** Records that a record is on screen, because it may have been fetched ahead of being opened. */
export function useNoteOpened(
  workspaceId: string,
  list: Input<'records:noteOpened'>['list'],
  id: number | undefined,
): void {
  const bridge = useBridge();
  useEffect(() => {
    if (id !== undefined) {
      // A failure is in the engine's log.
      ask(bridge, 'records:noteOpened', { workspaceId, list, id }).catch(() => undefined);
    }
  }, [bridge, workspaceId, list, id]);
}
