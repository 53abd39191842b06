import type { HttpReply, HttpRequest, Transport } from '../../src/main/engine/service/transport.ts';
import { DeskError } from '../../src/main/lib/errors.ts';

/** The reply of a service to a request of the transport. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const toBytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'utf8'));

export const reply = ({ status = 200, headers = {}, body = '{"data":[]}' }: Answer): HttpReply => ({
  status,
  headers,
  body: toBytes(body),
});

/**
 * A transport that replies by a function of the request and the number of requests before it, and that stores all
 * requests.
 */
export function createFakeTransport(
  answer: (request: HttpRequest, index: number) => Answer | DeskError | Promise<Answer | DeskError>,
): { transport: Transport; requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  return {
    requests,
    async transport(request) {
      if (request.signal?.aborted === true) throw new DeskError('sync.canceled');
      const index = requests.length;
      requests.push(request);
      const given = await answer(request, index);
      if (given instanceof DeskError) throw given;
      return reply(given);
    },
  };
}

/** A clock that stays at its time until a test changes it. */
export function createFakeClock(startMs = Date.parse('2026-06-01T12:00:00.000Z')) {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms: number): void {
      nowMs += ms;
    },
  };
}
