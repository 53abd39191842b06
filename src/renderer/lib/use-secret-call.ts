import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, Output, ProcedureName } from '../../contract/procedures.ts';
import { useBridge } from './desk-context.tsx';
import { ask } from './desk-error.ts';
import { domainOf, keyPrefixes } from './query-keys.ts';

/**
 * A call whose input must not be kept: a password, a code, a secret key. A mutation of the query cache would hold its
 * variables for minutes; this keeps only whether it runs and its error.
 */
export function useSecretCall<P extends ProcedureName>(procedure: P) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const [state, setState] = useState<{ isPending: boolean; error: unknown }>({
    isPending: false,
    error: null,
  });
  /** null: it failed, and `error` says why. */
  const call = async (input: Input<P>): Promise<Output<P> | null> => {
    setState({ isPending: true, error: null });
    try {
      const value = await ask(bridge, procedure, input);
      setState({ isPending: false, error: null });
      await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domainOf(procedure)) });
      return value;
    } catch (error) {
      setState({ isPending: false, error });
      return null;
    }
  };
  return { ...state, call, reset: () => setState({ isPending: false, error: null }) };
}
