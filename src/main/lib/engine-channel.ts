import { createPendingCalls } from '../../contract/pending-calls.ts';
import type { EngineChannelMessage } from './engine-protocol.ts';
import { DeskError, fromWireError, toWireError } from './errors.ts';

/** One end of a connection that passes plain messages: to a forked child, to a utility process, or within one test. */
export interface MessagePipe {
  post(message: EngineChannelMessage): void;
  onMessage(listener: (message: EngineChannelMessage) => void): void;
}

type Functions = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/**
 * Calls in both directions over one pipe. An error on the other side rejects here with the same DeskError. `lose()`
 * rejects all pending calls; call it when the other side has ended.
 */
export function createEngineChannel(pipe: MessagePipe, answers: Functions) {
  const pending = createPendingCalls<unknown>();
  const others = new Set<(message: EngineChannelMessage) => void>();
  let isLost = false;

  const answer = async (id: number, name: string, input: unknown): Promise<void> => {
    try {
      const handler = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (handler === undefined) throw new DeskError('usage.invalid', { details: { call: name } });
      pipe.post({ kind: 'reply', id, ok: true, value: await handler(input as never) });
    } catch (thrown) {
      pipe.post({ kind: 'reply', id, ok: false, error: toWireError(thrown) });
    }
  };

  pipe.onMessage((message) => {
    if (message.kind === 'call') void answer(message.id, message.name, message.input);
    else if (message.kind === 'reply') {
      const call = pending.take(message.id);
      if (message.ok) call?.resolve(message.value);
      else call?.reject(fromWireError(message.error));
    } else for (const listener of others) listener(message);
  });

  return {
    call(name: string, input: unknown): Promise<unknown> {
      if (isLost) return Promise.reject(new DeskError('engine.stopped'));
      const { id, reply } = pending.add();
      pipe.post({ kind: 'call', id, name, input });
      return reply;
    },
    /** Calls `listener` with every message that is neither a call nor a reply. */
    onOther(listener: (message: EngineChannelMessage) => void): void {
      others.add(listener);
    },
    lose(): void {
      isLost = true;
      for (const call of pending.takeAll()) call.reject(new DeskError('engine.stopped'));
    },
  };
}

export type EngineChannel = ReturnType<typeof createEngineChannel>;
