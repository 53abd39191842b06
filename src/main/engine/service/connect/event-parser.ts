import { createParser } from 'eventsource-parser';

/** One server-sent event: its name (`message` unless given) and its data lines, joined. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Longer than any event of a validation; it limits memory. */
const maxEventCharacters = 256 * 1024;

/**
 * Parses server-sent events from bytes split in any way (`eventsource-parser`, WHATWG HTML).
 * @returns takes the next bytes and returns the events that they complete; an overlong one throws a plain error
 */
export function createEventParser(maxCharacters = maxEventCharacters): (bytes: Uint8Array) => StreamEvent[] {
  const decoder = new TextDecoder('utf-8');
  let events: StreamEvent[] = [];
  const parser = createParser({
    maxBufferSize: maxCharacters,
    onEvent: ({ event, data }) => events.push({ name: event ?? 'message', data }),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
  });
  return (bytes) => {
    events = [];
    parser.feed(decoder.decode(bytes, { stream: true }));
    return events;
  };
}
