import type { EngineReply, EngineRequest } from '../../../contract/bridge.ts';
import { DeskError, toErrorReport } from '../../lib/errors.ts';
import type { Engine } from '../engine-ports.ts';

/** Reads a request of a window; null: it is none. */
export function readRequest(data: unknown): EngineRequest | null {
  if (typeof data !== 'object' || data === null) return null;
  const { id, procedure, input } = data as { id?: unknown; procedure?: unknown; input?: unknown };
  return Number.isSafeInteger(id) && typeof procedure === 'string'
    ? { id: id as number, procedure, input }
    : null;
}

/** Answers a request under its number. */
export const answerRequest = (
  engine: Pick<Engine, 'call'>,
  { id, procedure, input }: EngineRequest,
): Promise<EngineReply> =>
  engine.call(procedure, input).then(
    (result) => ({ id, result }),
    (thrown: unknown) => ({
      id,
      result: { ok: false, error: toErrorReport(new DeskError('internal.fault', { cause: thrown })) },
    }),
  );
