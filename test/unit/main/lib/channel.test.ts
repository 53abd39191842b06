import { expect, test } from 'vitest';
import {
  type Answer,
  answerBy,
  type ChannelMessage,
  createChannel,
} from '../../../../src/main/lib/channel.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';

/** Two channels whose messages reach each other, with a copy of all messages and of the buffers handed over. */
function connect(answer: Answer, transferOf?: (value: unknown) => ArrayBuffer[]) {
  const listeners: ((message: ChannelMessage) => void)[] = [];
  const sent: ChannelMessage[] = [];
  const pipeTo = (other: number) => ({
    post(message: ChannelMessage, transfer?: ArrayBuffer[]) {
      sent.push(message);
      queueMicrotask(() => listeners[other]?.(structuredClone(message, { transfer: transfer ?? [] })));
    },
    onMessage: (listener: (message: ChannelMessage) => void) => void listeners.push(listener),
  });
  const asked: unknown[] = [];
  const here = createChannel(pipeTo(1), (name, input) => asked.push([name, input]));
  return { here, there: createChannel(pipeTo(0), answer, transferOf), asked, sent };
}

test('calls are answered both ways, by their numbers and not by their order', async () => {
  const first = Promise.withResolvers<string>();
  const { here, there, asked } = connect(
    answerBy({ slow: () => first.promise, quick: (text: string) => text }),
  );
  const slow = here.call('slow', null);
  expect(await here.call('quick', 'b')).toBe('b');
  expect(here.countWaiting()).toBe(1);
  await there.call('back', 1);
  expect(asked).toEqual([['back', 1]]);
  first.resolve('a');
  expect(await slow).toBe('a');
});

test('an error arrives with its code and details; an unknown name is refused, even that of a base object', async () => {
  const fail = () => {
    throw new DeskError('disk.full', { details: { file: 'x' } });
  };
  const { here } = connect(answerBy({ fail }));
  await expect(here.call('fail', null)).rejects.toMatchObject({ code: 'disk.full', details: { file: 'x' } });
  for (const name of ['none', 'constructor', 'toString'])
    await expect(here.call(name, null)).rejects.toMatchObject({
      code: 'usage.invalid',
      details: { call: name },
    });
});

test('a notice has no reply, even if its handler throws', async () => {
  const { here, sent } = connect(() => Promise.reject(new Error('no')));
  here.notify('progress', 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(sent).toEqual([{ kind: 'call', id: null, name: 'progress', input: 1 }]);
});

test('buffers are handed over with a call and with an answer', async () => {
  const made = new Uint8Array(8);
  const { here } = connect(
    () => made,
    (value) => [(value as Uint8Array).buffer as ArrayBuffer],
  );
  const given = new Uint8Array(4);
  expect(await here.call('fill', given, [given.buffer])).toHaveLength(8);
  expect([given.byteLength, made.byteLength]).toEqual([0, 0]);
});

test('waiting and later calls are rejected once the other side has ended', async () => {
  const { here } = connect(() => new Promise(() => undefined));
  const waiting = here.call('none', null);
  here.lose();
  for (const call of [waiting, here.call('more', null)])
    await expect(call).rejects.toMatchObject({ code: 'engine.stopped' });
});
