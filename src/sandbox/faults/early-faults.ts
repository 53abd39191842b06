import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxClock } from '../clock.ts';
import { errorBody } from '../http/api-error.ts';
import type { RequestFaults } from './active-faults.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_BODY =
  '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

/** Applies the faults of a proxy in front: delays, errors, redirects, resets. True if the request was answered. */
export async function applyEarlyFaults(
  faults: RequestFaults,
  clock: SandboxClock,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  if (faults.isEmpty) return false;
  const latency = faults.find('latency');
  if (latency !== undefined) await sleep(latency.ms);
  const cookies = faults.find('big-cookies');
  if (cookies !== undefined) reply.header('set-cookie', bigCookies(cookies.bytes));
  const reset = faults.find('reset');
  if (reset !== undefined && reset.afterBytes === 0) {
    reply.hijack();
    request.raw.socket.resetAndDestroy();
    return true;
  }
  const limit = faults.find('rate-limit');
  if (limit !== undefined) {
    const until = new Date(clock.serverNowMs() + limit.seconds * 1000).toUTCString();
    reply.header('retry-after', limit.form === 'seconds' ? String(limit.seconds) : until);
    await reply.code(429).type(JSON_TYPE).send(errorBody('Too many requests'));
    return true;
  }
  const redirect = faults.find('redirect');
  if (redirect !== undefined) {
    await reply.code(redirect.status).header('location', redirect.location).send();
    return true;
  }
  const status = faults.find('status');
  if (status === undefined) return false;
  await sendStatus(reply, status.status, status.body);
  return true;
}

/** Answers as services and proxies do. docs/service.md, "Errors" and "Lists and values". */
async function sendStatus(
  reply: FastifyReply,
  status: number,
  body: 'json' | 'html' | 'empty',
): Promise<void> {
  reply.code(status);
  if (body === 'empty') await reply.send();
  else if (body === 'html') await reply.type('text/html; charset=utf-8').send(HTML_BODY);
  else {
    const extra = status >= 500 ? { eventId: randomUUID() } : {};
    await reply.type(JSON_TYPE).send(errorBody(`Fault on purpose: ${status}`, extra));
  }
}

const COOKIE_BYTES = 4000;

function bigCookies(bytes: number): string[] {
  const count = Math.ceil(bytes / COOKIE_BYTES);
  return Array.from({ length: count }, (_, n) => {
    const length = Math.min(COOKIE_BYTES, bytes - n * COOKIE_BYTES);
    return `filler${n}=${'c'.repeat(length)}; Path=/`;
  });
}
