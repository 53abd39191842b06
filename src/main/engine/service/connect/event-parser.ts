/** One server-sent event: its name (`message` unless given) and its data lines, joined. */
export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** More than any event of a validation needs; a stream without ends must not fill memory. */
const longestEvent = 256 * 1024;

/**
 * Reads server-sent events out of bytes that come in any pieces (WHATWG HTML, "Parsing an event stream"): CR, LF
 * or CRLF end a line, a blank line ends an event, comments and unknown fields are passed over.
 * @returns takes the next bytes and gives the events that they complete; an overlong one throws a plain error
 */
export function createEventParser(): (bytes: Uint8Array) => StreamEvent[] {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  let endedInCr = false;
  let name = '';
  let data: string[] = [];

  const takeLine = (line: string): StreamEvent | null => {
    if (line === '') {
      const event =
        data.length === 0 ? null : { name: name === '' ? 'message' : name, data: data.join('\n') };
      name = '';
      data = [];
      return event;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    else if (field === 'data') data.push(value);
    return null;
  };

  return (bytes) => {
    let text = decoder.decode(bytes, { stream: true });
    if (text === '') return [];
    // A CRLF that was cut in two is one end of a line.
    if (endedInCr && text.startsWith('\n')) text = text.slice(1);
    endedInCr = text === '' ? endedInCr : text.endsWith('\r');
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    const events = lines.map(takeLine).filter((event) => event !== null);
    const length = data.reduce((sum, line) => sum + line.length, rest.length + name.length);
    if (length > longestEvent) throw new Error('an event of the stream does not end');
    return events;
  };
}
