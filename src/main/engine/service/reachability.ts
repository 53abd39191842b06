import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError } from '../../lib/errors.ts';
import type { Transport } from './transport.ts';

/** Nothing of a reply came. Other failures (a certificate, too long a reply) do not mean that nobody is there. */
const unreachedCodes: ReadonlySet<ErrorCode> = new Set([
  'service.unreachable',
  'service.nameUnknown',
  'service.timeout',
  'service.connectionLost',
]);

/** Whether the services of the workspaces answer, as the last request to each of them showed. */
export interface Reachability {
  /** null: nothing has been asked of it since this process began. */
  isReachable(workspaceId: string): boolean | null;
  /** The transport, listened to for this workspace: whatever its service replies, even a refusal, reaches it. */
  watch(workspaceId: string, transport: Transport): Transport;
}

/**
 * Keeps one fact a workspace: does its service answer. It is learned where all requests pass, so that a sync, a
 * call of Connect, the doctor and the check of a key end the offline state alike. `onChange` is called only when
 * the fact changes.
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
        // A stream that falls silent after it had begun says nothing: the next request does.
        if (!hasBegun && thrown instanceof DeskError && unreachedCodes.has(thrown.code)) {
          learn(workspaceId, false);
        }
        throw thrown;
      }
    },
  };
}
