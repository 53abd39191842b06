/** Reads the events of a stream one by one; a heartbeat has no name, and null is the end. */
export function readEvents(reply: Response) {
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  return async (): Promise<{ event: string; data: string } | null> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const one = text.slice(0, end);
        text = text.slice(end + 2);
        const read = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(one)?.[1] ?? '';
        return { event: read('event'), data: read('data') };
      }
      const { value, done } = await reader.read();
      if (done) return null;
      text += Buffer.from(value).toString('utf8');
    }
  };
}
