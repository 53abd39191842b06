import { lookup } from 'node:dns/promises';
import { isIP, type Socket } from 'node:net';
import { bareHost, findProxy } from './find-proxy.ts';
import type { PathObservation, ProbeOutcome } from './observations.ts';
import { type OpenedConnection, openSocket, openTunnel, startTls } from './open-connection.ts';
import { limited, readCause } from './probe-limits.ts';

export interface PathPorts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readTrusted: () => string[];
  /** How long one probe may take. */
  readonly limitMs: number;
}

/**
 * Probes the network path to an address: name, connection, proxy, identity. No HTTP is sent to the service; the
 * connection is closed at once. Never rejects.
 */
export async function probePath(url: URL, ports: PathPorts): Promise<PathObservation> {
  const host = bareHost(url);
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const proxy = findProxy(url, ports.environment);
  const none = { dns: { kind: 'notTried' }, tcp: { kind: 'notTried' }, tls: { kind: 'notTried' } } as const;
  const about = {
    host,
    port,
    isTls,
    proxyHost: proxy instanceof URL ? proxy.host : null,
    limitSeconds: ports.limitMs / 1000,
    certificate: null,
    speaksTls: false,
  };
  if (proxy === 'unusable')
    return { ...about, ...none, proxy: { kind: 'failed', tookMs: 0, cause: 'PROXY_PROTOCOL' } };
  if (proxy?.protocol.startsWith('socks')) {
    // The proxy's handshake is left to the transport; this only checks that the proxy is reachable.
    const opened = await openSocket(bareHost(proxy), Number(proxy.port) || 1080, ports.limitMs);
    opened.socket?.destroy();
    const left = { dns: { kind: 'byProxy' }, tcp: { kind: 'byProxy' }, tls: { kind: 'byProxy' } } as const;
    return { ...about, ...left, proxy: opened.outcome };
  }
  if (proxy !== null) {
    const tunnel = await openTunnel(proxy, `${url.hostname}:${port}`, ports);
    const byProxy = { dns: { kind: 'byProxy' }, tcp: { kind: 'byProxy' } } as const;
    return {
      ...about,
      ...byProxy,
      proxy: outcomeOf(tunnel),
      ...(await probeTls(tunnel.socket, about, ports)),
    };
  }
  const dns = await probeName(host, ports.limitMs);
  if (dns.kind === 'failed') return { ...about, ...none, dns, proxy: { kind: 'notNeeded' } };
  const opened = await openSocket(host, port, ports.limitMs);
  return {
    ...about,
    dns,
    tcp: outcomeOf(opened),
    proxy: { kind: 'notNeeded' },
    ...(await probeTls(opened.socket, about, ports)),
  };
}

const outcomeOf = ({ outcome }: OpenedConnection): ProbeOutcome => outcome;

async function probeName(host: string, limitMs: number): Promise<PathObservation['dns']> {
  if (isIP(host) !== 0 || host === 'localhost') return { kind: 'notNeeded' };
  const began = performance.now();
  try {
    const addresses = await limited(lookup(host, { all: true }), limitMs);
    return { kind: 'passed', tookMs: performance.now() - began, addresses: addresses.length };
  } catch (thrown) {
    return { kind: 'failed', tookMs: performance.now() - began, cause: readCause(thrown) };
  }
}

async function probeTls(
  socket: Socket | null,
  { host, isTls }: { host: string; isTls: boolean },
  ports: PathPorts,
): Promise<Pick<PathObservation, 'tls' | 'certificate'>> {
  if (socket === null) return { tls: { kind: isTls ? 'notTried' : 'notNeeded' }, certificate: null };
  if (!isTls) {
    socket.destroy();
    return { tls: { kind: 'notNeeded' }, certificate: null };
  }
  return startTls(socket, host, ports);
}

/** Whether a TLS handshake succeeds at an address that begins with http, whatever the certificate. */
export async function probeForTls(url: URL, ports: PathPorts): Promise<boolean> {
  const { socket } = await openSocket(bareHost(url), Number(url.port) || 80, ports.limitMs);
  if (socket === null) return false;
  return (await startTls(socket, bareHost(url), ports)).certificate !== null;
}
