import { type DoctorFinding, finding } from '../../../contract/doctor.ts';
import type { FindingCode } from '../../../contract/doctor-steps.ts';
import {
  type CertificateFacts,
  errorCodeFact,
  limitFact,
  type PathObservation,
  type ProbeOutcome,
} from './observations.ts';
import { notInTime } from './probe-limits.ts';

type Rules = readonly (readonly [RegExp, FindingCode])[];

const dnsRules: Rules = [[/^(ENOTFOUND|ENODATA|EAI_NONAME|EAI_NODATA)$/, 'dns.unknown']];
const tcpRules: Rules = [
  [/^ECONNREFUSED$/, 'tcp.refused'],
  [/^(EACCES|EPERM)$/, 'tcp.blocked'],
  [/^(ENETUNREACH|EHOSTUNREACH|ENETDOWN|EADDRNOTAVAIL|EINVAL)$/, 'tcp.noRoute'],
];
const proxyRules: Rules = [
  [/^(ENOTFOUND|EAI_AGAIN|ENODATA)$/, 'proxy.nameUnknown'],
  [/^STATUS_407$/, 'proxy.loginNeeded'],
  [/^STATUS_5/, 'proxy.cannotReach'],
  [/^STATUS_/, 'proxy.refused'],
  [/^(HPE_|PROXY_PROTOCOL$|ECONNRESET$|EPIPE$|EPROTO$|ERR_SSL_)/, 'proxy.notAProxy'],
];
/** Node's own codes, then Chromium's names. */
const tlsRules: Rules = [
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|ERR_CERT_COMMON_NAME_INVALID)$/, 'tls.wrongHost'],
  [/^(CERT_HAS_EXPIRED|ERR_CERT_DATE_INVALID)$/, 'tls.expired'],
  [/^CERT_NOT_YET_VALID$/, 'tls.notYetValid'],
  [
    /^(UNABLE_TO_(GET_ISSUER|VERIFY)|SELF_SIGNED|DEPTH_ZERO|CERT_UNTRUSTED|INVALID_CA|ERR_CERT_AUTHORITY_INVALID)/,
    'tls.unknownAuthority',
  ],
  [/^(CERT_REVOKED|ERR_CERT_REVOKED)$/, 'tls.revoked'],
  [/^(CERT_|ERR_CERT_|INVALID_PURPOSE|PATH_LENGTH)/, 'tls.refused'],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNEXPECTED_MESSAGE)$/, 'tls.notTls'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'tls.closed'],
  [/^TIMEOUT$/, 'tls.noAnswer'],
];

/** A certificate that expires within this many days is reported. */
const soonDays = 14;
const dayMs = 86_400_000;

/** @returns `step.notInTime` for any step that this computer was too busy to check */
const pick = (rules: Rules, cause: string, otherwise: FindingCode): FindingCode =>
  cause === notInTime ? 'step.notInTime' : (rules.find(([pattern]) => pattern.test(cause))?.[1] ?? otherwise);

/** The finding for a TLS error, by the code of Node's or Chromium's error. */
export const assessTlsCause = (cause: string): FindingCode => pick(tlsRules, cause, 'tls.handshakeFailed');

/** A finding about the service's certificate, or about one between it and the authority. */
function checkChain(code: FindingCode, certificate: CertificateFacts | null, nowMs: number): FindingCode {
  if (certificate === null) return code;
  const { validUntilMs, expiredIssuerMs, isIssuerMissing } = certificate;
  const isValid = validUntilMs === null || validUntilMs > nowMs;
  if (code === 'tls.expired' && isValid && expiredIssuerMs !== null) return 'tls.intermediateExpired';
  return code === 'tls.unknownAuthority' && isIssuerMissing ? 'tls.intermediateMissing' : code;
}

/** The finding for each probe of the path; results of requests are not considered here. */
export function assessPath(path: PathObservation, nowMs: number): DoctorFinding[] {
  return [assessDns(path), assessTcp(path), assessProxy(path), assessTls(path, nowMs)];
}

function assessDns({ dns, host, proxyHost }: PathObservation): DoctorFinding {
  const shown = proxyHost === null ? { host } : {};
  if (dns.kind === 'passed')
    return finding('dns', 'dns.found', { tookMs: dns.tookMs, facts: { addresses: dns.addresses }, shown });
  if (dns.kind !== 'failed') return untried('dns', dns.kind, 'dns.notNeeded');
  const code = pick(dnsRules, dns.cause, 'dns.noAnswer');
  return finding('dns', code, { tookMs: dns.tookMs, facts: errorCodeFact(dns.cause), shown });
}

function assessTcp({ tcp, host, port, limitSeconds }: PathObservation): DoctorFinding {
  const shown = { host };
  if (tcp.kind === 'passed')
    return finding('tcp', 'tcp.open', { tookMs: tcp.tookMs, facts: { port }, shown });
  if (tcp.kind !== 'failed') return untried('tcp', tcp.kind, 'step.notTried');
  const code = pick(tcpRules, tcp.cause, 'tcp.noAnswer');
  const facts = { port, ...limitFact(code, limitSeconds), ...errorCodeFact(tcp.cause) };
  return finding('tcp', code, { tookMs: tcp.tookMs, facts, shown });
}

function assessProxy({ proxy, proxyHost }: PathObservation): DoctorFinding {
  const shown = proxyHost === null ? {} : { proxyHost };
  if (proxy.kind === 'passed') return finding('proxy', 'proxy.passed', { tookMs: proxy.tookMs, shown });
  if (proxy.kind !== 'failed') return untried('proxy', proxy.kind, 'proxy.none');
  const { status, cause } = proxy;
  const code = pick(proxyRules, cause, 'proxy.unreachable');
  const facts = status === undefined ? errorCodeFact(cause) : { status };
  return finding('proxy', code, { tookMs: proxy.tookMs, facts, shown });
}

function assessTls({ tls, certificate, limitSeconds }: PathObservation, nowMs: number): DoctorFinding {
  if (tls.kind !== 'passed' && tls.kind !== 'failed') return untried('tls', tls.kind, 'tls.notUsed');
  const code = tls.kind === 'failed' ? checkChain(assessTlsCause(tls.cause), certificate, nowMs) : null;
  const { validUntilMs = null, expiredIssuerMs = null } = certificate ?? {};
  const until = code === 'tls.intermediateExpired' ? expiredIssuerMs : validUntilMs;
  const daysLeft = until === null ? null : Math.floor((until - nowMs) / dayMs);
  const facts = {
    ...(until === null ? {} : { validUntil: new Date(until).toISOString().slice(0, 10) }),
    ...(daysLeft === null ? {} : { daysLeft }),
    ...(certificate?.protocol == null ? {} : { tlsProtocol: certificate.protocol }),
  };
  const shown =
    certificate === null ? {} : { certificateFor: certificate.names, certificateBy: certificate.issuer };
  if (tls.kind === 'failed' && code !== null) {
    const all = { ...facts, ...limitFact(code, limitSeconds), ...errorCodeFact(tls.cause) };
    return finding('tls', code, { tookMs: tls.tookMs, facts: all, shown });
  }
  const passed = daysLeft !== null && daysLeft < soonDays ? 'tls.expiresSoon' : 'tls.verified';
  return finding('tls', passed, { tookMs: tls.tookMs, facts, shown });
}

function untried(
  id: DoctorFinding['id'],
  kind: Exclude<ProbeOutcome['kind'], 'passed' | 'failed'>,
  notNeeded: FindingCode,
): DoctorFinding {
  return finding(id, { notTried: 'step.notTried', byProxy: 'step.byProxy', notNeeded }[kind] as FindingCode);
}
