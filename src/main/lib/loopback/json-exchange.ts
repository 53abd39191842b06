import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../../contract/error-codes.ts';
import type { Result } from '../../../contract/result.ts';
import { DeskError, toErrorReport } from '../errors.ts';

/** A request that is refused before it is answered: an HTTP status and the error code for the window. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: ErrorCode;

  constructor(status: number, code: ErrorCode) {
    super(code);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
  }
}

export const forbidden = (): Refusal => new Refusal(403, 'app.forbidden');

/** The headers of every reply of this program: no caching, no referrer. */
export const baseHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function sendResult(
  response: ServerResponse,
  status: number,
  result: Result<unknown>,
  headers: OutgoingHttpHeaders = {},
): void {
  sendJson(response, status, result, headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...baseHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    ...headers,
  });
  response.end(bytes);
}

/** Answers a request with an error as a Result and closes the connection. */
export function sendRefusal(
  response: ServerResponse,
  thrown: unknown,
  headers: OutgoingHttpHeaders = {},
): void {
  const isRefusal = thrown instanceof Refusal;
  const error = toErrorReport(isRefusal ? new DeskError(thrown.code) : thrown);
  const status = isRefusal ? thrown.status : 500;
  sendResult(response, status, { ok: false, error }, { ...headers, connection: 'close' });
}

/**
 * Reads a JSON body. Other content types are refused, because browsers let a page of another site send those without a
 * preflight request.
 *
 * @throws Refusal 415, 413 above `limitBytes`, 400
 */
export async function readJson(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Refusal(415, 'usage.invalid');
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limitBytes) throw new Refusal(413, 'usage.invalid');
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The request is not destroyed when reading stops early: the refusal still has to be sent on this connection.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new Refusal(413, 'usage.invalid');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Refusal(400, 'usage.invalid');
  }
}

/** A window's requests hold a query or a passphrase, never a file. */
export const requestLimitBytes = 1024 * 1024;
