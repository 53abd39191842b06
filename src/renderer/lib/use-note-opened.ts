import { useEffect } from 'react';
import type { Input } from '../../contract/procedures.ts';
import { useBridge } from './desk-context.tsx';
import { ask } from './desk-error.ts';

/** Has it written down that a record is on screen, which may have been fetched ahead. */
export function useNoteOpened(
  workspaceId: string,
  list: Input<'records:noteOpened'>['list'],
  id: number | undefined,
): void {
  const bridge = useBridge();
  useEffect(() => {
    if (id !== undefined) {
      // What keeps it from being written is in the engine's log.
      ask(bridge, 'records:noteOpened', { workspaceId, list, id }).catch(() => undefined);
    }
  }, [bridge, workspaceId, list, id]);
}
