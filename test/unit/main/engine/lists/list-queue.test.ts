import { expect, test, vi } from 'vitest';
import { queueList } from '../../../../../src/main/engine/lists/list-queue.ts';
import { createSerialQueue } from '../../../../../src/main/lib/serial-queue.ts';

const isExpired = expect.objectContaining({ code: 'snapshot.expired' });

/** Returns a list that is made when the test resolves it. */
function slowList() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { make: vi.fn(() => promise), finish: resolve, fail: reject };
}
const turns = () => new Promise((resolve) => setTimeout(resolve, 0));

test('lists are made one after another, in the order of the requests', async () => {
  const queue = createSerialQueue();
  const [first, second] = [slowList(), slowList()];
  const a = queueList(queue, first.make);
  const b = queueList(queue, second.make);
  await turns();
  expect(second.make).not.toHaveBeenCalled();
  first.finish('a');
  expect(await a.made).toBe('a');
  await turns();
  second.finish('b');
  expect(await b.made).toBe('b');
});

test('what is dropped before its turn is never made, and those behind it are', async () => {
  const queue = createSerialQueue();
  const [first, second, third] = [slowList(), slowList(), slowList()];
  queueList(queue, first.make);
  const dropped = queueList(queue, second.make);
  const last = queueList(queue, third.make);
  dropped.drop();
  await expect(dropped.made).rejects.toEqual(isExpired);
  first.finish('a');
  third.finish('c');
  expect(await last.made).toBe('c');
  expect(second.make).not.toHaveBeenCalled();
});

test('a list dropped while it is made rejects for its callers, and lets the next one start when it is done', async () => {
  const queue = createSerialQueue();
  const [first, second] = [slowList(), slowList()];
  const dropped = queueList(queue, first.make);
  const next = queueList(queue, second.make);
  await turns();
  dropped.drop();
  await expect(dropped.made).rejects.toEqual(isExpired);
  await turns();
  expect(second.make).not.toHaveBeenCalled();
  first.finish('a');
  second.finish('b');
  expect(await next.made).toBe('b');
});

test('a failing list does not prevent others from being made', async () => {
  const queue = createSerialQueue();
  const failing = queueList(queue, () => Promise.reject(new Error('no')));
  await expect(failing.made).rejects.toThrow('no');
  expect(await queueList(queue, async () => 'b').made).toBe('b');
});
