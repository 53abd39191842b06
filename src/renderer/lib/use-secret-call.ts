import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input, Output, ProcedureName } from '../../contract/procedures.ts';
import { useBridge } from './desk-context.tsx';
import { ask } from './desk-error.ts';
import type { InWorkspace, WorkspaceProcedure } from './desk-query.ts';
import { domainOf, keyPrefixes } from './query-keys.ts';
import { useWorkspace } from './workspace-context.tsx';

const idle = { isPending: false, error: null as unknown };

/**
 * Runs work whose input must not be kept: a password, a code, a secret key. A mutation of the query cache would hold
 * its variables for minutes; this keeps only whether it runs, and its error. `run` resolves to null where it failed.
 */
export function useSecretWork() {
  const [state, setState] = useState(idle);
  const run = async <T>(work: () => Promise<T>): Promise<T | null> => {
    setState({ isPending: true, error: null });
    try {
      const value = await work();
      setState(idle);
      return value;
    } catch (error) {
      setState({ isPending: false, error });
      return null;
    }
  };
  return { ...state, run, reset: () => setState(idle) };
}

/** Makes a call with such an input; the answers of its domain are fetched again afterwards. */
export function useSecretCall<P extends ProcedureName>(procedure: P) {
  const bridge = useBridge();
  const cache = useQueryClient();
  const { run, ...state } = useSecretWork();
  const call = async (input: Input<P>): Promise<Output<P> | null> => {
    const value = await run(() => ask(bridge, procedure, input));
    if (value !== null) await cache.invalidateQueries({ queryKey: keyPrefixes.domain(domainOf(procedure)) });
    return value;
  };
  return { ...state, call };
}

/** Makes such a call in the open workspace. */
export function useWorkspaceSecret<P extends WorkspaceProcedure>(procedure: P) {
  const { id: workspaceId } = useWorkspace();
  const { call, ...state } = useSecretCall(procedure);
  return { ...state, call: (input: InWorkspace<P>) => call({ ...input, workspaceId } as Input<P>) };
}

/** Asks where to save a file and calls `write` to write it there; `saved` is the result of `write`, with the path. */
export function useSaveFile<Made>(target: Input<'files:chooseSaveTarget'>) {
  const bridge = useBridge();
  const { run, ...state } = useSecretWork();
  const [saved, setSaved] = useState<(Made & { displayPath: string }) | null>(null);
  const save = (write: (targetId: string) => Promise<Made>) =>
    run(async () => {
      setSaved(null);
      const chosen = await ask(bridge, 'files:chooseSaveTarget', target);
      if (chosen === null) return;
      setSaved({ displayPath: chosen.displayPath, ...(await write(chosen.targetId)) });
    });
  return { ...state, saved, save };
}
