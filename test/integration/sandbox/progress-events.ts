/** One event of a stream of server-sent events. */
export type ProgressEvent = { readonly event: string; readonly data: Record<string, unknown> };

/** Reads server-sent events as the standard says: any line end, several data lines, comments passed over. */
export class EventReader {
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  private readonly decoder = new TextDecoder();
  private pending = '';
  private readonly ready: ProgressEvent[] = [];

  constructor(reply: Response) {
    if (reply.body === null) throw new Error('no body');
    this.reader = reply.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  }

  /** The next event, or null at the end of the stream. */
  async next(): Promise<ProgressEvent | null> {
    for (;;) {
      const found = this.ready.shift();
      if (found !== undefined) return found;
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.pending += this.decoder.decode(value, { stream: true });
      const blocks = this.pending.replaceAll('\r\n', '\n').split('\n\n');
      // A carriage return at the very end may be half of a line end.
      this.pending = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    }
  }

  /** All events up to the end. */
  async rest(): Promise<ProgressEvent[]> {
    const events: ProgressEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (event === null) return events;
      events.push(event);
    }
  }

  async close(): Promise<void> {
    await this.reader.cancel();
  }

  private take(block: string): void {
    let event = 'message';
    const data: string[] = [];
    for (const line of block.split('\n')) {
      const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
      if (name === 'event') event = value;
      if (name === 'data') data.push(value);
    }
    if (data.length > 0)
      this.ready.push({ event, data: JSON.parse(data.join('\n')) as Record<string, unknown> });
  }
}
