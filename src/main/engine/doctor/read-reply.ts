import { createHash } from 'node:crypto';
import { readBody, readRequestId, readRetryAfterSeconds, speaksOfTime } from '../service/service-error.ts';
import type { HttpReply } from '../service/transport.ts';
import type { ReplyFacts, ReplyShape } from './observations.ts';

/**
 * The facts of a reply: numbers and shapes. The record in it and the service's text, which may contain names, are
 * dropped here.
 */
export function readReply(reply: HttpReply, nowMs: number): ReplyFacts {
  const text = new TextDecoder().decode(reply.body);
  const { message: said } = readBody(reply);
  const message = typeof said === 'string' ? said : '';
  const requestId = readRequestId(reply);
  return {
    status: reply.status,
    // The same form as in the log: with a digit and without a dot, so that it is neither a name nor an address.
    requestId: requestId !== undefined && /^(?=.*\d)[A-Za-z0-9_-]{8,64}$/.test(requestId) ? requestId : null,
    shape: readShape(text),
    bytes: reply.body.byteLength,
    speaksOf: speaksOfTime(reply)
      ? 'time'
      : /decod|claim|\balg|malformed|missing/i.test(message)
        ? 'form'
        : null,
    retryAfterSeconds: readRetryAfterSeconds(reply, nowMs),
    redirectHost: readRedirectHost(reply),
    digest: createHash('sha256').update(`${reply.status} ${message}`).digest('hex'),
  };
}

/** docs/service.md, "Lists and values": an object with `data`, which is a list or one object. */
export function readShape(text: string): ReplyShape {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty';
  if (trimmed.startsWith('<')) return 'html';
  try {
    const { data } = JSON.parse(trimmed) as { data?: unknown };
    return typeof data === 'object' && data !== null ? 'envelope' : 'object';
  } catch {
    return /^[{[]/.test(trimmed) && !/[}\]]$/.test(trimmed) ? 'truncated' : 'notJson';
  }
}

function readRedirectHost({ status, headers }: HttpReply): string | null {
  const { location } = headers;
  if (status < 300 || status >= 400 || location === undefined) return null;
  return URL.canParse(location) ? new URL(location).host.slice(0, 300) : null;
}
