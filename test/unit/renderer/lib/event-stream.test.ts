import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyEvent } from '../../../../src/contract/events.ts';
import {
  backoffMs,
  createLineSplitter,
  parseEventLine,
  readLines,
} from '../../../../src/renderer/lib/loopback-bridge.ts';

describe('parseEventLine', () => {
  it('reads an event of the contract', () => {
    expect(parseEventLine('{"name":"lock:changed","payload":{"isLocked":true}}')).toEqual({
      name: 'lock:changed',
      payload: { isLocked: true },
    });
  });

  it.each([
    '',
    '   ',
    '\r',
    'not json',
    'null',
    '[]',
    '{"name":"no:such","payload":{}}',
    '{"name":"toString","payload":{}}',
    '{"name":"lock:changed","payload":{"isLocked":"yes"}}',
    '{"name":"lock:changed"}',
  ])('skips %j', (line) => {
    expect(parseEventLine(line)).toBeNull();
  });
});

describe('createLineSplitter', () => {
  it('finds the same lines wherever the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string().map((text) => text.replaceAll('\n', ''))),
        fc.nat(7),
        (lines, size) => {
          const whole = lines.map((line) => `${line}\n`).join('');
          const split = createLineSplitter();
          const found: string[] = [];
          for (let at = 0; at < whole.length; at += size + 1)
            found.push(...split(whole.slice(at, at + size + 1)));
          expect(found).toEqual(lines);
        },
      ),
    );
  });
});

it('reads a stream whose characters are split in the middle', async () => {
  const bytes = new TextEncoder().encode(
    '\n{"name":"workspaces:changed","payload":{"activeId":"ünï"}}\n\n{"name":"keys:changed","payload":{}}\n',
  );
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events: (AnyEvent | null)[] = [];
  await readLines(body, (line) => events.push(parseEventLine(line)));
  expect(events.filter((event) => event !== null)).toEqual([
    { name: 'workspaces:changed', payload: { activeId: 'ünï' } },
    { name: 'keys:changed', payload: {} },
  ]);
});

it('waits longer each time, and never longer than five seconds', () => {
  expect(backoffMs(0)).toBe(200);
  expect(backoffMs(2)).toBe(800);
  expect(backoffMs(50)).toBe(5000);
});
