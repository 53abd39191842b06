import { type FindingCode, findingTable } from '../../../contract/doctor-steps.ts';
import type { ErrorCode } from '../../../contract/error-codes.ts';

/** The result of one probe of the path. `cause` is the code of Node's error, or one of Claimdesk's if it has none. */
export type ProbeOutcome<Facts extends object = object> =
  | { readonly kind: 'notTried' | 'notNeeded' | 'byProxy' }
  | ({ readonly kind: 'passed'; readonly tookMs: number } & Facts)
  | { readonly kind: 'failed'; readonly tookMs: number; readonly cause: string; readonly status?: number };

/** The facts of a server's certificate. `names` and `issuer` are text from the server. */
export interface CertificateFacts {
  readonly validUntilMs: number | null;
  readonly names: string;
  readonly issuer: string;
  readonly protocol: string | null;
  /** When a certificate above it, which the server sent, expired; null: none has expired. */
  readonly expiredIssuerMs: number | null;
  /** Whether the server omitted its issuer's certificate, an intermediate one whose address it gives. */
  readonly isIssuerMissing: boolean;
}

/** The network path to the service, apart from requests: the result of each probe, in order. */
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
  /** The address begins with http, but a TLS handshake succeeds there. */
  readonly speaksTls: boolean;
}

export type ReplyShape = 'envelope' | 'object' | 'html' | 'empty' | 'truncated' | 'notJson';

/** The facts of a reply. A record in the body is dropped where it is read. */
export interface ReplyFacts {
  readonly status: number;
  readonly requestId: string | null;
  readonly shape: ReplyShape;
  readonly bytes: number;
  /** Whether a 400 or 401 is about the times of the token, or about its form; null: neither. */
  readonly speaksOf: 'time' | 'form' | null;
  readonly retryAfterSeconds: number | null;
  readonly redirectHost: string | null;
  /** SHA-256 of status and message, to compare answers. */
  readonly digest: string;
}

/** `code` is the transport's error code; `detail` is the network library's. */
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

/** Everything that the engine observed: the path, the request without a token, the one with it. */
export interface NetworkObservation {
  readonly path: PathObservation;
  readonly unsigned: AskOutcome;
  readonly signed: AskOutcome;
  /** The service's clock minus this computer's; null where the service did not send its time. */
  readonly offsetSeconds: number | null;
  readonly askLimitSeconds: number;
  /** Records a page that syncs ask for, since the service refused larger pages; null: it never did. */
  readonly perPage: number | null;
  readonly nowMs: number;
}

/** The code of an error for a report: one word, or nothing. */
export const errorCodeFact = (cause: string | null): { errorCode?: string } =>
  cause !== null && /^[A-Za-z][A-Za-z0-9_.]{0,79}$/.test(cause) ? { errorCode: cause } : {};

/** A limit is reported only where the finding's text has one. */
export const limitFact = (code: FindingCode, limitSeconds: number): { limitSeconds?: number } =>
  findingTable[code].sentence.includes('{limitSeconds}') ? { limitSeconds } : {};
