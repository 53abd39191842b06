import type { DoctorFinding } from '../../../contract/doctor.ts';
import { type FindingCode, findingTable } from '../../../contract/doctor-findings.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';

/** What one probe of the way came to. `cause` is the code of Node's error, or one of ours where it has none. */
export type ProbeOutcome<Facts extends object = object> =
  | { readonly kind: 'notTried' | 'notNeeded' | 'byProxy' }
  | ({ readonly kind: 'passed'; readonly tookMs: number } & Facts)
  | { readonly kind: 'failed'; readonly tookMs: number; readonly cause: string; readonly status?: number };

/** What a server's certificate says of itself. `names` and `issuer` are the server's own words. */
export interface CertificateFacts {
  readonly validUntilMs: number | null;
  readonly names: string;
  readonly issuer: string;
  readonly protocol: string | null;
}

/** The way to the service, apart from the requests: each probe by itself, in order. */
export interface PathObservation {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly proxyHost: string | null;
  readonly limitSeconds: number;
  readonly dns: ProbeOutcome<{ addresses: number }>;
  readonly tcp: ProbeOutcome;
  readonly proxy: ProbeOutcome;
  readonly tls: ProbeOutcome;
  readonly certificate: CertificateFacts | null;
  /** The address says http, but a TLS handshake works there. */
  readonly speaksTls: boolean;
}

export type ReplyShape = 'envelope' | 'object' | 'html' | 'empty' | 'truncated' | 'notJson';

/** What may be known of a reply. The record that a page of one holds is dropped where it is read. */
export interface ReplyFacts {
  readonly status: number;
  readonly requestId: string | null;
  readonly shape: ReplyShape;
  readonly bytes: number;
  /** A 400 or 401 that is about the times of the token, or about its form. */
  readonly speaksOf: 'time' | 'form' | null;
  readonly retryAfterSeconds: number | null;
  readonly redirectHost: string | null;
  /** Tells whether two answers are the same; SHA-256 of status and message. */
  readonly digest: string;
}

/** `code` is the transport's; `detail` the network library's own. */
export type AskOutcome =
  | { readonly kind: 'notTried' }
  | { readonly kind: 'noToken'; readonly code: ErrorCode }
  | {
      readonly kind: 'failed';
      readonly tookMs: number;
      readonly code: ErrorCode;
      readonly detail: string | null;
    }
  | { readonly kind: 'replied'; readonly tookMs: number; readonly reply: ReplyFacts };

/** Everything that the engine saw: the way, the request without a token, the one with it. */
export interface NetworkObservation {
  readonly way: PathObservation;
  readonly unsigned: AskOutcome;
  readonly signed: AskOutcome;
  /** The service's clock less ours; null where it did not tell its time. */
  readonly offsetSeconds: number | null;
  readonly askLimitSeconds: number;
  readonly nowMs: number;
}

type Extras = Partial<Pick<DoctorFinding, 'facts' | 'shown'>> & { tookMs?: number };

/** A finding with what it has; the rest empty. */
export function finding(
  id: DoctorFinding['id'],
  code: DoctorFinding['code'],
  { tookMs = 0, facts = {}, shown = {} }: Extras = {},
): DoctorFinding {
  return { id, code, durationMs: Math.round(tookMs), facts, shown };
}

/** Codes of errors as a report may hold them: a word, or nothing. */
export function errorCodeFact(cause: string | null): { errorCode?: string } {
  return cause !== null && /^[A-Za-z][A-Za-z0-9_.]{0,79}$/.test(cause) ? { errorCode: cause } : {};
}

/** Limits are told only where the sentence speaks of one. */
export function limitFact(code: FindingCode, limitSeconds: number): { limitSeconds?: number } {
  return findingTable[code].sentence.includes('{limitSeconds}') ? { limitSeconds } : {};
}
