import type { ErrorCode } from '../../../contract/error-codes.ts';
import { DeskError } from '../../lib/errors.ts';
import type { HttpReply } from './transport.ts';

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'service.badRequest',
  401: 'service.unauthorized',
  403: 'service.forbidden',
  404: 'service.notFound',
  407: 'service.proxyLogin',
  408: 'service.timeout',
  422: 'service.unprocessable',
  429: 'service.rateLimited',
  511: 'service.networkSignIn',
};

const codeOfClass: Readonly<Record<number, ErrorCode>> = {
  3: 'service.redirected',
  4: 'service.badRequest',
  5: 'service.fault',
};

/** The service's ID of a request, if it has the form of an ID: it is shown in reports and the log. */
export function readRequestId(reply: HttpReply): string | undefined {
  const value = reply.headers['x-request-id'];
  return value !== undefined && /^[\w.:-]{1,100}$/.test(value) ? value : undefined;
}

/** True where a 400 or 401 is about time: `expired`, `not yet valid`, `iat`, `exp` (docs/service.md, "SSH-JWT"). */
export function speaksOfTime(reply: HttpReply): boolean {
  if (reply.status !== 400 && reply.status !== 401) return false;
  return /expired|not yet|future|\b(iat|exp)\b/i.test(String(readBody(reply).message ?? ''));
}

/** The reply as a JSON object; empty where it is not one. */
export function readBody(reply: HttpReply, maxBytes = 10_000): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(reply.body.subarray(0, maxBytes)));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The service's own code of an error, if it has the form of a code. */
export const readErrorCode = ({ error_code: code }: Readonly<Record<string, unknown>>): string | null =>
  typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : null;

/**
 * The error for a reply (docs/service.md, "Errors"; "SSH-JWT" and "Lists and values"). The service's message is not
 * passed on: it may contain names.
 */
export function toServiceError(reply: HttpReply): DeskError {
  const { status } = reply;
  let code: ErrorCode = codeOfStatus[status] ?? codeOfClass[Math.floor(status / 100)] ?? 'service.badReply';
  if (speaksOfTime(reply)) code = 'service.tokenExpired';
  const errorCode = readErrorCode(readBody(reply));
  return new DeskError(code, {
    requestId: readRequestId(reply),
    details: { status, ...(errorCode === null ? {} : { errorCode }) },
  });
}

/** Whether a reply begins like a web page, whatever its type: a network or a proxy answered for the service. */
export function isWebPage(reply: HttpReply): boolean {
  const start = new TextDecoder().decode(reply.body.subarray(0, 64));
  return start.trimStart().startsWith('<');
}

/** Reads how many seconds `Retry-After` asks to wait, as seconds or as a date; null where there is none. */
export function readRetryAfterSeconds(reply: HttpReply, nowMs: number): number | null {
  const value = reply.headers['retry-after'];
  if (value === undefined) return null;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - nowMs) / 1000;
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : null;
}
