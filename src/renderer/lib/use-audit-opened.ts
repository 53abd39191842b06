import { useEffect } from 'react';
import type { Input } from '../../contract/procedures.ts';
import { useAsk } from './desk-query.ts';

/** Records that a record is on screen, because it may have been fetched ahead of being opened. */
export function useAuditOpened(list: Input<'records:auditOpened'>['list'], id: number | undefined): void {
  const ask = useAsk();
  useEffect(() => {
    if (id !== undefined) {
      // A failure is in the engine's log.
      ask('records:auditOpened', { list, id }).catch(() => undefined);
    }
  }, [ask, list, id]);
}
