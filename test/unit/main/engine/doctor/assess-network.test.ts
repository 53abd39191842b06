import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doctorFindingSchema } from '../../../../../src/contract/doctor.ts';
import { findingTable } from '../../../../../src/contract/doctor-steps.ts';
import type { ErrorCode } from '../../../../../src/contract/error-codes.ts';
import { assessNetwork } from '../../../../../src/main/engine/doctor/assess-network.ts';
import type { AskOutcome } from '../../../../../src/main/engine/doctor/observations.ts';
import { answered, codesOf, observe, openPath } from './network-observations.ts';

const failure = (code: ErrorCode, detail: string | null = null): AskOutcome => ({
  kind: 'failed',
  tookMs: 10,
  code,
  detail,
});
const untried: AskOutcome = { kind: 'notTried' };

test('a connection that works', () => {
  const findings = assessNetwork(observe());
  expect(codesOf(findings)).toEqual({
    dns: 'dns.found',
    tcp: 'tcp.open',
    proxy: 'proxy.none',
    tls: 'tls.verified',
    http: 'http.answered',
    clock: 'clock.right',
    acceptance: 'acceptance.accepted',
    permission: 'permission.granted',
    rateLimit: 'rateLimit.free',
    reply: 'reply.fits',
  });
});

describe('what came back with a token', () => {
  test.each([
    [
      answered(401),
      { acceptance: 'acceptance.refused', permission: 'step.notTried', reply: 'step.notTried' },
    ],
    [answered(400), { acceptance: 'acceptance.refused' }],
    [answered(401, { speaksOf: 'time' }), { acceptance: 'acceptance.timeRefused' }],
    [answered(400, { speaksOf: 'time' }), { acceptance: 'acceptance.timeRefused' }],
    [answered(400, { speaksOf: 'form' }), { acceptance: 'acceptance.notUnderstood' }],
    [answered(401, { speaksOf: 'form' }), { acceptance: 'acceptance.refused' }],
    [answered(403), { acceptance: 'acceptance.accepted', permission: 'permission.refused' }],
    [answered(429), { acceptance: 'acceptance.unclear', rateLimit: 'rateLimit.limited' }],
    [answered(500), { http: 'http.fault', acceptance: 'acceptance.unclear' }],
    [answered(503), { http: 'http.gateway' }],
    [answered(302), { reply: 'reply.redirected' }],
    [answered(422), { reply: 'reply.unexpectedStatus' }],
    [answered(200, { shape: 'object' }), { acceptance: 'acceptance.accepted', reply: 'reply.otherShape' }],
    [answered(200, { shape: 'html' }), { reply: 'reply.html' }],
    [failure('service.timeout'), { http: 'http.noAnswer', acceptance: 'acceptance.unclear' }],
    [failure('service.connectionLost'), { http: 'http.answered', reply: 'reply.brokenOff' }],
    [failure('service.replyTooLarge'), { reply: 'reply.tooLarge' }],
    [failure('service.redirected'), { reply: 'reply.redirected' }],
    [failure('service.unreachable'), { http: 'http.failed' }],
    [
      { kind: 'noToken', code: 'keychain.locked' },
      { acceptance: 'acceptance.noToken', http: 'http.answered' },
    ],
  ] as const)('%#', (signed, expected) => {
    expect(codesOf(assessNetwork(observe({ signed })))).toMatchObject(expected);
  });

  test('403 with and without a token says nothing about the key', () => {
    const codes = codesOf(assessNetwork(observe({ unsigned: answered(403), signed: answered(403) })));
    expect(codes).toMatchObject({ acceptance: 'acceptance.unclear', permission: 'permission.refusedEarly' });
  });
});

describe('what came back without a token', () => {
  test.each([
    [answered(407), { proxy: 'proxy.loginNeeded', http: 'step.notTried' }],
    [answered(511), { http: 'http.networkSignIn', acceptance: 'step.notTried' }],
    [answered(429), { rateLimit: 'rateLimit.limited', acceptance: 'step.notTried' }],
    [answered(404), { http: 'http.noSuchPath' }],
    [answered(502), { http: 'http.gateway' }],
    [answered(307), { reply: 'reply.redirected' }],
    [answered(200, { shape: 'html' }), { reply: 'reply.html', acceptance: 'step.notTried' }],
  ] as const)('%#', (unsigned, expected) => {
    expect(codesOf(assessNetwork(observe({ unsigned, signed: untried })))).toMatchObject(expected);
  });
});

