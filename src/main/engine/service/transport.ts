import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError } from '../../lib/errors.ts';

/** A request, the same for all transports. It never has a cookie or an Origin. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /**
   * Called with each part of a 200 reply's body as it arrives, instead of collecting it: for streams. `timeoutMs` is
   * then the longest silence.
   */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

export interface HttpReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/**
 * The port through which the engine uses HTTP: undici on Node, `net.fetch` in Electron. An implementation follows no
 * redirect, keeps no cookie, uses no cache, honors the system's proxy and certificates, decompresses the encodings that
 * it offered, and rejects with a TransportError.
 */
export type Transport = (request: HttpRequest) => Promise<HttpReply>;

/** The largest reply that is read, in bytes: a page of 1,000 claims is about 4 MB. */
export const replyLimitBytes = 128 * 1024 * 1024;

/** Joins the parts of a body. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(chunks.reduce((bytes, chunk) => bytes + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.byteLength;
  }
  return body;
}

/** Ends a request that takes too long: as a whole or, for a stream, since its last data. */
export function limitTime(options: Pick<HttpRequest, 'timeoutMs' | 'signal' | 'onChunk'>): {
  readonly signal: AbortSignal;
  /** Restarts the time limit; called when data arrived. */
  touch(): void;
  end(): void;
} {
  const outer = options.signal === undefined ? [] : [options.signal];
  if (options.onChunk === undefined) {
    const signal = AbortSignal.any([AbortSignal.timeout(options.timeoutMs), ...outer]);
    return { signal, touch: () => undefined, end: () => undefined };
  }
  const silence = new AbortController();
  const timer = setTimeout(
    () => silence.abort(new DOMException('nothing came', 'TimeoutError')),
    options.timeoutMs,
  );
  return {
    signal: AbortSignal.any([silence.signal, ...outer]),
    touch: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

const codeOfCause: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED)$/, 'service.nameUnknown'],
  [
    /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ERR_(CONNECTION_)?TIMED_OUT|TimeoutError)$/,
    'service.timeout',
  ],
  [/^CERT_NOT_YET_VALID$/, 'service.certificateAhead'],
  [
    /^(ERR_TLS|CERT_|ERR_CERT|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH)/,
    'service.tlsRefused',
  ],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT|HPE_|HTTPParserError$|ERR_INVALID_HTTP|ERR_(CONNECTION_(RESET|CLOSED)|EMPTY_RESPONSE|CONTENT_LENGTH))/,
    'service.connectionLost',
  ],
  [/^UND_ERR_(RES_EXCEEDED|HEADERS_OVERFLOW)|^ERR_REPLY_TOO_LARGE$/, 'service.replyTooLarge'],
  // Compressed data that ends early, or that is not in its declared encoding.
  [/^Z_BUF_ERROR$/, 'service.connectionLost'],
  [/^(Z_|ERR_?_ERROR_FORMAT|ERR_BROTLI|ERR_CONTENT_DECODING)/, 'service.badReply'],
];

/** Maps a failure below HTTP to an error, by the codes of Node, undici and Chromium. */
export function toTransportError(thrown: unknown): DeskError {
  if (thrown instanceof DeskError) return thrown;
  const seen = new Set<unknown>();
  let current: unknown = thrown;
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    seen.add(current);
    const { code, name, message, cause, errors } = current as {
      code?: unknown;
      name?: unknown;
      message?: unknown;
      cause?: unknown;
      errors?: unknown;
    };
    // undici reports the status of a proxy's refusal only in its text.
    if (String(message).startsWith('Proxy response (407)'))
      return new DeskError('service.proxyLogin', { cause: thrown });
    const names = [code, name].filter((value) => typeof value === 'string');
    for (const [pattern, errorCode] of codeOfCause) {
      if (names.some((value) => pattern.test(value))) return new DeskError(errorCode, { cause: thrown });
    }
    current = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return new DeskError('service.unreachable', { cause: thrown });
}
