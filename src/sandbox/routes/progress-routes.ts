import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Connect } from '../connect/connect.ts';
import type { ConnectBehavior } from '../connect/settings.ts';
import { infoOf } from '../connect/validation-calls.ts';
import {
  credentialsAreValid,
  isPending,
  isTerminal,
  type SimulatedValidation,
} from '../connect/validation-machine.ts';
import type { Task } from '../connect/validations.ts';
import type { RequestFaults } from '../faults/active-faults.ts';
import { applyEarlyFaults } from '../faults/early-faults.ts';
import { ApiError } from '../http/api-error.ts';
import { addBrowserAccess } from '../http/browser-access.ts';
import { complainAboutCookie } from '../http/session-cookie.ts';
import type { Service } from '../service.ts';

/** Time to send the last bytes before a connection is reset. */
const FLUSH_MS = 30;

/**
 * The events of one validation as server-sent events: its current state, each later state, pings, and `timeout` at the
 * time limit. The stream ends after a terminal state. docs/service.md, "Event stream".
 */
function openProgressStream(
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

  const send = (validation: SimulatedValidation): void => {
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
  validation: SimulatedValidation,
  { failureResult }: ConnectBehavior,
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

/** Writes the same events in unusual forms that the rules of server-sent events allow. */
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

const querySchema = z.looseObject({ token: z.string().min(1) });

/**
 * `GET /progress/{task_id}/stream?token=…`, under `/v3/connect` and, in the old spelling, `/v3/sdk`. docs/service.md,
 * "Connect calls".
 */
export async function addProgressRoutes(app: FastifyInstance, service: Service): Promise<void> {
  addBrowserAccess(app);
  app.get<{ Params: { taskId: string } }>(
    '/progress/:taskId/stream',
    async (request, reply): Promise<FastifyReply> => {
      complainAboutCookie(service, request);
      const faults = service.faults.forRequest('connect-stream');
      if (await applyEarlyFaults(faults, service.clock, request, reply)) return reply;
      const token = querySchema.safeParse(request.query).data?.token;
      const task = await checkTaskToken(service, request.params.taskId, token);
      return reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(openProgressStream(service.connect, task, faults, request));
    },
  );
}

/**
 * Returns the task of a token.
 *
 * @throws ApiError 401, 403 or 422 with the messages of docs/service.md, "Connect calls"
 */
async function checkTaskToken(service: Service, taskId: string, token: string | undefined): Promise<Task> {
  const { tokens, validations } = service.connect;
  if (token === undefined) throw new ApiError(401, 'Missing token');
  const read = await tokens.read('task', token, service.clock.serverNowMs());
  if (read.verdict === 'bad') throw new ApiError(422, 'The task token is not valid');
  if (read.verdict === 'expired') throw new ApiError(401, 'Task token has expired');
  if (read.subject !== taskId) throw new ApiError(403, 'Not your task');
  const task = validations.find(taskId);
  if (task === undefined || isTerminal(task.validation.state)) throw new ApiError(401, 'Task not available');
  return task;
}
