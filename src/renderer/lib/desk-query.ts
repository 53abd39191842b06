import {
  keepPreviousData,
  QueryClient,
  type QueryKey,
  QueryObserver,
  queryOptions,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import type { DeskBridge } from '../../contract/bridge.ts';
import type { Input, Output, ProcedureName } from '../../contract/procedures.ts';
import { useBridge } from './desk-context.tsx';
import { ask } from './desk-error.ts';
import { domainOf, keyOf, keyPrefixes } from './query-keys.ts';
import { useOpenWorkspace, useWorkspace } from './workspace-context.tsx';

/** Answers come from this computer: no retries, no refetch on focus, and a missing network is no obstacle. */
export const createDeskCache = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });

/** The domain of answers about the shown list, such as its groups: events make the list outdated, but not these. */
const listDomain = 'list';

const domainsWithRecords: ReadonlySet<unknown> = new Set([
  'records',
  'once records',
  listDomain,
  'reviews',
  'runs',
  'rules',
  'worklists',
  'accumulators',
  'duplicates',
  'sync',
  'connect',
  'palette',
  'walk',
]);

/** Drops answers with records and requests those on screen again: what may be shown has changed. */
export const forgetRecords = (cache: QueryClient): Promise<void> =>
  cache.resetQueries({ predicate: ({ queryKey: [domain] }) => domainsWithRecords.has(domain) });

/** How long records stay in the cache: short, because fetching one again takes almost no time. */
const recordsKeptMs = 10_000;

export const deskQuery = <P extends ProcedureName>(bridge: DeskBridge, procedure: P, input: Input<P>) =>
  queryOptions({
    queryKey: keyOf(procedure, input) as QueryKey,
    queryFn: (): Promise<Output<P>> => ask(bridge, procedure, input),
    // A walk through a list would keep six answers of each claim for a minute.
    ...(domainOf(procedure) === 'records' || 'claimId' in input ? { gcTime: recordsKeptMs } : {}),
  });

/** Fetches an answer ahead, and keeps it until the returned function is called. */
export function fetchAhead<T>(
  cache: QueryClient,
  query: Pick<UseQueryOptions<T>, 'queryKey' | 'queryFn' | 'gcTime'>,
): () => void {
  void cache.prefetchQuery(query);
  return new QueryObserver(cache, { ...query, enabled: false }).subscribe(() => undefined);
}

interface QueryOptions {
  readonly enabled?: boolean;
  readonly keepsPrevious?: boolean;
  /** Reads again each time after this, for values that no event reports. */
  readonly everyMs?: number;
  /** Reads again each time that it is shown, with the last answer until then, for values that no event makes outdated. */
  readonly isReadAgain?: boolean;
  /** Reads once for each time that it is shown, and keeps nothing: no event makes the answer outdated. */
  readonly isOnce?: boolean;
}

export function useDeskQuery<P extends ProcedureName>(
  procedure: P,
  input: Input<P>,
  options: QueryOptions = {},
) {
  const base = deskQuery(useBridge(), procedure, input);
  const queryKey: QueryKey = options.isOnce
    ? [`once ${domainOf(procedure)}`, ...base.queryKey]
    : base.queryKey;
  return useQuery({
    ...base,
    ...(options.isOnce ? { gcTime: 0 } : {}),
    ...(options.isReadAgain ? { staleTime: 0 } : {}),
    queryKey,
    enabled: options.enabled ?? true,
    ...(options.everyMs === undefined ? {} : { refetchInterval: options.everyMs }),
    ...(options.keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

type Without<T> = T extends unknown ? Omit<T, 'workspaceId'> : never;
export type WorkspaceProcedure = {
  [P in ProcedureName]: Input<P> extends { workspaceId: string } ? P : never;
}[ProcedureName];
/** The input of a procedure besides the workspace. */
export type InWorkspace<P extends WorkspaceProcedure> = Without<Input<P>>;
type QueryArguments<P extends WorkspaceProcedure> =
  Record<never, never> extends InWorkspace<P>
    ? [input?: InWorkspace<P>, options?: QueryOptions]
    : [input: InWorkspace<P>, options?: QueryOptions];

/** A query in the open workspace; it waits where there is none. */
export function useWorkspaceQuery<P extends WorkspaceProcedure>(
  procedure: P,
  ...[input, options]: QueryArguments<P>
) {
  const workspaceId = useOpenWorkspace()?.id;
  const enabled = workspaceId !== undefined && options?.enabled !== false;
  return useDeskQuery(procedure, { ...input, workspaceId } as Input<P>, { ...options, enabled });
}

/**
 * A request for something that is shown with a list, such as its groups: once for each time the list is made, so that
 * both show the same state. Null: the list is not made yet.
 */
const listQuery = <P extends ProcedureName>(
  bridge: DeskBridge,
  procedure: P,
  input: Input<P>,
  snapshotId: string | null,
) =>
  queryOptions({
    queryKey: [listDomain, snapshotId, ...keyOf(procedure, input)],
    queryFn: (): Promise<Output<P>> => ask(bridge, procedure, input),
    enabled: snapshotId !== null,
    gcTime: recordsKeptMs,
  });

/** Sends such a request; while the list is being made, the previous answer stays. */
export function useListQuery<P extends ProcedureName>(
  procedure: P,
  input: Input<P>,
  snapshotId: string | null,
) {
  const base = listQuery(useBridge(), procedure, input, snapshotId);
  return useQuery({ ...base, placeholderData: keepPreviousData });
}

/** Makes a change that the user requested; the answers of its domain are fetched again afterwards. */
export const useDeskMutation = <P extends ProcedureName>(procedure: P) =>
  useChange(procedure, (input: Input<P>) => input);

/** Makes a change in the open workspace. */
export function useWorkspaceMutation<P extends WorkspaceProcedure>(procedure: P) {
  const workspaceId = useOpenWorkspace()?.id;
  return useChange(procedure, (input: InWorkspace<P>) => ({ ...input, workspaceId }) as Input<P>);
}

function useChange<P extends ProcedureName, I>(procedure: P, toInput: (input: I) => Input<P>) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: I) => ask(bridge, procedure, toInput(input)),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyPrefixes.domain(domainOf(procedure)) }),
  });
}

/** Returns a function that calls a procedure in the open workspace, for work that is more than a query or one change. */
export function useAsk() {
  const bridge = useBridge();
  const { id: workspaceId } = useWorkspace();
  return useCallback(
    <P extends WorkspaceProcedure>(procedure: P, input: InWorkspace<P>): Promise<Output<P>> =>
      ask(bridge, procedure, { ...input, workspaceId } as Input<P>),
    [bridge, workspaceId],
  );
}
export type Ask = ReturnType<typeof useAsk>;
