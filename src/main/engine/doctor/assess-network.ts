import { type DoctorFacts, type DoctorFinding, finding } from '../../../contract/doctor.ts';
import { type DoctorStepId, type FindingCode, findingTable } from '../../../contract/doctor-steps.ts';
import { maxClockOffsetSeconds } from '../../lib/clock.ts';
import { assessPath, assessTlsCause } from './assess-path.ts';
import { type AskOutcome, errorCodeFact, type NetworkObservation, type ReplyFacts } from './observations.ts';
import { notInTime } from './probe-limits.ts';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `90` → `90 seconds`, `600` → `10 minutes`: the largest unit of which there are at least two. */
export function sayDuration(seconds: number): string {
  const whole = Math.max(1, Math.round(Math.abs(seconds)));
  const [name, size] = units.find(([, unit]) => whole >= 2 * unit) ?? units[3];
  const count = Math.round(whole / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** How this computer's clock differs from the service's; `offsetSeconds` is the service's minus this computer's. */
export const sayOffset = (offsetSeconds: number): string =>
  `${sayDuration(offsetSeconds)} ${offsetSeconds > 0 ? 'behind' : 'ahead of'}`;

type Verdicts = Partial<Record<DoctorStepId, FindingCode>>;

/** A `Date` header is exact to a second and takes up to another one to arrive: a smaller difference is ignored. */
const clockToleranceSeconds = 2;

/**
 * Turns what was observed of the network into one finding per step, in the doctor's order. A reply over the real
 * transport outweighs a direct probe that failed, because only the transport knows the system's proxy. Statuses are
 * read according to docs/service.md, "Errors" and "SSH-JWT".
 */
export function assessNetwork(observed: NetworkObservation): DoctorFinding[] {
  const { unsigned, signed } = observed;
  const isReached = unsigned.kind === 'replied';
  const path = assessPath(observed.path, observed.nowMs).map((step) =>
    isReached && isFailed(step) ? finding(step.id, 'step.bypassed', { tookMs: step.durationMs }) : step,
  );
  const isPathBlocked = path.some(isFailed);
  const verdicts: Verdicts = {
    ...(isReached
      ? assessReplies(unsigned.reply, signed, observed.perPage !== null)
      : assessSilence(observed, isPathBlocked)),
    ...(isReached ? { clock: assessClock(observed) } : {}),
  };
  const last = signed.kind === 'replied' ? signed.reply : isReached ? unsigned.reply : null;
  const facts = { ...factsOf(last, observed), ...detailOf(signed), ...detailOf(unsigned) };
  const later = (['http', 'clock', 'acceptance', 'permission', 'rateLimit', 'reply'] as const).map((id) => {
    const code = verdicts[id] ?? 'step.notTried';
    if (findingTable[code].status === 'skipped') return finding(id, code);
    return finding(id, code, {
      tookMs: tookMsOf(id === 'http' ? unsigned : id === 'acceptance' ? signed : { kind: 'notTried' }),
      facts: pickFacts(id, code, facts),
      shown:
        code === 'reply.redirected' && last?.redirectHost != null ? { redirectHost: last.redirectHost } : {},
    });
  });
  const overruled = path.map((step) => {
    const code = verdicts[step.id];
    return code === undefined
      ? step
      : { ...step, code, facts: { ...step.facts, ...pickFacts(step.id, code, facts) } };
  });
  return [...overruled, ...later];
}

const isFailed = ({ code }: DoctorFinding): boolean => findingTable[code].status === 'failed';

/** No reply came: a closed path explains it; otherwise the transport's error does. */
function assessSilence(observed: NetworkObservation, isPathBlocked: boolean): Verdicts {
  const { unsigned, path } = observed;
  if (isPathBlocked || unsigned.kind !== 'failed') return {};
  if (path.speaksTls) return { http: 'http.speaksTls' };
  const detail = unsigned.detail ?? '';
  if (detail === notInTime) return { http: 'step.notInTime' };
  if (/^ERR_(PROXY|TUNNEL|MANDATORY_PROXY|SOCKS)/.test(detail)) return { proxy: 'proxy.systemFailed' };
  switch (unsigned.code) {
    case 'service.proxyLogin':
      return { proxy: 'proxy.loginNeeded' };
    case 'service.certificateAhead':
    case 'service.tlsRefused':
      return {
        tls: assessTlsCause(detail) === 'tls.handshakeFailed' ? 'tls.refused' : assessTlsCause(detail),
      };
    case 'service.timeout':
      return { http: 'http.noAnswer' };
    case 'service.connectionLost':
      return {
        http: /^(HPE_|HTTPParserError|ERR_INVALID_HTTP)/.test(detail)
          ? 'http.notHttp'
          : 'http.connectionLost',
      };
    case 'service.redirected':
      return { http: 'http.answered', reply: 'reply.redirected' };
    case 'service.replyTooLarge':
      return { http: 'http.answered', reply: 'reply.tooLarge' };
    default:
      return { http: 'http.failed' };
  }
}

/** Compares the service's answer to a request without a token with its answer to one with a token. */
function assessReplies(plain: ReplyFacts, signed: AskOutcome, hasSmallPages: boolean): Verdicts {
  const early = assessEarly(plain);
  if (early !== null) return { http: 'http.answered', ...early };
  const base: Verdicts = { http: 'http.answered', rateLimit: 'rateLimit.free' };
  switch (signed.kind) {
    case 'notTried':
      return base;
    case 'noToken':
      return { ...base, acceptance: 'acceptance.noToken' };
    case 'failed':
      return { ...base, acceptance: 'acceptance.unclear', ...assessBrokenAnswer(signed) };
    case 'replied':
      return { ...base, ...assessSigned(signed.reply, plain, hasSmallPages) };
  }
}

/** Returns what the reply without a token already shows, so that no token has to be sent; null: continue. */
export function assessEarly(plain: ReplyFacts): Verdicts | null {
  const { status, shape } = plain;
  if (status === 407) return { proxy: 'proxy.loginNeeded', http: 'step.notTried' };
  if (status === 511) return { http: 'http.networkSignIn' };
  if (status === 429) return { rateLimit: 'rateLimit.limited' };
  if (status === 404) return { http: 'http.noSuchPath' };
  if (status >= 500) return { http: assessFault(status) };
  if (status >= 300 && status < 400) return { reply: 'reply.redirected' };
  if (status >= 200 && status < 300 && shape !== 'envelope' && shape !== 'object')
    return { reply: assessShape(shape) };
  return null;
}

function assessSigned(reply: ReplyFacts, plain: ReplyFacts, hasSmallPages: boolean): Verdicts {
  const { status } = reply;
  const unclear = { acceptance: 'acceptance.unclear' } as const;
  if (status === 200) {
    const accepted = { acceptance: 'acceptance.accepted', permission: 'permission.granted' } as const;
    const isFit = reply.shape === 'envelope';
    return { ...accepted, reply: isFit && hasSmallPages ? 'reply.smallPages' : assessShape(reply.shape) };
  }
  if (status === 400 || status === 401) {
    if (reply.speaksOf === 'time') return { acceptance: 'acceptance.timeRefused' };
    const isForm = status === 400 && reply.speaksOf === 'form';
    return { acceptance: isForm ? 'acceptance.notUnderstood' : 'acceptance.refused' };
  }
  if (status === 403) {
    return plain.status === 403
      ? { ...unclear, permission: 'permission.refusedEarly' }
      : { acceptance: 'acceptance.accepted', permission: 'permission.refused' };
  }
  if (status === 429) return { ...unclear, rateLimit: 'rateLimit.limited' };
  if (status >= 500) return { ...unclear, http: assessFault(status) };
  if (status >= 300 && status < 400) return { ...unclear, reply: 'reply.redirected' };
  return { ...unclear, reply: 'reply.unexpectedStatus' };
}

function assessBrokenAnswer({ code, detail }: Extract<AskOutcome, { kind: 'failed' }>): Verdicts {
  if (detail === notInTime) return { http: 'step.notInTime' };
  if (code === 'service.timeout') return { http: 'http.noAnswer' };
  if (code === 'service.connectionLost') return { reply: 'reply.brokenOff' };
  if (code === 'service.redirected') return { reply: 'reply.redirected' };
  if (code === 'service.replyTooLarge') return { reply: 'reply.tooLarge' };
  return { http: 'http.failed' };
}

const assessFault = (status: number): FindingCode =>
  status >= 502 && status <= 504 ? 'http.gateway' : 'http.fault';

const assessShape = (shape: ReplyFacts['shape']): FindingCode =>
  (
    ({
      envelope: 'reply.fits',
      object: 'reply.otherShape',
      html: 'reply.html',
      empty: 'reply.empty',
      truncated: 'reply.truncated',
      notJson: 'reply.notJson',
    }) as const
  )[shape];

function assessClock({ offsetSeconds, signed }: NetworkObservation): FindingCode {
  if (offsetSeconds === null) return 'clock.unknown';
  const isSigned = signed.kind === 'replied' || signed.kind === 'failed';
  if (Math.abs(offsetSeconds) > maxClockOffsetSeconds && !isSigned) return 'clock.skewed';
  return Math.abs(offsetSeconds) > clockToleranceSeconds ? 'clock.off' : 'clock.right';
}

const tookMsOf = (asked: AskOutcome): number => ('tookMs' in asked ? asked.tookMs : 0);

const detailOf = (asked: AskOutcome): DoctorFacts =>
  asked.kind === 'failed' ? errorCodeFact(asked.detail ?? asked.code) : {};

const factsOf = (
  reply: ReplyFacts | null,
  { offsetSeconds, askLimitSeconds, perPage }: NetworkObservation,
): DoctorFacts => ({
  limitSeconds: askLimitSeconds,
  ...(perPage === null ? {} : { perPage }),
  ...(offsetSeconds === null ? {} : { offsetSeconds, off: sayOffset(offsetSeconds) }),
  ...(reply === null ? {} : { status: reply.status, bytes: reply.bytes }),
  ...(reply?.requestId == null ? {} : { requestId: reply.requestId }),
  ...(reply?.retryAfterSeconds == null
    ? { wait: 'a few minutes' }
    : { retryAfterSeconds: reply.retryAfterSeconds, wait: sayDuration(reply.retryAfterSeconds) }),
});

/** The facts that belong to a step; those of a failure only where it failed. */
function pickFacts(id: DoctorStepId, code: FindingCode, facts: DoctorFacts): DoctorFacts {
  const isBad = findingTable[code].status === 'failed';
  const hasLimit = findingTable[code].sentence.includes('{limitSeconds}');
  const factNames: readonly (keyof DoctorFacts)[] =
    id === 'clock'
      ? ['offsetSeconds', 'off']
      : [
          ...(['http', 'acceptance', 'permission', 'reply'].includes(id) || isBad
            ? (['status', 'requestId'] as const)
            : []),
          ...(id === 'reply' ? (['bytes'] as const) : []),
          ...(isBad ? (['errorCode'] as const) : []),
          ...(code === 'reply.smallPages' ? (['perPage'] as const) : []),
          ...(hasLimit ? (['limitSeconds'] as const) : []),
          ...(code === 'rateLimit.limited' ? (['retryAfterSeconds', 'wait'] as const) : []),
        ];
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => factNames.includes(name as keyof DoctorFacts)),
  );
}
