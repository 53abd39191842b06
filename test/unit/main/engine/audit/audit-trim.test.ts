import { expect, test, vi } from 'vitest';
import type { AnyEvent } from '../../../../../src/contract/events.ts';
import { createAuditTrim } from '../../../../../src/main/engine/audit/audit-trim.ts';

const finished = { name: 'sync:finished' } as AnyEvent;

test('two starts with the clock years ahead remove nothing while no service has confirmed it', async () => {
  const trim = vi.fn(async () => 1);
  let isConfirmed = false;
  const start = () => createAuditTrim({ isClockConfirmed: () => isConfirmed, trim, onFailed: vi.fn() });
  expect(await start().trimBefore('2027-11-24T00:00:00.000Z')).toBe(0);
  const second = start();
  expect(await second.trimBefore('2027-12-01T00:00:00.000Z')).toBe(0);
  // A sync that failed: the service has another clock.
  second.onEvent(finished);
  expect(trim).not.toHaveBeenCalled();

  const right = start();
  await right.trimBefore('2020-11-24T00:00:00.000Z');
  isConfirmed = true;
  right.onEvent(finished);
  right.onEvent(finished);
  expect(trim).toHaveBeenCalledExactlyOnceWith('2020-11-24T00:00:00.000Z');
  expect(await right.trimBefore('2020-11-25T00:00:00.000Z')).toBe(1);
});
