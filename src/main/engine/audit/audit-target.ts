import { once } from 'node:events';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { DeskError } from '../../lib/errors.ts';
import { type Transport, toTransportError } from '../service/transport.ts';
import { type ForwardedEntry, toSyslogFrame } from './forwarded-entry.ts';

interface TargetPorts {
  readonly transport: Transport;
  /** The certificate authorities that verify a syslog receiver. */
  readonly readTrusted: () => string[];
  /** The value of the header `Authorization`; null: none. */
  readonly getToken: () => Promise<string | null>;
}

/** The target to which entries of the audit log are sent. */
export interface AuditTarget {
  /**
   * Resolves when the target has received all of them.
   * @throws DeskError `audit.targetUnreachable`, `audit.targetUntrusted`, `audit.targetRefused` with `status`
   */
  send(entries: readonly ForwardedEntry[], signal: AbortSignal): Promise<void>;
}

/** How long one batch may take. */
const limitMs = 20_000;
/** The port of syslog over TLS (RFC 5425, 4.1). */
const syslogPort = 6514;
/** How long a connection stays open after its last message, longer than an answer takes to arrive. */
const quietMs = 250;

/** Opens the target at an address of the policy: `https://…`, or `syslog+tls://host:port`. */
export function openAuditTarget(address: string, ports: TargetPorts): AuditTarget {
  const url = new URL(address);
  const send = url.protocol === 'syslog+tls:' ? sendSyslog : postLines;
  return {
    async send(entries, signal) {
      try {
        await send(url, entries, { ...ports, signal });
      } catch (thrown) {
        if (signal.aborted) throw new DeskError('sync.canceled', { cause: thrown });
        throw toTargetError(thrown);
      }
    },
  };
}

function toTargetError(thrown: unknown): DeskError {
  const cause = toTransportError(thrown);
  if (cause.code.startsWith('audit.')) return cause;
  if (/^service\.(tls|certificate)/.test(cause.code))
    return new DeskError('audit.targetUntrusted', { cause });
  const isAnswer = /^service\.(redirected|badReply|replyTooLarge)$/.test(cause.code);
  return new DeskError(isAnswer ? 'audit.targetRefused' : 'audit.targetUnreachable', { cause });
}

async function postLines(
  url: URL,
  entries: readonly ForwardedEntry[],
  { transport, getToken, signal }: TargetPorts & { signal: AbortSignal },
): Promise<void> {
  const token = await getToken();
  const { status } = await transport({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/x-ndjson',
      ...(token === null ? {} : { authorization: token }),
    },
    body: entries.map(({ json }) => `${json}\n`).join(''),
    timeoutMs: limitMs,
    signal,
  });
  if (status < 200 || status > 299) throw new DeskError('audit.targetRefused', { details: { status } });
}

/**
 * Syslog acknowledges nothing. A receiver that closes its side only after Claimdesk did, without a reset, has read
 * everything. If it closes earlier, or with unread data, the messages count as lost and are sent again.
 */
async function sendSyslog(
  url: URL,
  entries: readonly ForwardedEntry[],
  { readTrusted, signal }: TargetPorts & { signal: AbortSignal },
): Promise<void> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(url.port) || syslogPort,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ca: readTrusted(),
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
  });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const end = (): void => void socket.destroy(ended.reason);
  ended.addEventListener('abort', end, { once: true });
  const closed = once(socket, 'close');
  const lost = closed.then(() => {
    throw Object.assign(new Error('The receiver closed the connection.'), { code: 'ECONNRESET' });
  });
  lost.catch(() => undefined);
  const whileOpen = <T>(step: Promise<T>): Promise<T> => Promise.race([step, lost]);
  try {
    await whileOpen(once(socket, 'secureConnect'));
    socket.resume();
    await whileOpen(new Promise((resolve) => socket.write(entries.map(toSyslogFrame).join(''), resolve)));
    await whileOpen(wait(quietMs));
    socket.end();
    await closed;
  } finally {
    ended.removeEventListener('abort', end);
    socket.on('error', () => undefined).destroy();
  }
}
