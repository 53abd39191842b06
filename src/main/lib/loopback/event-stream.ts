import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AnyEvent } from '../../../contract/events.ts';

export interface EventStream {
  send(event: AnyEvent): void;
  /** Resolves when the client has received everything, or has disconnected. */
  end(): Promise<void>;
}

const keepAliveMs = 15_000;
/** A client with more unread bytes than this is disconnected; it connects again and asks for the current state. */
const maxWaitingBytes = 4 * 1024 * 1024;

/**
 * Answers a request with events, one JSON object per line, until either side ends it; blank lines keep the connection
 * open. `onClosed` is called once.
 */
export function openEventStream(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  onClosed: () => void,
): EventStream {
  response.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    ...headers,
  });
  const write = (text: string): void => {
    if (response.destroyed || response.writableEnded) return;
    if (response.writableLength > maxWaitingBytes) response.destroy();
    else response.write(text);
  };
  // Sent at once, so that the window knows that the connection works.
  write('\n');
  const timer = setInterval(() => write('\n'), keepAliveMs);
  timer.unref();
  response.once('close', () => {
    clearInterval(timer);
    onClosed();
  });
  return {
    send: (event) => write(`${JSON.stringify(event)}\n`),
    end: () =>
      new Promise((resolve) => {
        response.once('close', resolve);
        response.end();
      }),
  };
}
