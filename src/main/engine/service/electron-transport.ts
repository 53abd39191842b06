import { net } from 'electron';
import { DeskError } from '../../lib/errors.ts';
import {
  type HttpReply,
  joinChunks,
  limitTime,
  replyLimitBytes,
  type Transport,
  toTransportError,
} from './transport.ts';

/**
 * HTTP through Chromium's network stack, for the engine in Electron's utility process: with the system's proxy and
 * certificates, in the in-memory session that the process was started with. No cookie is sent or kept, nothing is
 * read from a cache, no `Origin` is set, and a redirect is an error: with `manual`, `net.fetch` does not answer 3xx
 * but rejects with "Redirect was cancelled".
 */
export function createElectronTransport(): Transport {
  return async (request): Promise<HttpReply> => {
    const limit = limitTime(request);
    try {
      const reply = await net.fetch(request.url.href, {
        method: request.method,
        headers: { 'user-agent': 'Claimdesk', accept: 'application/json', ...request.headers },
        ...(request.body === undefined ? {} : { body: request.body }),
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'manual',
        referrerPolicy: 'no-referrer',
        signal: limit.signal,
      });
      const headers = Object.fromEntries(reply.headers.entries());
      if (request.onChunk !== undefined && reply.status === 200) {
        for await (const chunk of reply.body ?? []) {
          limit.touch();
          request.onChunk(chunk);
        }
        return { status: reply.status, headers, body: new Uint8Array() };
      }
      return { status: reply.status, headers, body: await readBody(reply) };
    } catch (thrown) {
      if (request.signal?.aborted === true) throw new DeskError('sync.canceled', { cause: thrown });
      throw toTransportError(nameNetError(thrown));
    } finally {
      limit.end();
    }
  };
}

async function readBody(reply: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > replyLimitBytes) throw new DeskError('service.replyTooLarge');
    chunks.push(chunk);
  }
  return joinChunks(chunks);
}

/** Chromium's errors have their name only in the text: `net::ERR_NAME_NOT_RESOLVED`. */
function nameNetError(thrown: unknown): unknown {
  const message = thrown instanceof Error ? thrown.message : '';
  if (/redirect/i.test(message)) return new DeskError('service.redirected', { cause: thrown });
  const code = /net::(ERR_[A-Z_]+)/.exec(message)?.[1];
  return code === undefined ? thrown : { code, cause: thrown };
}
