import { createPendingCalls } from '../../contract/pending-calls.ts';
import { DeskError, fromWireError, toWireError, type WireError } from './errors.ts';

/** A message on a channel, in either direction. A call without an ID has no reply. */
export type ChannelMessage =
  | { readonly kind: 'call'; readonly id: number | null; readonly name: string; readonly input: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly kind: 'reply'; readonly id: number; readonly ok: false; readonly error: WireError };

/** One end of a connection that passes plain messages: to a child, to a utility process, to a thread, or in one test. */
export interface MessagePipe {
  post(message: ChannelMessage, transfer?: ArrayBuffer[]): void;
  onMessage(listener: (message: ChannelMessage) => void): void;
}

export type Answer = (name: string, input: unknown) => unknown;

/** Answers by functions of these names. @throws DeskError `usage.invalid` for another name */
export const answerBy =
  (functions: object): Answer =>
  (name, input) => {
    if (!Object.hasOwn(functions, name)) throw new DeskError('usage.invalid', { details: { call: name } });
    return (functions as Readonly<Record<string, (given: unknown) => unknown>>)[name]?.(input);
  };

/**
 * Calls in both directions over one pipe, to another process or to a thread. An error on the other side rejects here
 * with the same DeskError. `transferOf` lists the buffers of an answer that are handed over instead of copied. `lose()`
 * rejects all pending calls with `engine.stopped`; call it when the other side has ended, with the error that ended it.
 */
export function createChannel(
  pipe: MessagePipe,
  answer: Answer,
  transferOf: (value: unknown) => ArrayBuffer[] = () => [],
) {
  const pending = createPendingCalls<unknown>();
  let isLost = false;

  pipe.onMessage(async (message) => {
    const { id } = message;
    if (message.kind === 'reply') {
      const call = pending.take(message.id);
      if (message.ok) call?.resolve(message.value);
      else call?.reject(fromWireError(message.error));
    }
    if (message.kind !== 'call') return;
    try {
      const value = await answer(message.name, message.input);
      if (id !== null) pipe.post({ kind: 'reply', id, ok: true, value }, transferOf(value));
    } catch (thrown) {
      if (id !== null) pipe.post({ kind: 'reply', id, ok: false, error: toWireError(thrown) });
    }
  });

  return {
    call(name: string, input: unknown, transfer?: ArrayBuffer[]): Promise<unknown> {
      if (isLost) return Promise.reject(new DeskError('engine.stopped'));
      const { id, reply } = pending.add();
      pipe.post({ kind: 'call', id, name, input }, transfer);
      return reply;
    },
    /** Sends a call that has no reply: progress, a failure outside of a call, or a cancel. */
    notify: (name: string, input: unknown): void => pipe.post({ kind: 'call', id: null, name, input }),
    /** How many calls have no reply yet. */
    countWaiting: (): number => pending.size,
    lose(cause?: Error): void {
      isLost = true;
      for (const call of pending.takeAll())
        call.reject(new DeskError('engine.stopped', cause === undefined ? {} : { cause }));
    },
  };
}
