import { describe, expect, test } from 'vitest';
import { assessPath, assessTlsCause } from '../../../../../src/main/engine/doctor/assess-path.ts';
import type { PathObservation } from '../../../../../src/main/engine/doctor/observations.ts';
import { codesOf, nowMs, openPath } from './network-observations.ts';

const fails = (cause: string, status?: number) =>
  ({ kind: 'failed', tookMs: 5, cause, ...(status === undefined ? {} : { status }) }) as const;
const judge = (more: Partial<PathObservation>) => assessPath({ ...openPath, ...more }, nowMs);

test.each([
  [{ dns: fails('ENOTFOUND') }, 'dns', 'dns.unknown'],
  [{ dns: fails('EAI_AGAIN') }, 'dns', 'dns.noAnswer'],
  [{ dns: fails('TIMEOUT') }, 'dns', 'dns.noAnswer'],
  [{ dns: { kind: 'notNeeded' } }, 'dns', 'dns.notNeeded'],
  [{ tcp: fails('ECONNREFUSED') }, 'tcp', 'tcp.refused'],
  [{ tcp: fails('TIMEOUT') }, 'tcp', 'tcp.noAnswer'],
  [{ tcp: fails('ETIMEDOUT') }, 'tcp', 'tcp.noAnswer'],
  [{ tcp: fails('ENETUNREACH') }, 'tcp', 'tcp.noRoute'],
  [{ tcp: fails('EHOSTUNREACH') }, 'tcp', 'tcp.noRoute'],
  [{ tcp: fails('EACCES') }, 'tcp', 'tcp.blocked'],
  [{ proxy: fails('ENOTFOUND') }, 'proxy', 'proxy.nameUnknown'],
  [{ proxy: fails('ECONNREFUSED') }, 'proxy', 'proxy.unreachable'],
  [{ proxy: fails('TIMEOUT') }, 'proxy', 'proxy.unreachable'],
  [{ proxy: fails('STATUS_407', 407) }, 'proxy', 'proxy.loginNeeded'],
  [{ proxy: fails('STATUS_403', 403) }, 'proxy', 'proxy.refused'],
  [{ proxy: fails('STATUS_504', 504) }, 'proxy', 'proxy.cannotReach'],
  [{ proxy: fails('HPE_INVALID_CONSTANT') }, 'proxy', 'proxy.notAProxy'],
  [{ dns: fails('NOT_IN_TIME') }, 'dns', 'step.notInTime'],
  [{ tcp: fails('NOT_IN_TIME') }, 'tcp', 'step.notInTime'],
  [{ proxy: fails('NOT_IN_TIME') }, 'proxy', 'step.notInTime'],
  [{ tls: fails('NOT_IN_TIME'), certificate: null }, 'tls', 'step.notInTime'],
  [{ tls: { kind: 'notNeeded' } }, 'tls', 'tls.notUsed'],
  [{ tls: { kind: 'notTried' } }, 'tls', 'step.notTried'],
] as const)('%j', (more, step, code) => {
  expect(codesOf(judge(more))[step]).toBe(code);
});

/** The codes of OpenSSL as Node has them, and Chromium's names for the same. */
test.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls.wrongHost'],
  ['ERR_CERT_COMMON_NAME_INVALID', 'tls.wrongHost'],
  ['CERT_HAS_EXPIRED', 'tls.expired'],
  ['CERT_NOT_YET_VALID', 'tls.notYetValid'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls.unknownAuthority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls.unknownAuthority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls.unknownAuthority'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls.unknownAuthority'],
  ['CERT_REVOKED', 'tls.revoked'],
  ['CERT_SIGNATURE_FAILURE', 'tls.refused'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls.notTls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'tls.notTls'],
  ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls.handshakeFailed'],
  ['ECONNRESET', 'tls.closed'],
  ['TIMEOUT', 'tls.noAnswer'],
])('%s is %s', (cause, code) => {
  expect(assessTlsCause(cause)).toBe(code);
});

describe('how long a certificate is valid', () => {
  const certificate = (daysLeft: number) => ({
    ...openPath.certificate,
    validUntilMs: nowMs + daysLeft * 86_400_000,
    names: '',
    issuer: '',
    protocol: null,
    expiredIssuerMs: null,
    isIssuerMissing: false,
  });

  test.each([
    [14, 'tls.verified'],
    [13, 'tls.expiresSoon'],
    [0, 'tls.expiresSoon'],
  ])('%i days', (daysLeft, code) => {
    const tls = judge({ certificate: certificate(daysLeft) }).find(({ id }) => id === 'tls');
    expect(tls).toMatchObject({ code, facts: { daysLeft, validUntil: expect.stringMatching(/^2026-06-/) } });
  });
});

test('what is shown next to a step is not among its facts', () => {
  const [dns, tcp, , tls] = judge({});
  expect([dns?.shown, tcp?.shown]).toEqual([{ host: openPath.host }, { host: openPath.host }]);
  expect(tls?.shown).toEqual({
    certificateFor: 'DNS:claims.planted.example',
    certificateBy: 'Planted Authority',
  });
  expect(JSON.stringify([dns?.facts, tcp?.facts, tls?.facts])).not.toMatch(/planted/i);
});

test.each([
  ['CERT_HAS_EXPIRED', { expiredIssuerMs: nowMs - 86_400_000 }, 'tls.intermediateExpired', '2026-05-31'],
  ['CERT_HAS_EXPIRED', {}, 'tls.expired', '2026-09-09'],
  [
    'CERT_HAS_EXPIRED',
    { validUntilMs: nowMs - 1, expiredIssuerMs: nowMs - 86_400_000 },
    'tls.expired',
    '2026-06-01',
  ],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', { isIssuerMissing: true }, 'tls.intermediateMissing', '2026-09-09'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, 'tls.unknownAuthority', '2026-09-09'],
] as const)('%s with %j is %s, with the date of that certificate', (cause, more, code, validUntil) => {
  const { certificate } = openPath;
  if (certificate === null) throw new Error('the open path has a certificate');
  const tls = judge({ tls: fails(cause), certificate: { ...certificate, ...more } }).find(
    ({ id }) => id === 'tls',
  );
  expect(tls).toMatchObject({ code, facts: { validUntil } });
});
