import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { maxTokenSeconds } from '../team-protocol/api.ts';
import { readCertificateBody } from '../team-protocol/certificate.ts';
import { bytesSchema, computerIdOf, digestSchema } from '../team-protocol/entry.ts';
import { findMember, isWaiting, type Members, type TeamRole } from '../team-protocol/membership.ts';
import { readSigningKey } from '../team-protocol/sign-entry.ts';
import { ApiError } from './api-error.ts';
import { limitReceiving } from './create-app.ts';
import { createBuckets, type GoodAddresses, type Limits } from './limits.ts';
import { StoreError } from './store/database.ts';
import type { TeamHead } from './store/new-entry.ts';
import type { Teams } from './teams.ts';

/** How far a computer's clock may be off. */
const toleranceSeconds = 60;
const maxTokenLength = 2_000;
/** The most tokens that are cached, so that each signature is verified once. */
const maxRemembered = 5_000;

/** The claimed sender of a request, before verification. */
function readToken(authorization: string | undefined): { token: string; computer: string } {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined || token.length > maxTokenLength) throw new ApiError('token.missing');
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return { token, computer: digestSchema.parse((claims as { sub?: unknown }).sub) };
  } catch {
    throw new ApiError('token.invalid');
  }
}

/** Verifies tokens of computers for this server. */
export function createAuthenticator(audience: () => string, now: () => number) {
  const remembered = new Map<string, { computer: string; expMs: number }>();
  return {
    /** @throws ApiError `token.invalid`, `token.expired` */
    async verify(token: string, computer: string, signingKey: string): Promise<void> {
      // The cache below is keyed by computer alone, so the key must be that computer's.
      if (computerIdOf(Buffer.from(signingKey, 'base64url')) !== computer)
        throw new ApiError('token.invalid');
      const before = remembered.get(token);
      if (before !== undefined && before.computer === computer && before.expMs > now()) return;
      const exp = await verifyToken(token, computer, signingKey, audience(), now());
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(token, { computer, expMs: exp * 1_000 });
    },
  };
}

async function verifyToken(
  token: string,
  computer: string,
  signingKey: string,
  audience: string,
  nowMs: number,
): Promise<number> {
  try {
    const { payload } = await jwtVerify(token, readSigningKey(Buffer.from(signingKey, 'base64url')), {
      algorithms: ['EdDSA'],
      audience,
      subject: computer,
      requiredClaims: ['iat', 'exp'],
      clockTolerance: toleranceSeconds,
      currentDate: new Date(nowMs),
      maxTokenAge: maxTokenSeconds,
    });
    const { iat = 0, exp = Number.POSITIVE_INFINITY } = payload;
    if (exp - iat > maxTokenSeconds) throw new ApiError('token.invalid');
    return exp;
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown;
    const isOfTime =
      thrown instanceof errors.JWTExpired ||
      (thrown instanceof errors.JWTClaimValidationFailed && ['iat', 'exp', 'nbf'].includes(thrown.claim));
    throw new ApiError(isOfTime ? 'token.expired' : 'token.invalid');
  }
}

interface CallerSettings {
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
  const callerByRequest = new WeakMap<FastifyRequest, Caller>();

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
      // The failures of others at this address do not limit members.
      () => mayBeMember(request),
    );
    if (!computers.take(caller.computer)) throw new ApiError('request.tooMany');
    await teams.markSeen(caller.team, caller.computer);
    callerByRequest.set(request, caller);
  };
  /**
   * Whether a token is that of a member. If the cached members do not include it, they are read again, at most once a
   * second.
   */
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
    const caller = callerByRequest.get(request);
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
  /** Verifies the token of a computer that is not a member yet, with the key of its certificate. */
  const proveKey = async (request: FastifyRequest, certificate: string): Promise<string> => {
    const body = readCertificateBody(certificate);
    if (body === null) throw new ApiError('certificate.invalid');
    const { token, computer } = readToken(request.headers.authorization);
    await authenticator.verify(token, computer, body.signingKey);
    return computer;
  };
  return { watchAddress, callerOf, proveKey, receiveBody, byMember, byAdmin, withBody };
}
