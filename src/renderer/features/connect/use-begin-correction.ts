import { useEffect, useState } from 'react';
import { useBridge } from '../../lib/desk-context.tsx';
import { ask } from '../../lib/desk-error.ts';

interface Begun {
  readonly isPending: boolean;
  /** null: unknown here. */
  readonly username: string | null;
  readonly error: unknown;
}

const pending: Begun = { isPending: true, username: null, error: null };

/**
 * Reads a connection once for its correction, with its current username. The username is kept in this component
 * alone: a query's answer would stay in memory for minutes. Changes of the connection arrive by `connect:changed`.
 */
export function useBeginCorrection(workspaceId: string, policyHolderId: number): Begun {
  const bridge = useBridge();
  const [begun, setBegun] = useState<Begun>(pending);
  useEffect(() => {
    let isLeft = false;
    setBegun(pending);
    ask(bridge, 'connect:beginCorrection', { workspaceId, policyHolderId }).then(
      ({ username }) => {
        if (!isLeft) setBegun({ isPending: false, username, error: null });
      },
      (error: unknown) => {
        if (!isLeft) setBegun({ isPending: false, username: null, error });
      },
    );
    return () => {
      isLeft = true;
    };
  }, [bridge, workspaceId, policyHolderId]);
  return begun;
}
