import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { openProgressStream } from '../connect/progress-stream.ts';
import { isTerminal } from '../connect/validation-machine.ts';
import type { Task } from '../connect/validations.ts';
import { applyEarlyFaults } from '../faults/early-faults.ts';
import { ApiError } from '../http/api-error.ts';
import { addBrowserAccess } from '../http/browser-access.ts';
import { complainAboutCookie } from '../http/session-cookie.ts';
import type { Service } from '../service.ts';

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
 * The task of a token.
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
