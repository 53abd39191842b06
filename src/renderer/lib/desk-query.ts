import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { DeskBridge } from '../../contract/bridge.ts';
import type { Input, Output, ProcedureName } from '../../contract/procedures.ts';
import { useBridge } from './desk-context.tsx';
import { ask } from './desk-error.ts';
import { domainOf, keyOf, keyPrefixes } from './query-keys.ts';

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
    queryKey: keyOf(procedure, input),
    queryFn: (): Promise<Output<P>> => ask(bridge, procedure, input),
    ...(domainOf(procedure) === 'records' ? { gcTime: recordsKeptMs } : {}),
  });

export function useDeskQuery<P extends ProcedureName>(
  procedure: P,
  input: Input<P>,
  options: {
    enabled?: boolean;
    keepsPrevious?: boolean;
    /** Reads again each time after this, for values that no event reports. */
    everyMs?: number;
  } = {},
) {
  const base = deskQuery(useBridge(), procedure, input);
  return useQuery({
    ...base,
    enabled: options.enabled ?? true,
    ...(options.everyMs === undefined ? {} : { refetchInterval: options.everyMs }),
    ...(options.keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/**
 * A request for something that is shown with a list, such as its groups: once for each time the list is made, so that
 * both show the same state. Null: the list is not made yet.
 */
export const listQuery = <P extends ProcedureName>(
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
export function useDeskMutation<P extends ProcedureName>(procedure: P) {
  const bridge = useBridge();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<P>) => ask(bridge, procedure, input),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyPrefixes.domain(domainOf(procedure)) }),
  });
}
