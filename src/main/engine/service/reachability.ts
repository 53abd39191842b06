import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError } from '../../lib/errors.ts';
import type { Transport } from './transport.ts';

/**
 * No reply was received. Other failures (a certificate, an overlong reply) do not mean that the service is
 * unreachable.
 */
const unreachedCodes: ReadonlySet<ErrorCode> = new Set([
  'service.unreachable',
  'service.nameUnknown',
  'service.timeout',
  'service.connectionLost',
]);

/** Whether the services of the workspaces answer, as the last request to each of them showed. */
interface Reachability {
  /** null: no request was sent since this process started. */
  isReachable(workspaceId: string): boolean | null;
  /** Wraps the transport of a workspace: any reply of its service, even a refusal, means that it is reachable. */
  watch(workspaceId: string, transport: Transport): Transport;
}

/**
 * Keeps for each workspace whether its service answers. All requests are observed, so that a sync, a call of Connect,
 * the doctor and the check of a key all end the offline state. `onChange` is called only when the state changes.
 */
export function createReachability(
  onChange: (workspaceId: string, isReachable: boolean) => void,
): Reachability {
  const facts = new Map<string, boolean>();
  const learn = (workspaceId: string, isReachable: boolean): void => {
    if (facts.get(workspaceId) === isReachable) return;
    facts.set(workspaceId, isReachable);
    onChange(workspaceId, isReachable);
  };

  return {
    isReachable: (workspaceId) => facts.get(workspaceId) ?? null,
    watch: (workspaceId, transport) => async (request) => {
      const { onChunk } = request;
      let hasBegun = false;
      const listened =
        onChunk === undefined
          ? request
          : {
              ...request,
              onChunk(chunk: Uint8Array) {
                hasBegun = true;
                learn(workspaceId, true);
                onChunk(chunk);
              },
            };
      try {
        const reply = await transport(listened);
        learn(workspaceId, true);
        return reply;
      } catch (thrown) {
        // A stream that stops sending after it began does not show whether the service is reachable; the next request
        // does.
        if (!hasBegun && thrown instanceof DeskError && unreachedCodes.has(thrown.code))
          learn(workspaceId, false);
        throw thrown;
      }
    },
  };
}
