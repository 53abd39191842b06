import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readCertificateBody } from '../team-protocol/certificate.ts';
import { bytesSchema } from '../team-protocol/entry.ts';
import { findMember, isWaiting, type Members, type TeamRole } from '../team-protocol/membership.ts';
import { ApiError } from './api-error.ts';
import { createAuthenticator, readToken } from './authenticate.ts';
import { limitReceiving } from './create-app.ts';
import { createBuckets, type GoodAddresses, type Limits } from './limits.ts';
import { StoreError } from './store/database.ts';
import type { TeamHead } from './store/new-entry.ts';
import type { Teams } from './teams.ts';

export interface CallerSettings {
  readonly teams: Teams;
  readonly limits: Limits;
  readonly now: () => number;
  /** The origin that computers reach the server at: the audience of their tokens. */
  readonly origin: () => string;
  readonly good: GoodAddresses;
  /** The verified sender of each request, for the log. */
  readonly proven: WeakMap<FastifyRequest, string>;
}

export const teamPathSchema = z.object({ team: bytesSchema(16) });

/** A member who sent a request, and the team at that moment. */
export interface Caller {
  readonly team: string;
  readonly computer: string;
  readonly role: TeamRole | 'recovery';
  readonly head: TeamHead;
  readonly members: Members;
}

export type Callers = ReturnType<typeof createCallers>;

/** Verifies who sends a request, before its body is read, and limits how much they send. */
export function createCallers({ teams, limits, now, origin, proven, good }: CallerSettings) {
  const authenticator = createAuthenticator(origin, now);
  const computers = createBuckets(limits.computer, now);
  const addresses = createBuckets(limits.address, now);
  const lookUps = createBuckets({ capacity: 1, perSecond: 1 }, now);
  const receive = limitReceiving(limits.maxReceivingBytes);
  const found = new WeakMap<FastifyRequest, Caller>();

  /** Runs a check of a token, code or invitation; an address with too many failed checks is refused. */
  const watchAddress = async <Result>(
    address: string,
    run: () => Promise<Result>,
    isExempt: () => Promise<boolean> = async () => false,
  ): Promise<Result> => {
    const isEmpty = addresses.isEmpty(address);
    if (isEmpty && !(await isExempt())) throw new ApiError('request.tooMany');
    try {
      return await run();
    } catch (thrown) {
      if (thrown instanceof StoreError) throw thrown;
      addresses.take(address);
      throw isEmpty ? new ApiError('request.tooMany') : thrown;
    }
  };
  const findCaller = async (
    request: FastifyRequest,
    { token, computer }: ReturnType<typeof readToken>,
  ): Promise<Caller> => {
    const { team } = teamPathSchema.parse(request.params);
    const state = await teams.readState(team);
    if (state === null) throw new ApiError('member.unknown');
    const { members, head } = state;
    const isRecovery = computer === members.recovery.computer;
    // A former member's token is verified as well, so that only the holder of its key learns that it is no longer a
    // member.
    const key = isRecovery ? members.recovery.signingKey : members.computers.get(computer)?.signingKey;
    if (key === undefined) throw new ApiError('member.unknown');
    await authenticator.verify(token, computer, key);
    const member = findMember(members, computer);
    if (member === null && !isRecovery) throw new ApiError('member.unknown');
    if (member !== null && isWaiting(member, new Date(now()).toISOString()))
      throw new ApiError('member.waiting');
    proven.set(request, computer);
    good.add(request.ip);
    return { team, computer, role: member?.role ?? 'recovery', head, members };
  };
  const requireMember = async (request: FastifyRequest): Promise<void> => {
    const caller = await watchAddress(
      request.ip,
      async () => findCaller(request, readToken(request.headers.authorization)),
      // What others at this address fail in costs no member anything.
      () => mayBeMember(request),
    );
    if (!computers.take(caller.computer)) throw new ApiError('request.tooMany');
    await teams.markSeen(caller.team, caller.computer);
    found.set(request, caller);
  };
  /** Whether a token names a member, by members that were read at most a second ago where they lack it. */
  const mayBeMember = async (request: FastifyRequest): Promise<boolean> => {
    const team = teamPathSchema.safeParse(request.params).data?.team;
    if (team === undefined) return false;
    try {
      const { computer } = readToken(request.headers.authorization);
      if (findMember(teams.recallMembers(team), computer) !== null) return true;
      if (!lookUps.take(team)) return false;
      return findMember((await teams.readState(team))?.members ?? null, computer) !== null;
    } catch {
      return false;
    }
  };
  const callerOf = (request: FastifyRequest): Caller => {
    const caller = found.get(request);
    if (caller === undefined) throw new Error('A route has no caller.');
    return caller;
  };
  const requireAdmin = async (request: FastifyRequest): Promise<void> => {
    if (callerOf(request).role !== 'admin') throw new ApiError('member.notAdmin');
  };
  const receiveBody = async (request: FastifyRequest, reply: FastifyReply) => receive(request, reply);
  const byMember = { onRequest: [requireMember] };
  const byAdmin = { onRequest: [requireMember, requireAdmin] };
  const withBody = (bodyLimit: number) => ({ onRequest: [requireMember, receiveBody], bodyLimit });
  /** Verifies the token of a computer that is no member yet, by the key of its certificate. */
  const proveKey = async (request: FastifyRequest, certificate: string): Promise<string> => {
    const body = readCertificateBody(certificate);
    if (body === null) throw new ApiError('certificate.invalid');
    const { token, computer } = readToken(request.headers.authorization);
    await authenticator.verify(token, computer, body.signingKey);
    return computer;
  };
  return { watchAddress, callerOf, proveKey, receiveBody, byMember, byAdmin, withBody };
}
