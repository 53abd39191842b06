import { DeskError, toDeskError } from '../../../lib/errors.ts';
import { readRequestId } from '../service-error.ts';
import { toConnectError } from './connect-error.ts';
import { pathOf, templateOf } from './connect-paths.ts';
import { stateEventSchema } from './connect-replies.ts';
import { createEventParser, type StreamEvent } from './event-parser.ts';
import { type ConnectPorts, headersOf, type Integration } from './send-connect.ts';

/** A report of the service about a validation, by stream or by polling. `state` as received. */
export interface ValidationNews {
  readonly state: string | null;
  readonly methods: readonly string[];
  readonly message: string | null;
  readonly credentialsAreValid: boolean | null;
  readonly isPending: boolean;
}

export type StreamNews =
  | { readonly kind: 'state'; readonly news: ValidationNews }
  | { readonly kind: 'alive' };

/**
 * How a stream ended: after `closed` and `timeout` a fresh token is needed, after `over` the result is read, after
 * `lost` polling continues.
 */
export type StreamEnd =
  | { readonly how: 'closed' | 'timeout' | 'over' }
  | { readonly how: 'lost'; readonly error: DeskError };

/** A ping arrives about every 15 s (docs/service.md, "Connect calls"). */
const maxSilenceMs = 40_000;

/**
 * Listens to a validation until its stream ends (docs/service.md, "Event stream"); never rejects. The token is part of
 * the address, as the service requires; the other headers are those of every call.
 */
export async function followProgress(
  integration: Integration,
  ports: ConnectPorts,
  task: { readonly taskId: string; readonly taskToken: string; readonly signal: AbortSignal },
  onNews: (news: StreamNews) => void,
): Promise<StreamEnd> {
  const root = integration.baseUrl.replace(/\/$/, '');
  const url = new URL(`${root}${pathOf(integration.base, 'stream', [task.taskId])}`);
  url.searchParams.set('token', task.taskToken);
  const parse = createEventParser();
  const began = performance.now();
  let hasTimedOut = false;

  const report = (status: number | null, requestId: string | null, code: DeskError['code'] | null): void =>
    ports.onCall({
      method: 'GET',
      route: templateOf(integration.base, 'stream'),
      status,
      durationMs: Math.round(performance.now() - began),
      requestId,
      code,
    });
  const take = (event: StreamEvent): void => {
    if (event.name === 'timeout') hasTimedOut = true;
    const news = event.name === 'state' ? readStateEvent(event.data) : null;
    onNews(news === null ? { kind: 'alive' } : { kind: 'state', news });
  };

  try {
    const reply = await ports.transport({
      method: 'GET',
      url,
      headers: { ...headersOf(integration, null), accept: 'text/event-stream' },
      timeoutMs: maxSilenceMs,
      signal: task.signal,
      onChunk(chunk) {
        for (const event of parse(chunk)) take(event);
      },
    });
    const requestId = readRequestId(reply) ?? null;
    if (reply.status === 200) {
      report(200, requestId, null);
      return { how: hasTimedOut ? 'timeout' : 'closed' };
    }
    const error = toConnectError(reply, { hasConsents: false, isMint: false, sentValues: [] });
    report(reply.status, requestId, error.code);
    // 401 "Task not available" usually means that the task has finished; after a 401 or 422 about a token, a fresh one
    // comes the same way, from the result and the policy holder.
    return reply.status === 401 || reply.status === 422 ? { how: 'over' } : { how: 'lost', error };
  } catch (thrown) {
    const error = thrown instanceof DeskError ? thrown : toStreamError(thrown);
    report(null, null, error.code);
    return { how: 'lost', error };
  }
}

function toStreamError(thrown: unknown): DeskError {
  const error = toDeskError(thrown);
  return error.code === 'internal.fault' ? new DeskError('service.badReply', { cause: thrown }) : error;
}

/** null: not a readable state. */
function readStateEvent(data: string): ValidationNews | null {
  try {
    const { status, result: given } = stateEventSchema.parse(JSON.parse(data));
    const isSentence = typeof given === 'string';
    const result = isSentence ? null : given;
    const direct = result?.method_list ?? [];
    return {
      state: status,
      methods: direct.length > 0 ? direct : (result?.info?.method_list ?? []),
      // The carrier's sentence may be the only information about a failure.
      message: isSentence && status === 'FAILURE' ? readSentence(given) : (result?.message ?? null),
      credentialsAreValid: result?.credentials_are_valid ?? null,
      isPending: result?.pending === true,
    };
  } catch {
    return null;
  }
}

/** Longer than any sentence of a carrier; a longer text is not a sentence. */
const maxSentence = 1_000;

function readSentence(given: string): string | null {
  const sentence = given.trim();
  return sentence === '' ? null : sentence.slice(0, maxSentence);
}