describe('where no reply came', () => {
  test.each([
    [failure('service.timeout'), { http: 'http.noAnswer' }],
    [failure('service.connectionLost', 'ECONNRESET'), { http: 'http.connectionLost' }],
    [failure('service.connectionLost', 'HTTPParserError'), { http: 'http.notHttp' }],
    [
      failure('service.tlsRefused', 'ERR_CERT_AUTHORITY_INVALID'),
      { tls: 'tls.unknownAuthority', http: 'step.notTried' },
    ],
    [failure('service.tlsRefused', 'ERR_CERT_DATE_INVALID'), { tls: 'tls.expired' }],
    [failure('service.tlsRefused', null), { tls: 'tls.refused' }],
    [failure('service.unreachable', 'ERR_PROXY_CONNECTION_FAILED'), { proxy: 'proxy.systemFailed' }],
    [failure('service.unreachable', 'ERR_TUNNEL_CONNECTION_FAILED'), { proxy: 'proxy.systemFailed' }],
    [failure('service.redirected'), { http: 'http.answered', reply: 'reply.redirected' }],
    [failure('service.unreachable', 'EWHATEVER'), { http: 'http.failed' }],
  ] as const)('%#', (unsigned, expected) => {
    const codes = codesOf(assessNetwork(observe({ unsigned, signed: untried, offsetSeconds: null })));
    expect(codes).toMatchObject({ ...expected, clock: 'step.notTried', acceptance: 'step.notTried' });
  });

  test('a closed path is the cause, whatever the transport says', () => {
    const path = { ...openPath, tls: { kind: 'failed', tookMs: 3, cause: 'CERT_HAS_EXPIRED' } } as const;
    const codes = codesOf(
      assessNetwork(observe({ path, unsigned: failure('service.tlsRefused'), signed: untried })),
    );
    expect(codes).toMatchObject({ tls: 'tls.expired', http: 'step.notTried' });
  });
});

test('a reply by a path that only the transport knows outweighs the direct probes', () => {
  const path = {
    ...openPath,
    dns: { kind: 'failed', tookMs: 3, cause: 'ENOTFOUND' },
    tcp: { kind: 'notTried' },
    tls: { kind: 'notTried' },
  } as const;
  const findings = assessNetwork(observe({ path }));
  expect(codesOf(findings)).toMatchObject({ dns: 'step.bypassed', acceptance: 'acceptance.accepted' });
  expect(findings.some(({ code }) => findingTable[code].status === 'failed')).toBe(false);
});

test.each([
  [0, 'clock.right'],
  [2, 'clock.right'],
  [-2, 'clock.right'],
  [3, 'clock.off'],
  [-3, 'clock.off'],
  [null, 'clock.unknown'],
])('an offset of %s seconds', (offsetSeconds, code) => {
  expect(codesOf(assessNetwork(observe({ offsetSeconds }))).clock).toBe(code);
});

/** Whatever is seen, the judgement is of ten steps that fit the schema of what may be handed on. */
test('every observation has a finding without a host in what you send on', () => {
  const asked = fc.oneof(
    fc.constant(untried),
    fc.integer({ min: 100, max: 599 }).chain((status) =>
      fc
        .record({
          shape: fc.constantFrom('envelope', 'object', 'html', 'empty', 'truncated', 'notJson'),
          speaksOf: fc.constantFrom('time', 'form', null),
          redirectHost: fc.constantFrom('elsewhere.planted.example', null),
        } as const)
        .map((more) => answered(status, more)),
    ),
    fc
      .tuple(
        fc.constantFrom<ErrorCode>(
          'service.timeout',
          'service.tlsRefused',
          'service.unreachable',
          'internal.fault',
        ),
        fc.constantFrom('HPE_X', 'ERR_CERT_X', 'jane@planted.example', null),
      )
      .map(([code, detail]) => failure(code, detail)),
  );
  const probe = fc.oneof(
    fc.constant({ kind: 'passed', tookMs: 1, addresses: 1 } as const),
    fc.constant({ kind: 'notTried' } as const),
    fc
      .constantFrom('ENOTFOUND', 'ECONNREFUSED', 'TIMEOUT', 'CERT_HAS_EXPIRED', 'see planted.example!')
      .map((cause) => ({ kind: 'failed', tookMs: 1, cause }) as const),
  );
  const paths = fc
    .record({ dns: probe, tcp: probe, tls: probe, proxy: probe, speaksTls: fc.boolean() })
    .map((parts) => ({ ...openPath, ...parts }));
  fc.assert(
    fc.property(asked, asked, paths, fc.option(fc.integer()), (unsigned, signed, path, offsetSeconds) => {
      const findings = assessNetwork(observe({ unsigned, signed, path, offsetSeconds }));
      expect(findings).toHaveLength(10);
      for (const found of findings) doctorFindingSchema.parse(found);
      expect(JSON.stringify(findings.map(({ facts }) => facts))).not.toContain('planted');
    }),
  );
});
