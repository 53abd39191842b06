import type { DoctorFinding } from '../../../../../src/contract/doctor.ts';
import type { DoctorStepId } from '../../../../../src/contract/doctor-steps.ts';
import type {
  AskOutcome,
  NetworkObservation,
  PathObservation,
  ReplyFacts,
} from '../../../../../src/main/engine/doctor/observations.ts';

export const nowMs = Date.parse('2026-06-01T12:00:00Z');

export const openPath: PathObservation = {
  host: 'claims.planted.example',
  port: 443,
  isTls: true,
  proxyHost: null,
  limitSeconds: 1.5,
  dns: { kind: 'passed', tookMs: 4, addresses: 2 },
  tcp: { kind: 'passed', tookMs: 9 },
  proxy: { kind: 'notNeeded' },
  tls: { kind: 'passed', tookMs: 21 },
  certificate: {
    validUntilMs: nowMs + 100 * 86_400_000,
    names: 'DNS:claims.planted.example',
    issuer: 'Planted Authority',
    protocol: 'TLSv1.3',
    expiredIssuerMs: null,
    isIssuerMissing: false,
  },
  speaksTls: false,
};

export const answered = (status: number, more: Partial<ReplyFacts> = {}): AskOutcome => ({
  kind: 'replied',
  tookMs: 30,
  reply: {
    status,
    requestId: 'req_0123456789',
    shape: status === 200 ? 'envelope' : 'object',
    bytes: 120,
    speaksOf: null,
    retryAfterSeconds: null,
    redirectHost: null,
    digest: String(status),
    ...more,
  },
});

/** A connection that works, but for what is given. */
export const observe = (more: Partial<NetworkObservation> = {}): NetworkObservation => ({
  path: openPath,
  unsigned: answered(401),
  signed: answered(200),
  offsetSeconds: 0,
  askLimitSeconds: 2,
  perPage: null,
  nowMs,
  ...more,
});

/** The codes by step. */
export const codesOf = (findings: readonly DoctorFinding[]): Partial<Record<DoctorStepId, string>> =>
  Object.fromEntries(findings.map(({ id, code }) => [id, code]));
