import { type AnyEvent, events } from '../../contract/events.ts';

/** Reads one line of an event stream; null for keep-alives and for anything but an event of the contract. */
export function parseEventLine(line: string): AnyEvent | null {
  const text = line.trim();
  if (text === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { name, payload } = value as { name?: unknown; payload?: unknown };
  if (typeof name !== 'string' || !Object.hasOwn(events, name)) return null;
  const parsed = events[name as AnyEvent['name']].payload.safeParse(payload);
  return parsed.success ? ({ name, payload: parsed.data } as AnyEvent) : null;
}

/** Joins chunks of text, however they are split, into whole lines. */
export function createLineSplitter(): (chunk: string) => string[] {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    return lines;
  };
}

/** Reads a newline-delimited stream to its end and passes on each event. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: AnyEvent) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const split = createLineSplitter();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const line of split(decoder.decode(value, { stream: true }))) {
      const event = parseEventLine(line);
      if (event !== null) onEvent(event);
    }
  }
}

/** Waiting time before the n-th attempt to reconnect: short at first, at most 5 s. */
export function backoffMs(attempt: number): number {
  return Math.min(5000, 200 * 2 ** Math.min(attempt, 10));
}
