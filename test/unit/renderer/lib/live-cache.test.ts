import { QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import type { EventName } from '../../../../src/contract/events.ts';
import { createDeskCache } from '../../../../src/renderer/lib/desk-query.ts';
import { keepCacheLive } from '../../../../src/renderer/lib/live-cache.ts';

function given() {
  const listeners = new Map<EventName, (payload: unknown) => void>();
  const subscribe = (name: EventName, listener: (payload: unknown) => void) => {
    listeners.set(name, listener);
    return () => listeners.delete(name);
  };
  const cache = createDeskCache();
  let hearAgain = (): void => undefined;
  const onReconnected = (listener: () => void) => {
    hearAgain = listener;
  };
  keepCacheLive({ shell: 'browser', call: {}, subscribe, onReconnected } as unknown as DeskBridge, cache);
  const waiting: ((value: string) => void)[] = [];
  const observer = new QueryObserver(cache, {
    queryKey: ['records', 'w', 'records:group', {}],
    queryFn: () => new Promise<string>((resolve) => waiting.push(resolve)),
  });
  const end = observer.subscribe(() => undefined);
  const emit = (name: EventName) =>
    listeners.get(name)?.({ workspaceId: 'w', receipt: {}, error: null } as never);
  return { cache, waiting, emit, end, hearAgain: () => hearAgain() };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test('while a sync writes, sums in progress are awaited, and then requested once more', async () => {
  const { waiting, emit, end } = given();
  for (let second = 0; second < 5; second += 1) emit('records:changed');
  await settle();
  expect(waiting).toHaveLength(1);
  waiting[0]?.('of the moment before');
  await settle();
  expect(waiting).toHaveLength(2);
  waiting[1]?.('now');
  await settle();
  expect(waiting).toHaveLength(2);
  end();
});

test('the end of a sync overtakes a first answer, which is then not the last one', async () => {
  const { cache, waiting, emit, end } = given();
  emit('records:changed');
  emit('sync:finished');
  waiting[0]?.('before the end');
  await settle();
  waiting[1]?.('after it');
  await settle();
  expect(waiting).toHaveLength(2);
  expect(cache.getQueryData(['records', 'w', 'records:group', {}])).toBe('after it');
  end();
});

test('what is not in progress is requested immediately', async () => {
  const { waiting, emit, end } = given();
  waiting[0]?.('first');
  await settle();
  emit('sync:finished');
  expect(waiting).toHaveLength(2);
  end();
});

test('after events may have been missed, what is shown and what is in progress are requested again', async () => {
  const { cache, waiting, hearAgain, end } = given();
  hearAgain();
  waiting[0]?.('of before the missed event');
  await settle();
  waiting[1]?.('now');
  await settle();
  expect(cache.getQueryData(['records', 'w', 'records:group', {}])).toBe('now');
  hearAgain();
  expect(waiting).toHaveLength(3);
  end();
});
