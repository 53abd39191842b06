import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestFaults } from './active-faults.ts';
import { HTML_BODY } from './early-faults.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Time to send the first bytes before the connection is reset, since a reset discards queued data. */
const FLUSH_MS = 30;

/** Sends a finished body after applying the faults of the body and of its delivery. */
export async function deliver(
  faults: RequestFaults,
  body: Buffer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.type(JSON_TYPE);
  if (faults.isEmpty) return reply.send(body);
  const bytes = corruptBody(faults, body, reply);
  const reset = faults.find('reset');
  if (reset !== undefined) return resetMidBody(bytes, reset.afterBytes, request, reply);
  const drip = faults.find('drip');
  if (drip === undefined) return reply.send(bytes);
  reply.header('content-length', bytes.length);
  return reply.send(Readable.from(drops(bytes, drip.bytes, drip.everyMs), { objectMode: false }));
}

function corruptBody(faults: RequestFaults, body: Buffer, reply: FastifyReply): Buffer {
  const type = faults.find('content-type');
  if (type !== undefined) reply.type(type.value);
  const replaced = faults.find('replace-body')?.body;
  if (replaced === 'html') {
    reply.type('text/html; charset=utf-8');
    return Buffer.from(HTML_BODY);
  }
  if (replaced !== undefined) return Buffer.from(replaced === 'text' ? 'OK' : '');
  const truncated = faults.find('truncated');
  const kept = truncated === undefined ? body : body.subarray(0, Math.floor(body.length * truncated.keep));
  return faults.find('broken-utf8') === undefined ? kept : breakUtf8(kept);
}

/** Puts invalid UTF-8 into the first text value. */
function breakUtf8(body: Buffer): Buffer {
  const marker = body.indexOf(':"');
  if (marker === -1) return Buffer.concat([body, Buffer.from([0xff])]);
  return Buffer.concat([
    body.subarray(0, marker + 2),
    Buffer.from([0xc3, 0x28, 0xff]),
    body.subarray(marker + 2),
  ]);
}

async function resetMidBody(
  bytes: Buffer,
  afterBytes: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.hijack();
  reply.raw.writeHead(200, { ...headersOf(reply), 'content-length': bytes.length });
  reply.raw.write(bytes.subarray(0, Math.min(afterBytes, Math.max(0, bytes.length - 1))));
  await sleep(FLUSH_MS);
  request.raw.socket.resetAndDestroy();
  return reply;
}

const headersOf = (reply: FastifyReply): Record<string, string | number | string[]> =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).filter(
      (entry): entry is [string, string | number | string[]] => entry[1] !== undefined,
    ),
  );

async function* drops(bytes: Buffer, size: number, everyMs: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    if (at > 0) await sleep(everyMs);
    yield bytes.subarray(at, at + size);
  }
}
