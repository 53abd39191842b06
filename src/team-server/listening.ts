import type { FastifyReply } from 'fastify';
import { maxWaitSeconds } from '../team-protocol/api.ts';
import { ApiError } from './api-error.ts';
import type { Caller } from './callers.ts';
import type { Live } from './live.ts';
import type { RouteContext } from './route-context.ts';

type Listener = Omit<Parameters<Live['listen']>[2], 'computer'>;

/** Listens until `ended` is called; refused beyond the limit of a computer. Returns what stops it. */
export function listenAs(
  { live, limits }: RouteContext,
  { team, head, computer }: Caller,
  listener: Listener,
): () => void {
  // A request that was being verified when the server began to end.
  if (live.hasEnded()) throw new ApiError('server.busy');
  if (live.countListeners(computer) >= limits.maxListenersOfComputer) throw new ApiError('request.tooMany');
  return live.listen(team, head, { ...listener, computer });
}

/** Answers a request when the listener calls `done`, or with `otherwise` after so many seconds. */
export function waitFor<Answer>(
  context: RouteContext,
  caller: Caller,
  reply: FastifyReply,
  options: {
    readonly seconds: number;
    readonly otherwise: Answer;
    readonly listen: (done: (answer: Answer) => void) => Omit<Listener, 'ended'>;
  },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      stop();
    };
    const done = (answer: Answer): void => {
      end();
      resolve(answer);
    };
    const stop = listenAs(context, caller, {
      ...options.listen(done),
      ended() {
        end();
        reject(new ApiError('server.busy'));
      },
    });
    const ms = Math.min(options.seconds, maxWaitSeconds) * 1_000;
    const timer = setTimeout(() => done(options.otherwise), ms);
    reply.raw.once('close', end);
  });
}
