import type { FastifyInstance } from 'fastify';
import {
  apiPath,
  type ComputersReply,
  type JoinsReply,
  joinAnswerSchema,
  newInvitationSchema,
  newJoinSchema,
  newTeamSchema,
  type Posted,
} from '../team-protocol/api.ts';
import { headerOf } from '../team-protocol/entry.ts';
import { readFrames } from '../team-protocol/frame.ts';
import { readMembership } from '../team-protocol/membership.ts';
import { ApiError } from './api-error.ts';
import { teamPathSchema } from './callers.ts';
import { describePosted, type RouteContext } from './route-context.ts';

/** Routes to create a team and to join one. */
export function addMemberRoutes(app: FastifyInstance, { store, teams, callers, now }: RouteContext): void {
  const { watchAddress, callerOf, proveKey, receiveBody, byAdmin } = callers;

  app.post(
    apiPath,
    { onRequest: [receiveBody] },
    (request): Promise<Posted> =>
      watchAddress(request.ip, async () => {
        const { setupCode, entry: text } = newTeamSchema.parse(request.body);
        const [entry] = readFrames(Buffer.from(text, 'base64url'), 1) ?? [];
        const header = entry == null ? null : headerOf(entry);
        const act = entry == null || header === null ? null : readMembership(header, entry.head);
        if (entry == null || act?.act !== 'create') throw new ApiError('entry.invalid');
        const computer = await proveKey(request, act.certificate.body);
        const { team, judged } = await teams.create(setupCode, entry, computer);
        if ('code' in judged) throw new ApiError(judged.code);
        const state = await teams.readState(team);
        if (state === null) throw new Error('A new team is not there.');
        return describePosted([judged], state.head, now());
      }),
  );

  app.post(`${apiPath}/:team/invitations`, byAdmin, async (request) => {
    const { digest } = newInvitationSchema.parse(request.body);
    const { team, computer } = callerOf(request);
    return { expiresAt: new Date(await teams.invite(team, computer, digest)).toISOString() };
  });
  app.post(`${apiPath}/:team/joins`, { onRequest: [receiveBody] }, (request) =>
    watchAddress(request.ip, async () => {
      const { team } = teamPathSchema.parse(request.params);
      const join = newJoinSchema.parse(request.body);
      return teams.join(team, join, await proveKey(request, join.certificate.body));
    }),
  );
  app.post(`${apiPath}/:team/joins/answers`, byAdmin, async (request) => {
    const { invitation, answer } = joinAnswerSchema.parse(request.body);
    const { team, computer } = callerOf(request);
    await store.answerJoin(team, computer, invitation, answer);
    return {};
  });
  app.get(`${apiPath}/:team/joins`, byAdmin, async (request): Promise<JoinsReply> => {
    const { team, members } = callerOf(request);
    const joins = await teams.listJoins(team, members);
    return { joins: joins.map((join) => ({ ...join, at: new Date(join.at).toISOString() })) };
  });
  app.get(`${apiPath}/:team/computers`, byAdmin, async (request): Promise<ComputersReply> => {
    const seen = await store.readComputers(callerOf(request).team);
    return {
      computers: seen.map(({ computer, seenAt }) => ({ computer, seenAt: new Date(seenAt).toISOString() })),
    };
  });
}
