import { expect, test, vi } from 'vitest';
import { createListQueue } from '../../../../../src/main/engine/lists/list-queue.ts';

const isExpired = expect.objectContaining({ code: 'snapshot.expired' });

/** A list that is made when the test says so. */
function slowList() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { make: vi.fn(() => promise), finish: resolve, fail: reject };
}
const turns = () => new Promise((resolve) => setTimeout(resolve, 0));

test('lists are made one after the other, in the order in which they were asked for', async () => {
  const queue = createListQueue();
  const [first, second] = [slowList(), slowList()];
  const a = queue.add(first.make);
  const b = queue.add(second.make);
  await turns();
  expect(second.make).not.toHaveBeenCalled();
  first.finish('a');
  expect(await a.made).toBe('a');
  await turns();
  second.finish('b');
  expect(await b.made).toBe('b');
});

test('what is dropped before its turn is never made, and those behind it are', async () => {
  const queue = createListQueue();
  const [first, second, third] = [slowList(), slowList(), slowList()];
  queue.add(first.make);
  const dropped = queue.add(second.make);
  const last = queue.add(third.make);
  dropped.drop();
  await expect(dropped.made).rejects.toEqual(isExpired);
  first.finish('a');
  third.finish('c');
  expect(await last.made).toBe('c');
  expect(second.make).not.toHaveBeenCalled();
});

test('what is dropped while it is made is gone for whoever waits, and lets the next one in when it is over', async () => {
  const queue = createListQueue();
  const [first, second] = [slowList(), slowList()];
  const dropped = queue.add(first.make);
  const next = queue.add(second.make);
  await turns();
  dropped.drop();
  await expect(dropped.made).rejects.toEqual(isExpired);
  await turns();
  expect(second.make).not.toHaveBeenCalled();
  first.finish('a');
  second.finish('b');
  expect(await next.made).toBe('b');
});

test('a list that fails keeps no other from being made', async () => {
  const queue = createListQueue();
  const failing = queue.add(() => Promise.reject(new Error('no')));
  await expect(failing.made).rejects.toThrow('no');
  expect(await queue.add(async () => 'b').made).toBe('b');
});
