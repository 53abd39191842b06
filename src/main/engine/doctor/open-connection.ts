import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { bareHost } from './find-proxy.ts';
import type { CertificateFacts, ProbeOutcome } from './observations.ts';
import { limited, readCause } from './probe-limits.ts';

/** No real chain is this long; the limit keeps a hostile one from taking long. */
const maxIssuers = 10;

/** A connection that a probe leaves open for the next one; null where there is none. */
export interface OpenedConnection {
  readonly outcome: ProbeOutcome;
  readonly socket: Socket | null;
}

interface Ports {
  readonly readTrusted: () => string[];
  readonly limitMs: number;
}

/** Opens a TCP connection; all addresses of the name are tried. Never rejects. */
export async function openSocket(host: string, port: number, limitMs: number): Promise<OpenedConnection> {
  const socket = connect({ host, port, autoSelectFamilyAttemptTimeout: Math.min(250, limitMs) });
  return awaitSocket(
    limitMs,
    socket,
    new Promise((resolve, reject) => {
      socket.once('connect', () => resolve(socket));
      socket.once('error', reject);
    }),
  );
}

/** Requests a tunnel from a proxy (RFC 9110, CONNECT), with the name and password in its address, if any. */
export async function openTunnel(proxy: URL, target: string, ports: Ports): Promise<OpenedConnection> {
  const isSecure = proxy.protocol === 'https:';
  const login = [proxy.username, proxy.password].map(decodeURIComponent).join(':');
  const options = {
    method: 'CONNECT',
    host: bareHost(proxy),
    port: Number(proxy.port) || (isSecure ? 443 : 80),
    path: target,
    agent: false,
    headers: {
      host: target,
      ...(login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  } as const;
  const asked = isSecure
    ? requestTls({ ...options, ca: ports.readTrusted(), rejectUnauthorized: true })
    : requestPlain(options);
  return awaitSocket(
    ports.limitMs,
    asked,
    new Promise((resolve, reject) => {
      asked.once('error', reject);
      asked.once('connect', ({ statusCode = 0 }, socket) => {
        if (statusCode >= 200 && statusCode < 300) return resolve(socket as Socket);
        socket.destroy();
        reject(
          Object.assign(new Error('The proxy refused.'), {
            code: `STATUS_${statusCode}`,
            status: statusCode,
          }),
        );
      });
      asked.end();
    }),
  );
}

async function awaitSocket(
  limitMs: number,
  handle: { destroy(): unknown; on(event: 'error', listener: () => void): unknown },
  opening: Promise<Socket>,
): Promise<OpenedConnection> {
  const began = performance.now();
  try {
    const socket = await limited(opening, limitMs);
    return { outcome: { kind: 'passed', tookMs: performance.now() - began }, socket };
  } catch (thrown) {
    handle.on('error', () => undefined);
    handle.destroy();
    const { status } = thrown as { status?: number };
    const outcome = { kind: 'failed', tookMs: performance.now() - began, cause: readCause(thrown) } as const;
    return { outcome: status === undefined ? outcome : { ...outcome, status }, socket: null };
  }
}

/**
 * Performs a TLS handshake on an open connection and closes it. The handshake completes whatever the certificate is,
 * so that its faults can be reported; nothing is sent over it. Never rejects.
 */
export async function startTls(
  socket: Socket,
  host: string,
  ports: Ports,
): Promise<{ tls: ProbeOutcome; certificate: CertificateFacts | null }> {
  const began = performance.now();
  let secure: TLSSocket | null = null;
  try {
    secure = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ca: ports.readTrusted(),
      rejectUnauthorized: false,
    });
    await limited(waitForHandshake(secure), ports.limitMs);
    const certificate = readCertificate(secure);
    const tookMs = performance.now() - began;
    const { authorized, authorizationError } = secure;
    if (authorized) return { tls: { kind: 'passed', tookMs }, certificate };
    // Node sets the code here, although its types have only an Error.
    const cause = typeof authorizationError === 'string' ? authorizationError : readCause(authorizationError);
    return { tls: { kind: 'failed', tookMs, cause }, certificate };
  } catch (thrown) {
    const tls = { kind: 'failed', tookMs: performance.now() - began, cause: readCause(thrown) } as const;
    return { tls, certificate: null };
  } finally {
    secure?.on('error', () => undefined);
    secure?.destroy();
    socket.on('error', () => undefined);
    socket.destroy();
  }
}

const waitForHandshake = (socket: TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('error', reject);
    // When the peer closes during the handshake, some connections emit an error, others only `close`.
    socket.once('close', () => reject(Object.assign(new Error('Closed.'), { code: 'ECONNRESET' })));
  });

/** Reads the certificates above the server's own: those that it sent, and the trusted ones that complete the chain. */
function readIssuers(certificate: Partial<DetailedPeerCertificate>): Partial<DetailedPeerCertificate>[] {
  const issuers: Partial<DetailedPeerCertificate>[] = [];
  let current = certificate;
  // The last one is its own issuer.
  while (current.issuerCertificate !== undefined && current.issuerCertificate !== current) {
    current = current.issuerCertificate;
    if (issuers.includes(current) || issuers.length >= maxIssuers) break;
    issuers.push(current);
  }
  return issuers;
}

function readCertificate(socket: TLSSocket): CertificateFacts | null {
  const certificate = socket.getPeerCertificate(true) as Partial<DetailedPeerCertificate>;
  const until = Date.parse(certificate.valid_to ?? '');
  const issuers = readIssuers(certificate);
  const expired = issuers.map(({ valid_to = '' }) => Date.parse(valid_to)).find((ms) => ms < Date.now());
  const hasDownload = 'CA Issuers - URI' in (certificate.infoAccess ?? {});
  const issuer = certificate.issuer?.O ?? certificate.issuer?.CN ?? '';
  return {
    validUntilMs: Number.isFinite(until) ? until : null,
    names: printable(certificate.subjectaltname ?? certificate.subject?.CN ?? ''),
    issuer: printable([issuer].flat()[0] ?? ''),
    protocol: socket.getProtocol(),
    expiredIssuerMs: expired ?? null,
    isIssuerMissing: issuers.length === 0 && hasDownload,
  };
}

/** Text from the server, for the screen only: one line, no control characters, limited in length. */
const printable = (value: unknown): string =>
  String(value)
    .replace(/[\p{C}\s]+/gu, ' ')
    .slice(0, 200);
