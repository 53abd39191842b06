import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { RequestFaults } from '../faults/active-faults.ts';
import type { Connect } from './connect.ts';
import type { ConnectSettings } from './settings.ts';
import { infoOf } from './validation-calls.ts';
import type { Validation } from './validation-machine.ts';
import { credentialsAreValid, isPending, isTerminal } from './validation-machine.ts';
import type { Task } from './validations.ts';

/** Time to send the last bytes before a connection is reset. */
const FLUSH_MS = 30;

/**
 * The events of one validation as server-sent events: its current state, each later state, pings, and `timeout` at
 * the limit of the stream; it ends after a terminal state. docs/service.md, "Event stream".
 */
export function openProgressStream(
  connect: Connect,
  task: Task,
  faults: RequestFaults,
  request: FastifyRequest,
): PassThrough {
  const stream = new PassThrough();
  const { pingMs, streamMs } = connect.settings;
  const drop = faults.find('drop-stream');
  const timeout = faults.find('timeout-stream');
  const write = faults.find('odd-stream') === undefined ? writeEvent : writeOddEvent;
  const isMute = faults.find('mute-stream') !== undefined;
  const lost = faults.find('lost-events');
  let sent = 0;

  const send = (validation: Validation): void => {
    if (isMute) return;
    sent += 1;
    const isLost = lost !== undefined && sent > lost.afterEvents && sent - lost.afterEvents <= lost.count;
    if (isLost) return;
    write(stream, 'state', eventOf(validation, connect.settings));
    if (isTerminal(validation.state)) close('end');
    else if (timeout !== undefined && sent >= timeout.afterEvents) endByTimeout();
    else if (drop !== undefined && sent >= drop.afterEvents) close(drop.how);
  };
  const endByTimeout = (): void => {
    write(stream, 'timeout', {});
    close('end');
  };
  const close = (how: 'end' | 'reset'): void => {
    clearInterval(pings);
    clearTimeout(limit);
    unsubscribe();
    connect.openStreams.delete(close);
    if (how === 'end') stream.end();
    else setTimeout(() => request.raw.socket.resetAndDestroy(), FLUSH_MS).unref();
  };
  const pings = setInterval(() => {
    if (!isMute) write(stream, 'ping', {});
  }, pingMs);
  const limit = setTimeout(endByTimeout, streamMs);
  const unsubscribe = connect.validations.subscribe(task, send);
  connect.openStreams.add(close);
  stream.once('close', () => close('end'));
  if (drop?.afterEvents === 0) close(drop.how);
  else send(task.validation);
  return stream;
}

/** A state in the stream: the raw one, with its details. */
function eventOf(
  validation: Validation,
  { failureResult }: ConnectSettings,
): { status: string; result: object | string | null } {
  const { state, message } = validation;
  if (!isTerminal(state)) {
    const info = infoOf(validation);
    return {
      status: state,
      result: info === null && message === null ? null : { ...info, ...(message && { message }) },
    };
  }
  if (state === 'FAILURE' && failureResult === 'text') return { status: state, result: message };
  const verdict = { credentials_are_valid: credentialsAreValid(validation), pending: isPending(validation) };
  return { status: state, result: { ...verdict, message } };
}

function writeEvent(stream: PassThrough, event: string, data: object): void {
  if (stream.writable) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The same events in unusual forms that the rules of server-sent events allow. */
function writeOddEvent(stream: PassThrough, event: string, data: object): void {
  if (!stream.writable) return;
  const json = JSON.stringify(data, null, 1)
    .split('\n')
    .map((line) => `data:${line}\r\n`)
    .join('');
  const bytes = Buffer.from(
    `: kept alive — é\r\nretry: 1\r\nid: 7\r\n\r\nevent: hint\r\ndata: {"next":"…"}\r\n\r\nevent:${event}\r\n${json}\r\n`,
  );
  // The bytes are written in pieces that split characters and line ends.
  for (let at = 0; at < bytes.length; at += 7) stream.write(bytes.subarray(at, at + 7));
}
